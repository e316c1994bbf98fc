"""VROOM itself, as a peer: what it is given, and the judgement of its answers."""

from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from compare.answered import answered, dear_hours, fewer_first, found_here, tiny_fleets, two_windows
from timed_problems import timed_problem
from warptour.compare.features import Feature
from warptour.compare.peers.registry import find_peer

pytest.importorskip("vroom", reason="pyvroom is not installed")


@pytest.mark.parametrize("seed", [5, 7, 22, 28])
def test_vroom_finds_the_best_routes_of_few_stops_with_windows(seed, tmp_path):
    problem = replace(timed_problem(seed, 6), hour_cost=0, max_duration=None)
    assert find_peer("VROOM").refuses(problem) is None
    _, run = answered(problem, tmp_path, "VROOM")
    assert run.note == "" and run.cost == wt.solve(problem, iterations=5000, threads=1, device="cpu").cost


def test_vroom_serves_a_stop_in_one_of_its_windows(tmp_path):
    outcome, run = answered(two_windows(), tmp_path, "VROOM")
    assert run.cost == 20 and [route.tolist() for route in outcome.solution] == [[1, 2]]


def test_vroom_takes_fewer_vehicles_first(tmp_path):
    _, run = answered(fewer_first(), tmp_path, "VROOM")
    assert (run.routes, run.cost, run.note) == (1, 64, "")


def test_vroom_keeps_limits_and_fixed_costs(tmp_path):
    plain = wt.read("vrp:30:1")
    problem = wt.VRP(
        "limited", plain.metric, plain.points, demands=plain.demands, capacity=plain.capacity, max_distance=4000,
        service_times=np.append(0, np.full(29, 10)), fixed_cost=100,
    )  # fmt: skip
    _, run = answered(problem, tmp_path, "VROOM", 1.0)
    assert run.note == "" and run.units == "as in the problem; travel times likewise"
    assert run.cost < 1.1 * wt.solve(problem, iterations=20_000, threads=1, device="cpu", seed=1).cost


def test_vroom_is_given_no_price_of_hours(tmp_path):
    _, run = answered(dear_hours(), tmp_path, "VROOM")
    assert run.cost is None and run.note == f"refused: {Feature.HOUR_COST.value}"


def test_vroom_is_given_pickups(tmp_path):
    problem = replace(wt.read("vrp:30:1"), pickups=np.append(0, np.arange(29) % 3))
    _, run = answered(problem, tmp_path, "VROOM", 1.0)
    assert run.note == ""
    assert run.cost < 1.1 * wt.solve(problem, iterations=20_000, threads=1, device="cpu", seed=1).cost


def test_vroom_finds_good_routes_of_tiny_fleets(tmp_path):
    for problem, best in tiny_fleets("VROOM", 8):
        cost, faults = found_here(problem, tmp_path, "VROOM", 6)
        assert not faults and best - 1e-9 <= cost <= 1.1 * best, problem
