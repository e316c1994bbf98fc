"""``warptour bound``."""

import json
from pathlib import Path

import pytest


def test_bound_prints_a_proven_bound(call):
    done = call("bound", "uniform:60:3", "--seconds", "0.5", "--json")
    assert done.code == 0 and done.err == ""
    assert {"lower_bound", "seconds", "iterations", "valid"} <= set(done.json)
    assert done.json["valid"] is True and done.json["iterations"] > 0
    cost = call("solve", "uniform:60:3", "--seconds", "0.2", "--json").json["cost"]
    assert 0.95 * cost < done.json["lower_bound"] <= cost


def test_bound_takes_an_open_path_with_given_ends(call):
    free = call("bound", "uniform:60:3", "--open", "--seconds", "0.3", "--json").json["lower_bound"]
    ends = call("bound", "uniform:60:3", "--from", "1", "--to", "2", "--seconds", "0.3", "--json").json["lower_bound"]
    assert free < ends


def test_bound_shows_lines_without_json(call):
    done = call("bound", "uniform:9:1", "--seconds", "0.3")
    assert done.code == 0 and done.out.startswith("lower bound") and "bound " in done.err


def test_a_bound_that_a_tour_attains_is_optimal(call, tmp_path):
    assert ", optimal: a tour attains it" in call("bound", "uniform:9:1", "--seconds", "5").out.splitlines()[0]
    call("generate", "grid", "9", "-o", "grid-9-0.tsp")
    best = call("solve", "grid-9-0.tsp", "--json").json
    (tmp_path / "best.csv").write_text(f"name,n,best\ngrid-9-0,9,{best['cost']}\n")
    assert "is optimal" in call("bound", "grid-9-0.tsp", "--seconds", "5").out.splitlines()[1]


@pytest.mark.parametrize("words", [["uniform:9:1", "--seconds", "-1"], ["uniform:9:1", "--threads", "0"], ["none.tsp"]])
def test_bound_refuses_bad_input_in_one_line(call, words):
    assert call("bound", *words).code == 2


def test_vehicles_have_bounds_and_some_kinds_of_them_none(call):
    call("generate", "vrp", "9", "-o", "a.vrp")
    shown = call("bound", "a.vrp", "--seconds", "5").out
    assert "routes attain it" in shown.splitlines()[0] and "9 nodes" in shown
    facts = call("bound", "a.vrp", "--seconds", "5", "--json").json
    assert facts["tight"] and facts["lower_bound"] == call("solve", "a.vrp", "--json").json["cost"]
    done = call("bound", "a.vrp", "--minimize", "vehicles")
    assert done.code == 2 and "a.vrp: there are no lower bounds for as few vehicles as possible" in done.fault


def test_solve_with_a_bound_says_how_far_the_tour_can_be_from_optimal(call):
    done = call("solve", "uniform:400:1", "--bound", "--seconds", "1", "--trace", "t.jsonl", "--json")
    facts = done.json
    assert facts["lower_bound"] <= facts["cost"] and 0 <= facts["bound_gap"] < 3
    lines = [json.loads(line) for line in Path("t.jsonl").read_text().splitlines()]
    assert lines[-1]["lower_bound"] == facts["lower_bound"] and "bound_gap" in lines[-1]
    assert "above the optimum" in call("solve", "uniform:400:1", "--bound", "--seconds", "1").out


def test_solve_ends_early_with_an_optimal_tour(call, data):
    done = call("solve", data / "tsp" / "burma14.tsp", "--bound", "--seconds", "600")
    assert done.code == 0 and "optimal" in done.out
    facts = call("solve", data / "tsp" / "gr17.tsp", "--bound", "--seconds", "600", "--json").json
    assert facts["optimal"] is True and facts["bound_gap"] == 0 and facts["seconds"] < 500


def test_tiny_tours_and_few_customers_are_optimal(call):
    assert call("solve", "uniform:7:1", "--bound", "--json").json["optimal"] is True
    assert call("solve", "uniform:7:1", "--json").json["optimal"] is True
    call("generate", "vrp", "9", "-o", "a.vrp")
    assert call("solve", "a.vrp", "--bound", "--json").json["optimal"] is True
