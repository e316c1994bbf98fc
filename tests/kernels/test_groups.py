"""Groups run side by side, each once, until they are told that there is no time left."""

from __future__ import annotations

from threading import Event, Lock

import pytest

from warptour.kernels import groups
from warptour.kernels.groups import Unfinished, run_groups


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_group_runs_once(threads: int) -> None:
    done: list[tuple[int, int, str]] = []
    run_groups(lambda *call: done.append(call), 20, threads, "argument", over=lambda: False)
    assert sorted(done) == [(group, 20, "argument") for group in range(20)]


def test_once_it_is_over_no_group_is_begun() -> None:
    done: list[int] = []
    with pytest.raises(Unfinished):
        run_groups(lambda group, groups: done.append(group), 100, 1, over=lambda: len(done) > 5)
    assert done == list(range(6))


def test_groups_that_have_begun_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "usable_cores", lambda: 3)
    asked, begun, ended = Event(), [], []

    def call(group: int, groups: int) -> None:
        begun.append(group)
        asked.wait()
        ended.append(group)

    def over() -> bool:
        asked.set()
        return True

    with pytest.raises(Unfinished):
        run_groups(call, 100, 3, over=over)
    assert sorted(begun) == sorted(ended)


def test_no_more_threads_than_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "usable_cores", lambda: 2)
    lock, busy, most = Lock(), [0], [0]

    def call(group: int, groups: int) -> None:
        with lock:
            busy[0] += 1
            most[0] = max(most[0], busy[0])
        with lock:
            busy[0] -= 1

    run_groups(call, 200, 64)
    assert most[0] <= 2


def test_what_a_group_raises_comes_out() -> None:
    def call(group: int, groups: int) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        run_groups(call, 8, 2)
