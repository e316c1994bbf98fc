"""Medians, spread, gaps, and the files of a comparison."""

import csv
import io
import json
from dataclasses import replace

import pytest

import warptour as wt
from warptour.bench.conditions import Conditions
from warptour.compare.report import ComparisonReport, csv_text, heading, json_text, markdown, table
from warptour.compare.run import JudgedRun
from warptour.compare.summary import BEST_HERE, BEST_KNOWN, base_of, lines_of


def run(solver, seed, cost, note="", curve=(), seconds=2.0, routes=None):
    limit, units = f"{seconds:g} s CPU", "times 2, rounded" if solver == "b" else ""
    return JudgedRun(
        "case", 30, solver, None, 1, seconds, limit, seed, cost, routes, 2.0, 1.5, 1.5, note, list(curve), units
    )


RUNS = [
    run("a", 1, 110, curve=[(0.1, 150), (1.0, 110)]),
    run("b", 1, 200),
    run("a", 2, 100, curve=[(0.2, 140), (0.9, 100)]),
    run("b", 2, None, "no answer: exit code 3"),
    run("a", 3, 130, curve=[(0.1, 130)]),
    run("b", 3, None, "no answer: exit code 3"),
]


@pytest.fixture
def report():
    at = Conditions("2026-11-16", "cpu", "warptour 0", "warptour compare case")
    peers = {"b": {"command": "/b", "version": "1", "clock": "a clock"}}
    return ComparisonReport({"case": wt.read("uniform:30:1")}, at, 2, True, peers, list(RUNS))


def test_gaps_are_above_best_known_or_the_best_of_all():
    problem = wt.read("uniform:30:1")
    here = base_of(problem, RUNS)
    assert (here.cost, here.origin) == (100, BEST_HERE)
    known = base_of(replace(problem, best_known=80), RUNS)
    assert (known.cost, known.origin) == (80, BEST_KNOWN)
    first, second = lines_of(RUNS, known)
    assert (first.gap, first.least, first.most) == (37.5, 25.0, 62.5)
    assert (second.gap, second.least, second.most, second.answers) == (None, 150.0, None, 1)


def test_where_fewer_routes_come_first_they_do():
    problem = replace(wt.read("vrp:30:1"), fewest=True, best_known=1)
    found = [(110, 5), (90, 6), (120, 5), (100, 6), (95, 6), (None, 4)]
    runs = [run("ab"[at // 3], at % 3, cost, routes=routes) for at, (cost, routes) in enumerate(found)]
    base = base_of(problem, runs)
    assert (base.cost, base.origin, base.routes) == (110, BEST_HERE, 5)
    first, second = lines_of(runs, base)
    assert (first.routes, first.cost, first.least, first.most) == (5, 120, 0, None)
    assert first.gap == pytest.approx(100 / 11)
    assert (second.routes, second.cost, second.gap, second.least, second.answers) == (6, 100, None, None, 2)
    (even,) = lines_of([runs[0], runs[2]], base)
    assert (even.routes, even.cost) == (5, 115)
    (worse,) = lines_of(runs[:2], base)
    assert (worse.routes, worse.cost) == (6, 90)
    assert base_of(problem, runs[-1:]).cost is None


def test_routes_have_a_column_where_there_are_vehicles(report):
    assert "routes" not in table(report, "case")
    report.problems = {"case": replace(wt.read("vrp:30:1"), fewest=True)}
    report.runs = [run("a", 1, 110, routes=5), run("a", 2, 100, routes=6)]
    shown = table(report, "case").splitlines()
    above = "fewer routes come first, gap of as many above the best of this comparison, 110 with 5"
    assert shown[0] == f"case, 29 customers; {above}"
    assert shown[1].split()[6:9] == ["s", "routes", "cost"]
    assert shown[2].split() == ["a", "1", "2", "s", "CPU", "2.0", "1.5", "6", "100", "-", "0.000", "-"]
    assert "| a | 1 | 2 s CPU | 2.0 | 1.5 | 6 | 100 | - | 0.000 | - |" in markdown(report)
    assert next(csv.DictReader(io.StringIO(csv_text(report))))["gap"] == "0.0"


def test_a_missing_answer_is_said_in_the_table(report):
    text = table(report, "case")
    assert text.startswith("case, 30 cities; gap above the best of this comparison, 100\n")
    assert text.splitlines()[3].split()[:8] == ["b", "1", "2", "s", "CPU", "2.0", "1.5", "-"]
    assert "2 of 3 runs: no" in text
    assert "| a | 1 | 2 s CPU | 2.0 | 1.5 | 110 | 10.000 | 0.000 | 30.000 |" in markdown(report)
    assert "b 1: limited by a clock." in markdown(report)


def test_the_units_that_another_program_was_given_are_told(report):
    assert table(report, "case").endswith("\nb was given distances times 2, rounded.")
    assert "\nb was given distances times 2, rounded.\n" in markdown(report)
    facts = json.loads(json_text(report))
    assert [row["units"] for row in facts["lines"]] == ["", "times 2, rounded"]
    assert next(csv.DictReader(io.StringIO(csv_text(report))))["units"] == ""


def test_nothing_feasible_has_no_gap(report):
    report.runs = [each for each in report.runs if each.cost is None]
    assert heading(report, "case").endswith("no feasible answer")
    assert [row.gap for row in report.lines("case")] == [None]


def test_csv_has_runs_and_json_everything(report):
    rows = list(csv.DictReader(io.StringIO(csv_text(report))))
    assert len(rows) == 6 and (rows[0]["gap"], rows[3]["cost"], rows[3]["gap"]) == ("10.0", "", "")
    facts = json.loads(json_text(report))
    assert facts["runs"][0]["curve"] == [[0.1, 50.0], [1.0, 10.0]] and facts["lines"][0]["gap"] == 10.0
    assert facts["peers"]["b"]["version"] == "1" and facts["command"] == "warptour compare case"


def test_the_plot_has_a_panel_for_each_problem(report, tmp_path):
    pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    from warptour.compare.plot import write_plot

    write_plot(tmp_path / "a.svg", report)
    text = (tmp_path / "a.svg").read_text()
    assert ">case<" in text and "CPU seconds / 2" in text and "% above the best of this comparison" in text
    report.runs = []
    write_plot(tmp_path / "b.png", report)
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
