"""Arrays that a program shares with a search: whatever it writes, kernels see what was checked."""

import subprocess
import sys

import numpy as np
import pytest

import warptour as wt
from warptour.observe.events import Population

HOSTILE = """
import numpy as np, warptour as wt
tried = written = 0
def spoil(array):
    global tried, written
    for way in (lambda: array.__setitem__(Ellipsis, 10**9), lambda: array.base.__setitem__(0, 10**9),
                lambda: array.flags.__setattr__("writeable", True), lambda: array.setflags(write=True),
                lambda: array.view().setflags(write=True), lambda: array[:1].setflags(write=True)):
        tried += 1
        try:
            way()
            written += 1
            array[...] = 10**9
        except (ValueError, TypeError, AttributeError):
            pass
def seen(cost, tour):
    for array in tour if isinstance(tour, list) else [tour]:
        spoil(array)
def hear(event):
    if isinstance(event, wt.Improved):
        seen(event.state.cost, event.solution)
for problem in (wt.generate("uniform", 300, 1), wt.generate("vrp", 60, 1)):
    for name in ("points", "demands", "service_times"):
        spoil(getattr(problem, name, problem.points))
    result = wt.solve(problem, iterations=3000, patience=9, threads=2, on_improvement=seen, listeners=[hear])
    assert wt.check(problem, result).feasible
print(tried > 100, written)
"""


def test_no_listener_can_change_what_the_search_goes_on_from():
    done = subprocess.run([sys.executable, "-c", HOSTILE], capture_output=True, text=True, timeout=900, check=False)
    assert (done.returncode, done.stdout) == (0, "True 0\n"), done.stderr


def test_a_problem_keeps_what_was_checked_when_its_arrays_are_written_later():
    points, edges = np.random.default_rng(1).random((40, 2)), np.array([[0, 1]], np.int32)
    matrix = np.rint(np.random.default_rng(2).random((9, 9)) * 100).astype(np.int64)
    demands, services = np.array([0] + [1] * 39), np.ones(40)
    problems = [
        wt.TSP.from_points(points, fixed_edges=edges),
        wt.TSP("given", wt.TSP.from_points(points).metric, points, display=points),
        wt.TSP.from_matrix(matrix),
        wt.VRP("given", wt.TSP.from_points(points).metric, points, demands=demands, capacity=9, service_times=services),
    ]
    names = ("points", "display", "fixed_edges", "demands", "service_times")
    arrays = [getattr(problem, name, None) for problem in problems for name in names]
    before = [None if array is None else array.copy() for array in arrays]
    for array in (points, edges, matrix, demands, services):
        array[...] = 77
    for array, copy in zip(arrays, before, strict=True):
        assert array is None or np.array_equal(array, copy)


def test_read_only_arrays_are_shared():
    points = np.random.default_rng(1).random((40, 2))
    points.flags.writeable = False
    assert np.shares_memory(wt.TSP.from_points(points).points, points)


@pytest.mark.parametrize("problem", [wt.generate("uniform", 500, 1), wt.generate("vrp", 60, 1)], ids=["tsp", "vrp"])
def test_populations_are_read_only(problem):
    heard = []

    def hear(event):
        if isinstance(event, Population) and not heard:
            heard.extend(event.solutions(0))
        return not heard

    wt.solve(problem, seconds=60, threads=1, listeners=[hear])
    arrays = [array for one in heard for array in (one if isinstance(one, list) else [one])]
    assert arrays
    for array in arrays:
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
