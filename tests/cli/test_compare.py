"""``compare``: the table, its files, interrupts, and what is refused."""

import json
import shlex
import signal
import sys
from pathlib import Path

import pytest

FAKE = Path(__file__).resolve().parent.parent / "fake_peer.py"
QUICK = ["--threads", "1", "--device", "cpu"]


def fake(name, role, *more):
    command = shlex.join([sys.executable, str(FAKE), role])
    return ["--peer", f"{name}={command} {' '.join(('{file}', '{output}', *more))}"]


def test_strategies_and_another_program_side_by_side(call, tmp_path):
    limits = ["--seconds", "0.2", "--seconds", "0.1", "--seeds", "2"]
    files = ["-o", "a.csv", "-o", "a.json", "-o", "a.md"]
    done = call(
        "compare", "uniform:60:1", *limits, "--strategies", "windows,ils", *fake("other", "plain"), *QUICK, *files
    )
    assert done.code == 0, done.err
    assert "gap above the best of this comparison" in done.out and "written: a.csv, a.json, a.md" in done.out
    assert done.err.count("\n") == 12 and "uniform-60-1: other, 0.1 s CPU, seed 1: " in done.err
    facts = json.loads((tmp_path / "a.json").read_text())
    assert [(line["solver"], line["seconds"], line["answers"]) for line in facts["lines"]] == [
        (solver, seconds, 2) for seconds in (0.1, 0.2) for solver in ("windows", "ils", "other")
    ]
    assert facts["lines"][-1]["gap"] > 50 and facts["runs"][0]["curve"]
    assert (tmp_path / "a.csv").read_text().count("\n") == 13
    assert (tmp_path / "a.md").read_text().count("| windows |") == 2


def test_best_known_costs_vehicles_and_json(call, tmp_path):
    call("generate", "vrp", "12", "-o", "a.vrp")
    (tmp_path / "costs.csv").write_text("name,best\na,1000\n")
    done = call("compare", "a.vrp", "--best", "costs.csv", "--seconds", "0.1", "--seeds", "1", *QUICK, "--json", "-q")
    line = done.json["lines"][0]
    expected = "warptour compare a.vrp --seconds 0.1 --seeds 1 --threads 1 --device cpu --best costs.csv"
    assert done.json["command"] == expected
    assert (done.code, done.err, line["solver"], line["gap_to"]) == (0, "", "routes", "best known")
    assert line["gap"] == pytest.approx(line["cost"] / 10 - 100) and line["routes"] >= 1


def test_what_cannot_be_solved_is_a_line_of_the_table(call):
    done = call("compare", "vrp:12:1", "--strategies", "ils", "--seconds", "0.1", "--seeds", "1", *QUICK, "-q")
    assert done.code == 1 and "refused: " in done.out and "no feasible answer" in done.out


def test_options_of_windows_are_read_and_told_to_no_program_that_does_not_know_them(call, tmp_path):
    (tmp_path / "a.csv").write_text("name,x,y,demand,from,to\n,0,0,0,,\nb,3,4,1,8:00,9:00\nc,6,8,1,,\nd,9,9,1,7:30,\n")
    words = ["--capacity", "2", "--unit", "km", "--speed", "30", "--shift", "07:00-17:00", "--minimize", "vehicles"]
    done = call("compare", "a.csv", *words, "--seconds", "0.1", "--seeds", "1", *fake("other", "plain"),
                *fake("hgs", "hgs"), *QUICK, "--json", "-q")  # fmt: skip
    ours, other, hgs = done.json["lines"]
    assert done.code == 0 and (ours["routes"], ours["gap"]) == (2, 0)
    assert (
        other["note"].startswith("refused: it is not told that fewer")
        and hgs["note"] == "refused: it is given no time windows"
    )


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--peer", "nobody"], "known are linkern"),
        (["--peer", "lkh=/no/such"], "there is no such program"),
        (["--strategies", "none"], "unknown strategy 'none'"),
        (["--seconds", "0"], "--seconds is above 0"),
        (["-o", "a.txt"], "the suffix says the format"),
        (["--best", "none.csv"], "none.csv: no such file"),
    ],
)
def test_bad_input_is_one_line_before_anything_runs(call, words, reason):
    done = call("compare", "uniform:60:1", *words)
    assert done.code == 2 and reason in done.fault


def test_ctrl_c_gives_the_table_so_far(begin, tmp_path):
    marker = tmp_path / "begun"
    script = tmp_path / "wait.py"
    script.write_text(f"import time\nopen({str(marker)!r}, 'w').write('x')\ntime.sleep(600)\n")
    peer = f"slow={shlex.join([sys.executable, str(script)])} {{file}} {{output}}"
    process = begin("compare", "uniform:60:1", "--seconds", "0.1", "--peer", peer, *QUICK, "-o", "a.csv")
    process.wait_for(marker)
    process.send(signal.SIGINT)
    done = process.end()
    assert done.code == 130 and "Traceback" not in done.err and "interrupted" in done.err
    assert "uniform-60-1, 60 cities" in done.out and (tmp_path / "a.csv").read_text().count("\n") == 2
