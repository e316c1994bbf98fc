"""A pool makes do with the threads that the system starts, ends them, and one call that fails ends the others."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

import warptour as wt
from warptour.kernels import groups
from warptour.search.threads import ThreadPool

Limit = Callable[[int], None]
FEWER = pytest.mark.filterwarnings("ignore:the system starts no more threads:RuntimeWarning")


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Limit:
    """Let no more than so many threads be started from here on."""
    begin = threading._start_new_thread  # type: ignore[attr-defined]
    groups._warn_of_fewer.cache_clear()

    def limit(most: int) -> None:
        def start(*arguments: object) -> int:
            nonlocal most
            if most == 0:
                raise RuntimeError("can't start new thread")
            most -= 1
            return int(begin(*arguments))

        monkeypatch.setattr(threading, "_start_new_thread", start)

    return limit


@FEWER
@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_pool_makes_do_with_fewer_threads(limit: Limit, most: int) -> None:
    limit(most)
    done: list[int] = []
    with ThreadPool(4) as pool:
        assert pool.threads == 4
        assert pool.map(lambda x: x * x, range(10)) == [x * x for x in range(10)]
        pool.work(lambda item, halted: done.append(item), range(10), lambda: False)
    assert sorted(done) == list(range(10))


@FEWER
@pytest.mark.parametrize("most", [0, 1])
def test_groups_of_a_kernel_run_on_fewer_threads(limit: Limit, most: int) -> None:
    limit(most)
    seen: list[int] = []
    groups.run_groups(lambda group, groups: seen.append(group), 7, 4)
    assert sorted(seen) == list(range(7))


@FEWER
@pytest.mark.parametrize("strategy", ["windows", "ils", "vns", "hill"])
def test_the_tour_is_the_same_with_fewer_threads(limit: Limit, strategy: str) -> None:
    problem = wt.read("uniform:300:1")
    tour = wt.solve(problem, strategy, iterations=200, threads=3).tour
    limit(0)
    again = wt.solve(problem, strategy, iterations=200, threads=3)
    assert np.array_equal(again.tour, tour) and again.shortage is None


def test_that_is_said_once(limit: Limit) -> None:
    limit(0)
    with pytest.warns(RuntimeWarning, match="no more threads") as told:
        assert [groups.start_pool(4) for _ in range(3)] == [None] * 3
    assert len(told) == 1


def test_one_that_fails_ends_the_others() -> None:
    begun = threading.Barrier(2)

    def work(item: int, halted: Callable[[], bool]) -> None:
        begun.wait()
        if item == 0:
            raise MemoryError
        while not halted():
            pass

    with ThreadPool(2) as pool, pytest.raises(MemoryError):
        pool.work(work, range(2), lambda: False)


@pytest.mark.threads
@pytest.mark.parametrize("strategy", ["windows", "ils", "vns", "hill", "restarts", "symmetric"])
def test_no_thread_outlives_its_run(strategy: str) -> None:
    before = set(threading.enumerate())
    wt.solve(wt.read("uniform:300:1"), strategy, iterations=50, threads=3, device="cpu")
    assert set(threading.enumerate()) <= before


def test_pools_beside_a_pool_end_with_it() -> None:
    before = set(threading.enumerate())
    with ThreadPool(2) as pool:
        pool.beside(2).map(abs, range(9))
        assert pool.start(lambda: 7).result() == 7
        assert len(set(threading.enumerate()) - before) > 2
    assert set(threading.enumerate()) <= before


def test_an_error_in_every_call_ends_the_work() -> None:
    def fail(item: int, halted: Callable[[], bool]) -> None:
        raise MemoryError

    with ThreadPool(2) as pool, pytest.raises(MemoryError):
        pool.work(fail, range(50), lambda: False)
