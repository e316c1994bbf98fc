"""``warptour solve`` as a user runs it."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import warptour as wt

DOCUMENT = Path(__file__).parents[2] / "docs" / "user" / "command-line.md"


def documented_keys():
    """Return the keys in the first column of the table of JSON, in order."""
    table = DOCUMENT.read_text(encoding="utf-8").partition("## JSON\n")[2].partition("\n\n`check --json`")[0]
    cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    return [key for cell in cells for key in re.findall("`(.*?)`", cell)]


def test_json_is_one_object_with_the_documented_keys_in_their_order(run):
    done = run("solve", "uniform:60:1", "--seconds", "0.5", "--json")
    assert done.code == 0 and done.err == ""
    assert list(done.json) == documented_keys() and len(done.json) > 30
    assert done.json["kind"] == "tsp" and done.json["n"] == 60 and done.json["feasible"] is True
    assert done.json["routes"] is None and done.json["output"] is None and done.json["interrupted"] is False


def test_optimal_is_unknown_without_a_bound(call):
    assert call("solve", "uniform:60:1", "--seconds", "0.2", "--json").json["optimal"] is None
    assert call("solve", "uniform:9:1", "--json").json["optimal"] is True, "solved exactly"
    proved = call("solve", "uniform:200:1", "--seconds", "0.2", "--bound", "--json").json
    assert proved["optimal"] is (proved["cost"] == proved["lower_bound"])


def test_the_reported_cost_is_what_check_computes_from_the_file(call, tmp_path):
    done = call("solve", "uniform:60:1", "--seconds", "0.5", "--json", "--output", "a.tour")
    assert done.json["output"] == "a.tour"
    checked = call("check", "uniform:60:1", "a.tour", "--json")
    assert checked.code == 0
    assert checked.json == {"cost": done.json["cost"], "feasible": True, "violations": [], "warnings": []}


@pytest.mark.parametrize("suffix", ["tour", "csv", "geojson"])
def test_every_output_format_can_be_checked(call, suffix):
    cost = call("solve", "uniform:30:1", "--seconds", "0.2", "--json", "-o", f"a.{suffix}").json["cost"]
    assert call("check", "uniform:30:1", f"a.{suffix}", "--json").json["cost"] == cost


def test_every_output_is_written(call, tmp_path):
    done = call(
        "solve", "uniform:30:1", "--iterations", "1", "--json", "-o", "a.csv", "-o", "b.geojson", "-o", "c.tour"
    )
    assert done.json["output"] == ["a.csv", "b.geojson", "c.tour"]
    for name in done.json["output"]:
        assert call("check", "uniform:30:1", name, "--json").json["cost"] == done.json["cost"]
    assert "a.sol" in call("solve", "uniform:30:1", "-o", "d.csv", "-o", "a.sol").fault
    assert not (tmp_path / "d.csv").exists()
    assert call("generate", "uniform", "9", "-o", "e.tsp", "-o", "e.csv").code == 0
    assert (tmp_path / "e.tsp").exists() and (tmp_path / "e.csv").exists()


@pytest.mark.parametrize("suffix", ["tour", "csv", "geojson"])
def test_an_open_path_is_not_checked_as_a_closed_tour(call, suffix):
    cost = call("solve", "uniform:30:1", "--from", "4", "--iterations", "1", "--json", "-o", f"a.{suffix}").json["cost"]
    done = call("check", "uniform:30:1", f"a.{suffix}", "--json")
    assert done.code == 1 and "open path" in done.json["violations"][0]
    for options in (["--from", "4"], ["--open"]):
        assert call("check", "uniform:30:1", f"a.{suffix}", *options, "--json").json["cost"] == cost


def test_one_command_for_the_first_run_and_the_next(call, tmp_path):
    command = ("solve", "uniform:60:1", "--iterations", "5", "--checkpoint", "c", "--resume", "c", "--json")
    first, second = call(*command), call(*command)
    assert first.code == second.code == 0 and second.json["cost"] <= first.json["cost"]
    assert "no such checkpoint" in call("solve", "uniform:60:1", "--checkpoint", "d", "--resume", "e").fault


def test_people_get_a_summary_and_lines_of_progress(call):
    done = call("solve", "uniform:60:1", "--seconds", "0.5", "-o", "a.tour")
    assert done.code == 0
    assert "cost" in done.out and "60 cities" in done.out and "a.tour" in done.out
    assert "cost" in done.err and "\x1b" not in done.out + done.err


def test_quiet_prints_nothing(call):
    done = call("solve", "uniform:60:1", "--seconds", "0.2", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_time_limit_ends_the_run(call):
    done = call("solve", "uniform:2000:1", "--seconds", "1", "--json")
    assert done.code == 0 and done.json["interrupted"] is False and done.json["seconds"] > 0


def test_iterations_alone_give_the_same_tour_again(call, tmp_path):
    costs = [
        call("solve", "uniform:200:1", "--iterations", "50", "--threads", "1", "--seed", "5", "--json").json["cost"]
        for _ in range(2)
    ]
    assert costs[0] == costs[1]


def test_a_target_ends_the_run(call):
    done = call("solve", "uniform:60:1", "--target", "1e12", "--iterations", 10**12, "--json")
    assert done.json["iterations"] < 10**12


@pytest.mark.parametrize("n", range(1, 13))
def test_small_instances(call, tmp_path, n):
    done = call("solve", f"uniform:{n}:3", "--seconds", "0.2", "--json", "-o", "a.tour")
    assert done.code == 0
    assert call("check", f"uniform:{n}:3", "a.tour").code == 0


def test_the_trace_is_monotone_and_ends_at_the_cost(call, tmp_path):
    done = call("solve", "uniform:200:1", "--seconds", "0.5", "--json", "--trace", "run.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    assert [lines[0]["event"], lines[-1]["event"]] == ["begin", "end"]
    costs, times = [line["cost"] for line in lines if "cost" in line], [line["t"] for line in lines]
    assert costs == sorted(costs, reverse=True) and times == sorted(times)
    assert costs[-1] == done.json["cost"]


def test_a_picture(call, tmp_path):
    assert call("solve", "uniform:60:1", "--seconds", "0.2", "--plot", "a.svg").code == 0
    ElementTree.parse(tmp_path / "a.svg")


def test_starting_from_a_file_never_ends_worse(call):
    first = call("solve", "uniform:200:1", "--seconds", "0.5", "--json", "-o", "a.tour").json["cost"]
    again = call("solve", "uniform:200:1", "--iterations", "0", "--json", "--start", "a.tour").json["cost"]
    assert again <= first


@pytest.mark.parametrize("start", ["random", "file", "nearest", "greedy", "curve"])
def test_every_start_by_name(call, start):
    assert call("solve", "uniform:100:1", "--seconds", "0.2", "--start", start, "--json").code == 0


def test_a_start_that_is_no_tour_is_refused(call, tmp_path):
    call("solve", "uniform:20:1", "--seconds", "0.1", "-o", "a.tour")
    text = (tmp_path / "a.tour").read_text().replace("DIMENSION : 20", "DIMENSION : 21")
    (tmp_path / "a.tour").write_text(text)
    assert "a.tour" in call("solve", "uniform:21:1", "--start", "a.tour").fault


@pytest.mark.parametrize("ends", [[], ["--from", "4"], ["--to", "9"], ["--from", "4", "--to", "9"]])
@pytest.mark.parametrize("n", [9, 40])
def test_open_paths(call, n, ends):
    options = [f"uniform:{n}:2", "--open", *ends]
    done = call("solve", *options, "--seconds", "0.3", "--json", "-o", "a.tour")
    assert done.code == 0, done.err
    assert call("check", *options, "a.tour", "--json").json == {
        "cost": done.json["cost"], "feasible": True, "violations": [], "warnings": [],
    }  # fmt: skip


def test_an_open_path_from_a_named_city(call, tmp_path):
    (tmp_path / "stops.csv").write_text("name,x,y\nhome,0,0\nshop,5,1\nschool,2,2\nwork,9,9\n")
    done = call("solve", "stops.csv", "--from", "home", "--to", "work", "--json", "-o", "a.csv")
    assert done.code == 0, done.err
    assert call("check", "stops.csv", "a.csv", "--from", "home", "--to", "work").code == 0
    assert call("check", "stops.csv", "a.csv", "--from", "work", "--to", "home").code == 1


def test_rounding_can_be_overridden(call):
    whole = call("solve", "uniform:9:1", "--json").json["cost"]
    exact = call("solve", "uniform:9:1", "--rounding", "none", "--json").json["cost"]
    assert isinstance(whole, int) and isinstance(exact, float) and abs(whole - exact) < 9


@pytest.mark.parametrize("strategy", ["hill", "restarts", "ils"])
def test_every_strategy_by_name(call, strategy):
    done = call("solve", "uniform:100:1", "--strategy", strategy, "--seconds", "0.5", "--json")
    assert done.code == 0 and done.json["strategy"] == strategy


def test_a_vehicle_problem(call, tmp_path):
    assert call("generate", "vrp", "40", "--output", "a.vrp").code == 0
    done = call("solve", "a.vrp", "--seconds", "0.5", "--json", "-o", "a.sol")
    assert done.code == 0, done.err
    assert done.json["kind"] == "vrp" and done.json["routes"] >= 1
    assert call("check", "a.vrp", "a.sol", "--json").json["cost"] == done.json["cost"]


def test_a_spreadsheet_of_stops_with_demands(call, tmp_path):
    rng = np.random.default_rng(1)
    rows = [f"stop {k},{x},{y},{0 if k == 0 else 1 + k % 4}" for k, (x, y) in enumerate(rng.integers(0, 90, (20, 2)))]
    (tmp_path / "stops.csv").write_text("\n".join(["name,x,y,demand", *rows]) + "\n")
    options = ["stops.csv", "--capacity", "12", "--max-distance", "500", "--service-time", "2"]
    done = call("solve", *options, "--seconds", "0.5", "--json", "-o", "routes.csv")
    assert done.code == 0, done.err
    assert done.json["routes"] >= 4
    assert call("check", *options, "routes.csv", "--json").json["cost"] == done.json["cost"]


def test_an_instance_proved_infeasible(call, tmp_path):
    (tmp_path / "stops.csv").write_text("x,y,demand\n0,0,0\n1,1,5\n2,2,6\n")
    assert "capacity" in call("solve", "stops.csv", "--capacity", "5", "--all").fault
    assert "vehicles" in call("solve", "stops.csv", "--capacity", "6", "--vehicles", "1").fault
    assert call("solve", "stops.csv", "--capacity", "5", "--all").code == 2


def test_a_search_that_finds_nothing_feasible_reports_its_best(call, tmp_path):
    (tmp_path / "stops.csv").write_text("x,y,demand\n0,0,0\n1,1,3\n2,2,3\n3,1,3\n")
    options = ("stops.csv", "--capacity", "5", "--vehicles", "2", "--iterations", "500", "--strategy", "routes")
    done = call("solve", *options, "--json")
    assert done.code == 1 and done.json["feasible"] is False and done.json["routes"] == 3
    assert "- 3 routes, 1 more than the vehicles" in done.err
    assert "infeasible" in call("solve", *options).out


def test_a_table_that_may_have_been_meant_otherwise(call, tmp_path):
    (tmp_path / "a.csv").write_text("x,y,tel,note\n13.405,52.52,1,2\n2.3522,48.8566,1,2\n9.9937,53.5511,1,2\n")
    for command in (["info", "a.csv"], ["solve", "a.csv", "--json", "-o", "b.tour"], ["check", "a.csv", "b.tour"]):
        plane = call(*command)
        columns, degrees = plane.err.splitlines()[:2]
        assert columns == "warptour: a.csv: columns not used: 'tel', 'note'"
        assert (
            degrees.startswith("warptour: a.csv: the coordinates look like longitude and latitude") and plane.code == 0
        )
        globe = call(*command, "--latlon")
        assert globe.err.splitlines()[0] == columns and "longitude" not in globe.err and globe.out != plane.out
        assert "longitude" not in call(*command, "--no-latlon").err
        assert plane.code == 0 and plane.err == call(*command, *(["-q"] if command[0] == "solve" else [])).err
    for command in (["info", "a.csv"], ["solve", "a.csv"], ["check", "a.csv", "b.tour"], ["bound", "a.csv"]):
        done = call(*command, "--json")
        assert [f"warptour: {warning}" for warning in done.json["warnings"]] == done.err.splitlines()[:2]
    assert "--latlon" in call("solve", "uniform:9:1", "--latlon").fault


def test_npy_points(call, tmp_path):
    np.save(tmp_path / "p.npy", np.random.default_rng(1).random((50, 2)))
    done = call("solve", "p.npy", "--seconds", "0.3", "--json", "-o", "a.tour")
    assert done.code == 0
    assert wt.check(wt.read(tmp_path / "p.npy"), tmp_path / "a.tour").cost == pytest.approx(done.json["cost"])


def test_standard_streams_may_be_closed(tmp_path):
    command = f'"{sys.executable}" -m warptour solve uniform:50:1 --seconds 0.3 -o a.tour <&- >&- 2>&-'
    assert subprocess.run(command, shell=True, cwd=tmp_path, timeout=900).returncode == 0
    assert (tmp_path / "a.tour").exists()


def test_a_reader_that_leaves_early_is_no_disaster(tmp_path):
    command = f'"{sys.executable}" -m warptour solve uniform:50:1 --seconds 0.3 --json -o a.tour | true'
    done = subprocess.run(command, shell=True, cwd=tmp_path, timeout=900, capture_output=True, text=True)
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
    assert (tmp_path / "a.tour").exists()


@pytest.mark.parametrize(
    ("options", "word", "phrase"),
    [
        (["--iterations", "50"], "iterations", "limit on iterations"),
        (["--patience", "0.05"], "patience", "no improvement after"),
        (["--patience", "inf", "--seconds", "0.05"], "time", "time limit"),
        (["--strategy", "descent"], "finished", "the strategy was done"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_summary_and_the_json_say_why_a_search_ended(call, options, word, phrase):
    done = call("solve", "uniform:30:1", *options)
    (line,) = [line for line in done.out.splitlines() if line.startswith("ended")]
    assert phrase in line
    found = call("solve", "uniform:30:1", *options, "--json").json
    assert found["ended"] == word and 0 <= found["improved_at"] <= found["seconds"]


def test_patience_that_makes_no_sense_is_one_line(call):
    for word in ("-1", "nan", "soon"):
        done = call("solve", "uniform:30:1", f"--patience={word}")
        assert done.code == 2 and done.err.count("\n") == 1, done.err
