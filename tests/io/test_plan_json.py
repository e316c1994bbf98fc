"""Solutions as JSON, of any kind of problem: written, read, checked, and taken over by ``--locked``."""

from __future__ import annotations

import json

import pytest

import warptour as wt
from warptour.io.examples import FOLDER

QUICK = {"iterations": 300, "threads": 1}
PROBLEMS = {
    "tour": lambda: wt.generate("uniform", 30, 1),
    "path": lambda: wt.read(FOLDER / "stops.csv", open=True),
    "routes": lambda: wt.generate("vrp", 20, 1),
    "day": lambda: wt.read(FOLDER / "deliveries.csv", capacity=1200, speed=30, depart="08:00"),
    "fleet": lambda: wt.read(FOLDER / "deliveries.csv", fleet=FOLDER / "fleet.csv", speed=30),
}


@pytest.mark.parametrize("kind", PROBLEMS)
def test_a_solution_is_written_and_read_again(kind, tmp_path):
    problem = PROBLEMS[kind]()
    result = wt.solve(problem, **QUICK)
    wt.write(tmp_path / "plan.json", problem, result)
    report = wt.check(problem, tmp_path / "plan.json")
    assert report.feasible and report.cost == pytest.approx(result.cost)
    facts = json.loads((tmp_path / "plan.json").read_text("utf-8"))
    assert facts["kind"] == problem.kind and facts["cost"] == pytest.approx(result.cost)
    if kind == "day":
        assert [trip["arrivals"][0] for trip in facts["trips"]] and facts["unserved"] == []
        again = wt.solve(problem, locked=tmp_path / "plan.json", now="10:30", **QUICK)
        assert again.feasible


@pytest.mark.parametrize(
    "content", ["[]", "{}", '{"solution": [1]}', '{"solution": [["a"]]}', '{"solution": [[true]]}']
)
def test_what_is_no_plan_is_one_line(content, tmp_path):
    (tmp_path / "plan.json").write_text(content)
    with pytest.raises(wt.InputError, match="is no plan: a plan has a member solution"):
        wt.check(wt.generate("vrp", 5, 1), tmp_path / "plan.json")
