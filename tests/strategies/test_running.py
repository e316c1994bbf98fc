"""What a run leaves behind when something fails in its middle."""

from __future__ import annotations

import json

import pytest

import warptour as wt
from warptour.devices import DeviceError
from warptour.tours.starts.start import start as first_tour


class Failing(wt.Strategy):
    """A strategy that finds a tour, kicks once, and fails."""

    name, iteration = "failing", "kicks"

    def __init__(self, error):
        self.error = error

    def refuses(self, problem):
        return None

    def runs_on(self, problem):
        return ("cpu", "cuda", "opencl")

    def run(self, search):
        search.offer(first_tour(search.problem, "greedy"))
        search.count(1)
        raise self.error


class DriverError(RuntimeError):
    """As drivers raise them."""

    __module__ = "cupy_backends.cuda.api.runtime"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "not enough memory"),
        (RuntimeError("can't start new thread"), "no more threads"),
        (DeviceError("cuda:0 has no room"), "cuda:0 has no room"),
        (DriverError("unspecified launch failure"), "launch failure"),
        (OSError(24, "Too many open files"), "Too many open files"),
    ],
    ids=repr,
)
def test_a_shortage_in_mid_search_costs_no_tour(tmp_path, error, words):
    problem = wt.read("uniform:60:1")
    with pytest.warns(RuntimeWarning, match=words):
        result = wt.solve(problem, Failing(error), device="cpu", trace=tmp_path / "t", checkpoint=tmp_path / "c")
    assert words in result.shortage and wt.check(problem, result).feasible and result.unwritten == ()
    assert json.loads((tmp_path / "t").read_text().splitlines()[-1])["cost"] == result.cost
    assert wt.solve(problem, iterations=0, resume=tmp_path / "c").cost <= result.cost


def test_a_driver_that_fails_is_left_for_the_cpu_if_nobody_asked_for_it():
    class Once(Failing):
        def run(self, search):
            if self.error:
                error, self.error = self.error, None
                raise error
            search.offer(first_tour(search.problem, "greedy"))

    result = wt.solve(wt.read("uniform:60:1"), Once(DriverError("unspecified launch failure")))
    assert result.shortage is None and result.feasible


def test_a_fault_in_mid_search_is_raised_with_the_result():
    problem = wt.read("uniform:60:1")
    with pytest.raises(wt.SearchFailed) as caught:
        wt.solve(problem, Failing(IndexError("oops")))
    assert wt.check(problem, caught.value.result).feasible
    assert isinstance(caught.value.__cause__, IndexError) and caught.value.__cause__.__traceback__ is not None


def test_without_a_tour_the_shortage_is_raised():
    class Empty(Failing):
        def run(self, search):
            raise self.error

    with pytest.raises(MemoryError):
        wt.solve(wt.read("uniform:60:1"), Empty(MemoryError()))
