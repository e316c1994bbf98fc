"""Kernels that take long to compile are mentioned, once."""

from __future__ import annotations

import pytest

from warptour.devices.cpu import Cpu
from warptour.io import generate
from warptour.observe.events import Event, Note
from warptour.search.search import Search
from warptour.search.stop import Seconds


@pytest.mark.parametrize(("seconds", "notes"), [(0.5, 0), (2.4, 1)])
def test_a_slow_compilation_is_told_once(seconds: float, notes: int) -> None:
    class Compiled(Cpu):
        name = "gpu:0"
        compile_seconds = 0.0

    heard: list[Event] = []
    device = Compiled(1)
    search = Search(generate("uniform", 20, 1), Seconds(100), device=device, listeners=[heard.append])
    assert not search.over()
    device.compile_seconds = seconds
    assert not search.over() and not search.over()
    told = [event.text for event in heard if isinstance(event, Note)]
    assert len(told) == notes
    assert all("in 2 s; later runs find them in the cache" in text for text in told)
