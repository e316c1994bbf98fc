"""The bar of roads: on a terminal, and only where something takes long."""

from __future__ import annotations

import io

import pytest

from warptour.observe import road_progress as bars
from warptour.observe.road_progress import road_progress
from warptour.roads.told import LISTENER


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told() -> None:
    report = LISTENER.get()
    if report is not None:
        report("reading ways", 20_000, 0)
        report("contracting", 5, 10)
        report("contracting", 10, 10)


def test_a_terminal_is_shown_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "FIRST", 0.0)
    stream = Terminal()
    with road_progress(stream):
        told()
    assert "contracting" in stream.getvalue() and "10/10" in stream.getvalue()
    assert LISTENER.get() is None


def test_what_is_quick_is_not_shown() -> None:
    stream = Terminal()
    with road_progress(stream):
        told()
    assert stream.getvalue() == ""


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_elsewhere_there_is_no_bar(stream: io.StringIO | None) -> None:
    with road_progress(stream):
        assert LISTENER.get() is None


def test_the_bar_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "FIRST", 0.0)

    def interrupted(*step: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bars._Bar, "report", interrupted)
    with pytest.raises(KeyboardInterrupt), road_progress(Terminal()):
        told()
    assert LISTENER.get() is None
