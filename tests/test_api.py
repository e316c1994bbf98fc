"""The package as a Python user meets it."""

import json
import os
import signal
import threading

import numpy as np
import pytest

import warptour as wt
from warptour.observe.events import Tick

POINTS = np.random.default_rng(5).random((80, 2))
QUICK = {"seconds": 0.2}


def is_permutation(tour, n):
    return tour.dtype == np.int32 and sorted(tour.tolist()) == list(range(n))


def test_the_readme_lines():
    problem = wt.read("uniform:300:1")
    result = wt.solve(problem, seconds=0.5, seed=1)
    assert result.cost == problem.cost(result.tour) and result.gap is None
    assert is_permutation(result.tour, 300)
    assert result.strategy == wt.solve(problem, **QUICK).strategy


def test_points_in_permutation_out():
    assert is_permutation(wt.solve_points(POINTS, **QUICK), 80)
    assert is_permutation(wt.solve_points(POINTS.tolist(), **QUICK), 80)
    assert is_permutation(wt.solve_points(POINTS * 40, latlon=True, **QUICK), 80)
    assert is_permutation(wt.solve_points(POINTS * 1000, metric="MAN_2D", **QUICK), 80)
    assert is_permutation(wt.solve_points(np.random.default_rng(1).random((50, 3)), **QUICK), 50)


def test_an_open_path_between_two_points():
    tour = wt.solve_points(POINTS, open=True, first=3, last=7, **QUICK)
    assert is_permutation(tour, 80) and tour[0] == 3 and tour[-1] == 7


def test_a_matrix_in_a_permutation_out():
    gap = np.abs(POINTS[:, None, 0] - POINTS[None, :, 0])
    tour = wt.solve_matrix(gap, **QUICK)
    assert is_permutation(tour, 80)
    assert wt.TSP.from_matrix(gap).cost(tour) == pytest.approx(2 * np.ptp(POINTS[:, 0]), rel=0.05)


@pytest.mark.parametrize("n", range(1, 12))
def test_small_inputs(n):
    assert is_permutation(wt.solve_points(POINTS[:n], **QUICK), n)


def test_duplicates_and_lines():
    assert is_permutation(wt.solve_points(np.ones((30, 2)), **QUICK), 30)
    line = np.column_stack((np.arange(30), np.zeros(30)))
    tour = wt.solve_points(line, **QUICK)
    assert wt.TSP("line", wt.METRICS["EUCLIDEAN"], line).cost(tour) == 58


@pytest.mark.parametrize(
    "bad",
    [[], [[1, 2], [3]], [["a", "b"]], [[1.0, np.nan]], np.zeros((3, 4)), np.zeros(5), [[1e300, 0], [0, 0]], None],
    ids=repr,
)
def test_points_that_are_none(bad):
    with pytest.raises(wt.WarptourError):
        wt.solve_points(bad, **QUICK)


def test_a_matrix_that_is_asymmetric_or_not_square():
    with pytest.raises(wt.InputError, match="asymmetric"):
        wt.solve_matrix([[0, 1], [2, 0]])
    with pytest.raises(wt.InputError, match="square"):
        wt.solve_matrix(np.zeros((3, 4)))


def test_strategies_by_name_and_as_objects():
    problem = wt.read("uniform:60:1")
    assert wt.solve(problem, "hill", **QUICK).strategy == "hill"
    assert wt.solve(problem, wt.IteratedLocalSearch(), **QUICK).strategy == "ils"
    with pytest.raises(wt.UsageError, match="there are"):
        wt.solve(problem, "magic")


def test_a_strategy_that_cannot_says_so():
    with pytest.raises(wt.UnsupportedError):
        wt.solve(wt.generate("vrp", 20, 1), "ils", **QUICK)
    with pytest.raises(wt.UnsupportedError):
        wt.solve(wt.read("uniform:60:1"), "routes", **QUICK)


@pytest.mark.parametrize(
    "options",
    [
        {"seconds": -1},
        {"iterations": -1},
        {"threads": 0},
        {"seed": -1},
        {"device": "cuda:99"},
        {"start": "nonsense"},
        {"start": [0, 1, 2]},
        {"start": [0] * 60},
        {"start": [0.5] * 60},
        {"start": [[0, 1], [2]]},
        {"resume": "nowhere"},
        {"start": "greedy", "resume": "nowhere"},
        {"trace": "nowhere/at/all"},
        {"checkpoint": "nowhere/at/all"},
    ],
    ids=str,
)
def test_options_that_make_no_sense(options):
    with pytest.raises(wt.WarptourError) as caught:
        wt.solve(wt.read("uniform:60:1"), **({"seconds": 0.1} | options))
    assert "\n" not in str(caught.value)


def test_stop_rules_combine():
    problem = wt.read("uniform:200:1")
    assert wt.solve(problem, stop=wt.Seconds(60) | wt.Target(1e12)).seconds < 30
    assert wt.solve(problem, stop=wt.Iterations(10), threads=1).iterations <= 1000
    assert wt.solve(problem, seconds=60, stop=wt.NoImprovement(0.3)).seconds < 30


def test_the_same_seed_and_iterations_give_the_same_tour():
    problem = wt.read("uniform:2000:1")
    a, b, c = (wt.solve(problem, iterations=300, threads=2, seed=seed) for seed in (4, 4, 5))
    assert a.tour.tolist() == b.tour.tolist() != c.tour.tolist()


def test_a_start_is_never_made_worse():
    problem = wt.read("uniform:200:1")
    good = wt.solve(problem, seconds=0.5)
    for start in (good, good.tour, good.tour.tolist()):
        assert wt.solve(problem, iterations=0, start=start).cost <= good.cost


def test_a_callback_sees_each_improvement_and_can_stop_the_search():
    seen = []

    def look(cost, tour):
        seen.append(cost)
        assert wt.check(problem, tour).cost == cost
        return len(seen) < 2

    problem = wt.read("uniform:500:1")
    result = wt.solve(problem, seconds=60, start="random", on_improvement=look)
    assert result.seconds < 30 and result.cost == seen[-1]
    assert seen == sorted(seen, reverse=True)


def test_a_listener_hears_ticks_and_can_stop_the_search():
    problem = wt.read("uniform:500:1")
    result = wt.solve(problem, seconds=60, listeners=[lambda event: not isinstance(event, Tick)])
    assert result.seconds < 30 and not result.interrupted


def test_trace_and_checkpoint_from_python(tmp_path):
    problem = wt.read("uniform:200:1")
    first = wt.solve(problem, **QUICK, trace=tmp_path / "t.jsonl", checkpoint=tmp_path / "c")
    assert json.loads((tmp_path / "t.jsonl").read_text().splitlines()[-1])["cost"] == first.cost
    again = wt.solve(problem, iterations=0, resume=tmp_path / "c")
    assert again.cost == first.cost


def test_ctrl_c_returns_the_best_so_far():
    problem = wt.read("uniform:500:1")
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = wt.solve(problem, seconds=60)
    timer.join()
    assert result.interrupted and result.seconds < 30 and wt.check(problem, result).feasible
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_solving_in_a_thread():
    results = []
    problem = wt.read("uniform:60:1")
    thread = threading.Thread(target=lambda: results.append(wt.solve(problem, **QUICK)))
    thread.start()
    thread.join()
    assert wt.check(problem, results[0]).feasible


def test_vehicles(tmp_path):
    problem = wt.generate("vrp", 40, 2)
    result = wt.solve(problem, **QUICK)
    assert result.feasible and result.cost == problem.cost(result.routes)
    assert problem.split_giant_tour(result.tour)[0].tolist() == result.routes[0].tolist()
    wt.write(tmp_path / "a.sol", problem, result)
    assert wt.check(problem, tmp_path / "a.sol").cost == result.cost
    again = wt.solve(problem, iterations=0, start=tmp_path / "a.sol")
    assert again.cost <= result.cost


def test_an_infeasible_instance_is_proved_so_before_the_search():
    demands = np.array([0, 3, 9])
    problem = wt.VRP("v", wt.METRICS["EUC_2D"], np.array([[0, 0], [1, 1], [2, 2]]), demands=demands, capacity=5)
    with pytest.raises(wt.InfeasibleError, match="customer 3"):
        wt.solve(problem)


def test_check_and_write_take_what_solve_returns(tmp_path):
    problem = wt.read("uniform:60:1")
    result = wt.solve(problem, **QUICK)
    for suffix in (".tour", ".csv", ".geojson"):
        wt.write(tmp_path / f"a{suffix}", problem, result)
        assert wt.check(problem, tmp_path / f"a{suffix}").cost == result.cost
    report = wt.check(problem, result.tour[:-1])
    assert not report.feasible and "not visited" in report.violations[0]


def test_a_bound_gives_a_gap():
    result = wt.solve(wt.read("uniform:60:1"), **QUICK, lower_bound=1e6)
    assert result.bound_gap == pytest.approx(100 * (result.cost - 1e6) / 1e6)
