"""The package as a Python user meets it."""

import json
import signal
import threading

import numpy as np
import pytest

import warptour as wt
from warptour.observe.events import Improved, Tick

POINTS = np.random.default_rng(5).random((80, 2))
QUICK = {"iterations": 1000}
ENDLESS = {"iterations": 10**12}


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
    with pytest.warns(wt.InputWarning, match="look like longitude and latitude"):
        assert is_permutation(wt.solve_points(POINTS + np.array([52, 13]), iterations=1), 80)
    assert is_permutation(wt.solve_points(POINTS + np.array([52, 13]), latlon=False, iterations=1), 80)
    assert is_permutation(wt.solve_points(POINTS + np.array([52, 13]), metric="MAN_2D", iterations=1), 80)
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


def test_a_matrix_that_is_not_square():
    with pytest.raises(wt.InputError, match="square"):
        wt.solve_matrix(np.zeros((3, 4)))


def test_a_matrix_as_libraries_compute_it():
    """The halves differ in the last bit, and the distance to oneself is infinite."""
    square = (POINTS**2).sum(axis=1)
    matrix = np.sqrt(np.maximum(square[:, None] - 2 * (POINTS @ POINTS.T) + square[None, :], 0))
    matrix = np.triu(matrix) + np.tril(np.nextafter(matrix, np.inf), -1)
    np.fill_diagonal(matrix, np.inf)
    assert is_permutation(wt.solve_matrix(matrix, iterations=1), 80)


@pytest.mark.parametrize("thing", [POINTS, POINTS.tolist(), "a.tsp", None])
def test_what_is_no_problem(thing):
    with pytest.raises(wt.UsageError, match=r"a problem is a TSP or VRP.*solve_points"):
        wt.solve(thing)
    with pytest.raises(wt.UsageError, match="a problem is"):
        wt.check(thing, [0, 1, 2])
    with pytest.raises(wt.UsageError, match="a problem is"):
        wt.write("a.tour", thing, [0, 1, 2])


@pytest.mark.parametrize("words", [(10.5, 1), ("9", 1), (9, None), (9, 1.5), (9, -1)])
def test_instances_that_cannot_be_generated(words):
    with pytest.raises(wt.UsageError):
        wt.generate("uniform", *words)


@pytest.mark.parametrize("source", [5, None, POINTS, b"a.tsp"])
def test_what_cannot_be_read(source):
    with pytest.raises(wt.UsageError, match="from a path or a word"):
        wt.read(source)


def test_a_seed_that_is_drawn_is_reported():
    problem = wt.read("uniform:60:1")
    first, second = (wt.solve(problem, "ils", seed=None, iterations=50, threads=1) for _ in range(2))
    assert first.seed != second.seed
    again = wt.solve(problem, "ils", seed=first.seed, iterations=50, threads=1)
    assert again.tour.tolist() == first.tour.tolist()
    assert wt.solve(problem, seed=np.int64(7), iterations=1).seed == 7


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
        {"seed": 1.5},
        {"seed": "1"},
        {"seconds": "1"},
        {"iterations": 1.5},
        {"target": float("nan")},
        {"target": "low"},
        {"threads": 1.5},
        {"device": 0},
        {"strategy": 5},
        {"start": [-(2**63), *range(1, 60)]},
        {"resume": "nowhere", "checkpoint": "elsewhere"},
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
    assert wt.solve(problem, stop=wt.Iterations(10**12) | wt.Target(1e12)).iterations < 10**12
    assert wt.solve(problem, stop=wt.Iterations(10), threads=1).iterations <= 1000
    assert wt.solve(problem, **ENDLESS, stop=wt.NoImprovement(0.3)).iterations < 10**12


def test_the_same_seed_and_iterations_give_the_same_tour():
    problem = wt.read("uniform:2000:1")
    a, b, c = (wt.solve(problem, iterations=300, threads=2, seed=seed) for seed in (4, 4, 5))
    assert a.tour.tolist() == b.tour.tolist() != c.tour.tolist()


def test_a_start_is_never_made_worse():
    problem = wt.read("uniform:200:1")
    good = wt.solve(problem, **QUICK)
    for start in (good, good.tour, good.tour.tolist()):
        assert wt.solve(problem, iterations=0, start=start).cost <= good.cost


def test_a_callback_sees_each_improvement_and_can_stop_the_search():
    seen = []

    def look(cost, tour):
        seen.append(cost)
        assert wt.check(problem, tour).cost == cost
        return len(seen) < 2

    problem = wt.read("uniform:500:1")
    result = wt.solve(problem, **ENDLESS, start="random", on_improvement=look)
    assert result.iterations < 10**12 and result.cost == seen[-1]
    assert seen == sorted(seen, reverse=True)


def test_a_listener_hears_ticks_and_can_stop_the_search():
    problem = wt.read("uniform:500:1")
    result = wt.solve(problem, **ENDLESS, listeners=[lambda event: not isinstance(event, Tick)])
    assert result.iterations < 10**12 and not result.interrupted


@pytest.mark.parametrize("kind", ["uniform", "vrp"])
@pytest.mark.parametrize("harm", ["sort", "fill"])
def test_callbacks_and_listeners_cannot_change_the_solution(kind, harm):
    problem = wt.generate(kind, 60, 1)
    refused = []

    def harmful(cost, solution):
        for array in solution if isinstance(solution, list) else [solution]:
            with pytest.raises(ValueError, match="read-only"):
                array.sort() if harm == "sort" else array.fill(0)
            refused.append(cost)
        if isinstance(solution, list):
            solution.clear()

    def listener(event):
        if isinstance(event, Improved):
            harmful(event.state.cost, event.solution)

    result = wt.solve(problem, **QUICK, on_improvement=harmful, listeners=[listener])
    assert refused and result.feasible and wt.check(problem, result).cost == result.cost


@pytest.mark.parametrize("no", [False, np.False_, np.bool_(0)], ids=repr)
def test_any_false_of_a_callback_ends_the_search(no):
    calls = []

    def look(cost, tour):
        calls.append(cost)
        return no

    result = wt.solve(wt.read("uniform:200:1"), "hill", iterations=10**12, start="random", on_improvement=look)
    assert calls == [result.cost] and not result.interrupted


@pytest.mark.parametrize("answer", [None, 0, True, np.True_, [], "False"], ids=repr)
def test_nothing_else_does(answer):
    calls = []

    def look(cost, tour):
        calls.append(cost)
        return answer

    wt.solve(wt.read("uniform:200:1"), "hill", iterations=10**12, start="random", on_improvement=look)
    assert len(calls) > 1


@pytest.mark.parametrize("error", [ValueError("mine"), OSError(28, "mine"), wt.UsageError("mine")], ids=repr)
def test_what_a_callback_raises_is_raised_and_the_checkpoint_kept(tmp_path, error):
    problem = wt.read("uniform:60:1")
    seen = []

    def look(cost, tour):
        seen.append(cost)
        raise error

    with pytest.raises(type(error), match="mine"):
        wt.solve(problem, seconds=60, on_improvement=look, checkpoint=tmp_path / "c")
    assert wt.solve(problem, iterations=0, resume=tmp_path / "c").cost <= seen[-1]


def test_trace_and_checkpoint_from_python(tmp_path):
    problem = wt.read("uniform:200:1")
    first = wt.solve(problem, **QUICK, trace=tmp_path / "t.jsonl", checkpoint=tmp_path / "c")
    assert json.loads((tmp_path / "t.jsonl").read_text().splitlines()[-1])["cost"] == first.cost
    again = wt.solve(problem, iterations=0, resume=tmp_path / "c")
    assert again.cost == first.cost


def test_ctrl_c_returns_the_best_so_far():
    problem = wt.read("uniform:500:1")
    pressed = []

    def press(event):
        if isinstance(event, Improved) and not pressed:
            pressed.append(event)
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = wt.solve(problem, **ENDLESS, listeners=[press])
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.interrupted and wt.check(problem, result).feasible


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
    with pytest.raises(wt.InfeasibleError, match="customer 2"):
        wt.solve(problem)


def test_check_and_write_take_what_solve_returns(tmp_path):
    problem = wt.read("uniform:60:1")
    result = wt.solve(problem, **QUICK)
    for suffix in (".tour", ".csv", ".geojson"):
        wt.write(tmp_path / f"a{suffix}", problem, result)
        assert wt.check(problem, tmp_path / f"a{suffix}").cost == result.cost
    report = wt.check(problem, result.tour[:-1])
    assert not report.feasible and "not visited" in report.violations[0]


@pytest.mark.parametrize("node", [-(2**63), 2**63 - 1, 2**31 - 1, -(2**31)])
def test_numbers_that_are_no_nodes(node):
    problem = wt.read("uniform:3:1")
    with pytest.raises(wt.InputError, match=f"a tour holds {node}, which is no node"):
        wt.check(problem, np.array([0, 1, node]))


def test_only_tours_are_written(tmp_path):
    problem = wt.read("uniform:60:1")
    for bad in ([0] * 60, list(range(59)), [*range(59), 60], "abc", 7, None):
        with pytest.raises(wt.InputError):
            wt.write(tmp_path / "a.tour", problem, bad)
    with pytest.raises(wt.InputError):
        wt.check(wt.generate("vrp", 5, 1), 7)
    assert not list(tmp_path.iterdir())


def test_an_open_path_in_a_file_is_no_closed_tour(tmp_path):
    path = wt.TSP("p", wt.METRICS["EUCLIDEAN"], POINTS, open=True, first=3)
    result = wt.solve(path, iterations=1)
    wt.write(tmp_path / "a.tour", path, result)
    assert wt.check(path, tmp_path / "a.tour").cost == result.cost
    assert "open path" in wt.check(wt.TSP("p", wt.METRICS["EUCLIDEAN"], POINTS), tmp_path / "a.tour").violations[0]


def test_nothing_feasible_is_an_error_that_holds_the_closest_miss(tmp_path):
    """Three customers of which no two share a vehicle, and two vehicles."""
    problem = wt.VRP(
        "three", wt.METRICS["EUC_2D"], np.array([[0, 0], [1, 1], [2, 2], [3, 1]]),
        demands=np.array([0, 3, 3, 3]), capacity=5, vehicles=2,
    )  # fmt: skip
    seen = []
    with pytest.raises(wt.NothingFound, match="the closest miss: 3 routes, 1 more than the vehicles") as caught:
        wt.solve(problem, "routes", iterations=500, checkpoint=tmp_path / "c", on_improvement=lambda *n: seen.append(n))
    result = caught.value.result
    assert not result.feasible and len(result.routes) == 3 and result.cost == problem.cost(result.routes)
    assert seen == [] and not (tmp_path / "c").exists(), "a miss is no improvement to go on from"


def test_a_run_may_resume_its_own_checkpoint_from_the_first_time_on(tmp_path):
    problem = wt.read("uniform:60:1")
    own = {"checkpoint": tmp_path / "c", "resume": f"{tmp_path}/./c"}
    first = wt.solve(problem, iterations=5, **own)
    assert wt.solve(problem, iterations=0, **own).cost <= first.cost
    (tmp_path / "c").write_text("damaged")
    with pytest.raises(wt.InputError, match="damaged"):
        wt.solve(problem, iterations=0, **own)


def test_a_bound_gives_a_gap():
    result = wt.solve(wt.read("uniform:60:1"), **QUICK, lower_bound=1e6)
    assert result.bound_gap == pytest.approx(100 * (result.cost - 1e6) / 1e6)


@pytest.mark.parametrize("seed", range(5))
def test_an_unrounded_cost_is_that_of_the_tour_to_the_last_digit(seed: int) -> None:
    problem = wt.TSP("floats", wt.METRICS["EUCLIDEAN"], np.random.default_rng(seed).random((200, 2)))
    result = wt.solve(problem, iterations=200, seed=seed, threads=1)
    assert result.cost == problem.cost(result.tour)


def test_an_argument_that_solve_does_not_have_is_named() -> None:
    with pytest.raises(TypeError, match=r"solve\(\) got an unexpected keyword argument 'second'"):
        wt.solve(wt.generate("uniform", 20, 1), second=1)  # type: ignore[call-arg]
