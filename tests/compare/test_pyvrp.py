"""PyVRP itself, as a peer: what it is given, and the judgement of its answers."""

from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from compare.answered import answered, dear_hours, fewer_first, found_here, on_a_line, tiny_fleets, two_windows
from timed_problems import timed_problem
from warptour.compare.peers.registry import find_peer
from warptour.compare.run import SolverOutcome, judge
from warptour.compare.theirs import Theirs
from warptour.model.metric import METRICS
from warptour.model.windows import TimeWindows

pyvrp = pytest.importorskip("pyvrp", reason="PyVRP is not installed")


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


@pytest.mark.parametrize("side", [1.0, 30_000.0])
def test_pyvrp_finds_on_15_stops_what_it_finds_called_directly(side, tmp_path):
    metres = tight_loads()
    problem = replace(metres, points=metres.points * (side / 30_000))
    places = [pyvrp.Location(*point) for point in metres.points]
    clients = [pyvrp.Client(node, [int(metres.demands[node])]) for node in range(1, 16)]
    table = np.rint(metres.distances(np.arange(16)[:, None], np.arange(16)[None, :])).astype(int)
    data = pyvrp.ProblemData(places, clients, [pyvrp.Depot(0)], [pyvrp.VehicleType(15, [1001])], [table], [table])
    direct = pyvrp.solve(data, pyvrp.stop.MaxIterations(2000), seed=1, collect_stats=False, display=False).best
    routes = [np.array([activity.idx + 1 for activity in route if activity.is_client()]) for route in direct.routes()]
    _, run = answered(problem, tmp_path)
    assert run.note == "" and run.cost == pytest.approx(problem.cost(routes), rel=1e-4)
    assert run.cost == pytest.approx(wt.solve(problem, device="cpu", threads=1).cost, rel=1e-4)


@pytest.mark.parametrize("seed", [0, 5, 7, 11, 12, 22])
def test_pyvrp_finds_the_best_routes_of_few_stops_with_windows(seed, tmp_path):
    problem = timed_problem(seed, 6)
    assert find_peer("PyVRP").refuses(problem) is None
    _, run = answered(problem, tmp_path)
    assert run.note == "" and run.cost == wt.solve(problem, iterations=5000, threads=1, device="cpu").cost


def test_pyvrp_serves_a_stop_in_one_of_its_windows(tmp_path):
    outcome, run = answered(two_windows(), tmp_path)
    assert run.cost == 20 and [route.tolist() for route in outcome.solution] == [[1, 2]]


def test_pyvrp_takes_fewer_vehicles_first(tmp_path):
    _, run = answered(fewer_first(), tmp_path)
    assert (run.routes, run.cost, run.note, run.curve) == (1, 64, "", [])


def test_pyvrp_pays_for_hours(tmp_path):
    _, run = answered(dear_hours(), tmp_path)
    assert (run.routes, run.cost) == (2, 28 + 1.5 * 28) and run.curve[-1][1] == run.cost


def test_an_answer_that_is_late_by_rounding_is_infeasible_and_said_so(tmp_path):
    problem = on_a_line([0, 5, 10], windows=[(0, 60), (0, 5), (0, 9)])
    theirs = Theirs(problem, find_peer("PyVRP"), 1, 60.0, tmp_path)
    run = judge(problem, "case", theirs, 1.0, 1, SolverOutcome([[1, 2]], 1.0, 1.0, 1.0))
    assert run.cost is None and run.note.startswith("infeasible: route 1 serves customer 2 1 late")


def with_choices(**options):
    """Twelve stops in a square, some of which may stay unserved."""
    rng = np.random.default_rng(8)
    points, demands = rng.integers(0, 100, (13, 2)), np.append(0, rng.integers(1, 5, 12))
    plain = wt.VRP("choices", METRICS["EUC_2D"], points, demands=demands, capacity=12)
    return replace(plain, **options)


ONES = np.append(0, np.ones(12, np.int64))
FEWER = ONES * (np.arange(13) % 3 == 0)
"""Where goods are picked up."""


@pytest.mark.parametrize(
    "options",
    [
        {"prizes": np.where(np.arange(13) % 3, 40.0, np.inf)},
        {"alternatives": (wt.Alternatives((1, 2, 3)), wt.Alternatives((5, 9), required=False))},
        {"prizes": np.full(13, 35.0), "vehicles": 2, "fixed_cost": 10},
        {"releases": np.array([0, *range(0, 120, 10)]), "hour_cost": 0.5, "windows": TimeWindows.always(13)},
        {"pickups": np.arange(13) % 4},
        {"pickups": 3 * FEWER, "demands": 3 * (ONES - FEWER), "backhauls": "last"},
        {"pickups": 2 * FEWER, "demands": 3 * (ONES - FEWER), "backhauls": "after-deliveries"},
    ],
)
def test_pyvrp_is_given_prizes_alternatives_releases_and_pickups(options, tmp_path):
    problem = with_choices(**options)
    outcome, run = answered(problem, tmp_path)
    assert problem.check(outcome.solution).feasible
    assert run.cost == pytest.approx(problem.cost(outcome.solution))
    ours = wt.solve(problem, iterations=20_000, threads=1)
    assert ours.cost == pytest.approx(run.cost, rel=0.005)


def test_pyvrp_finds_good_routes_of_tiny_fleets(tmp_path):
    for problem, best in tiny_fleets("PyVRP", 8):
        cost, faults = found_here(problem, tmp_path, "PyVRP", 300)
        assert not faults and cost == pytest.approx(best), problem
