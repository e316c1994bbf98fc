"""PyVRP itself, as a peer: what it is given, and the judgement of its answers."""

import numpy as np
import pytest

import warptour as wt
from warptour.compare.peers.registry import find_peer
from warptour.compare.run import judge
from warptour.compare.theirs import Theirs
from warptour.model.metric import METRICS


def answered(problem, folder, seconds=0.5):
    theirs = Theirs(problem, find_peer("PyVRP"), 2, 600.0, folder)
    outcome = theirs.solve(seconds, 1)
    return outcome, judge(problem, "case", theirs, seconds, 1, outcome)


def tight_loads():
    """Fifteen stops in a square of 30 km; three vehicles can just take all."""
    rng = np.random.default_rng(11)
    points, shares = rng.random((16, 2)) * 30_000, [rng.random(5) + 0.2 for _ in range(3)]
    demands = rng.permutation(np.concatenate([np.floor(each / each.sum() * 990.99) for each in shares])).astype(int)
    return wt.VRP("tight", METRICS["EUCLIDEAN"], points, demands=np.append(0, demands), capacity=1001)


def test_an_answer_of_pyvrp_is_feasible_and_costed_by_the_problem(tmp_path):
    plain = wt.read("vrp:40:1")
    problem = wt.VRP(
        "limited", plain.metric, plain.points, demands=plain.demands, capacity=plain.capacity, max_distance=4000,
        service_times=np.append(0, np.full(39, 10)), fixed_cost=100,
    )  # fmt: skip
    outcome, run = answered(problem, tmp_path)
    assert run.note == "" and run.units == "as in the problem; travel times likewise"
    assert problem.check(outcome.solution).feasible and run.cost == problem.cost(outcome.solution)
    assert run.cost < 1.05 * wt.solve(problem, iterations=20_000, threads=1, device="cpu", seed=1).cost


def test_pyvrp_is_given_metres_as_metres_and_finds_what_it_finds_with_them(tmp_path):
    _, run = answered(tight_loads(), tmp_path)
    assert run.units == "as in the problem, rounded" and run.note == ""
    assert run.cost == pytest.approx(166_569, rel=1e-4)  # with metres times 27.4 it ends at 170,306, whatever its seed
