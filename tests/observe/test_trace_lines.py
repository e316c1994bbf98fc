"""Traces are read as far as they go: growing, cut off, of the version before."""

from __future__ import annotations

import pytest

from warptour.observe.trace_lines import Point, TraceLines, points, read_trace

OLD = (
    '{"t": 0.5, "cost": 20, "iterations": 1}\n'
    '{"t": 1.0, "workers": [{"name": "process 0", "device": "cpu", "rate": 1.0, "gain": 3, "status": "working"}]}\n'
    '{"t": 2.0, "cost": 10, "iterations": 5, "lower_bound": 8, "bound_gap": 25.0}\n'
)
NEW = (
    '{"event": "begin", "t": 0, "version": 2, "name": "five"}\n'
    '{"event": "improvement", "t": 0.5, "cost": 20, "iterations": 1}\n'
    '{"event": "of the future", "t": 0.6}\n'
    '{"event": "step", "t": 0.7, "of": "round", "number": 3, "facts": {"gain": 2.5}}\n'
    '{"event": "end", "t": 1, "cost": null}\n'
)


def test_a_trace_of_before_opens(tmp_path):
    path = tmp_path / "old.jsonl"
    path.write_text(OLD)
    trace = TraceLines(path)
    assert trace.grow() == 3 and trace.error is None
    assert [line["event"] for line in trace.lines] == ["improvement", "workers", "improvement"]
    assert trace.begin is None and not trace.ended
    assert points(trace.lines) == read_trace(path) == [Point(0.5, 20.0), Point(2.0, 10.0, 8.0)]


def test_a_trace_is_followed_while_it_grows(tmp_path):
    path = tmp_path / "run.jsonl"
    trace = TraceLines(path)
    assert trace.grow() == 0 and trace.error is None
    for size in range(len(NEW) + 1):
        path.write_text(NEW[:size])
        trace.grow()
        assert trace.error is None and len(trace.lines) <= NEW[:size].count("\n")
    assert [line["event"] for line in trace.lines] == ["begin", "improvement", "step", "end"]
    assert trace.begin is not None and trace.begin["name"] == "five" and trace.ended
    assert read_trace(path) == [Point(0.5, 20.0)]


@pytest.mark.parametrize(
    "bad",
    [
        "hello",
        "[1, 2]",
        '{"t": 1}',
        '{"t": "1", "cost": 2}',
        '{"t": true, "cost": 2}',
        '{"t": 1, "cost": NaN}',
        '{"t": 1, "cost": 1e999}',
        '{"t": 1, "cost": 2, "lower_bound": "x"}',
        '{"event": "step", "t": 1, "of": "round", "number": 1, "facts": {"gain": "<b>"}}',
        '{"event": "workers", "t": 1, "workers": [3]}',
        '{"event": "note", "t": 1, "text": 5}',
        '{"event": ["x"], "t": 1}',
        "[" * 100_000,
    ],
)
def test_a_line_that_is_none_is_named_and_what_was_before_remains(tmp_path, bad):
    path = tmp_path / "run.jsonl"
    path.write_text(NEW.splitlines()[1] + "\n" + bad + "\n" + NEW)
    trace = TraceLines(path, "shown.jsonl")
    trace.grow()
    assert str(trace.error).startswith("shown.jsonl:2: a ")
    assert len(trace.lines) == 1
    trace.grow()
    assert len(trace.lines) == 1


def test_a_trace_that_was_replaced_is_noticed(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(NEW)
    trace = TraceLines(path)
    trace.grow()
    path.write_text(NEW[:40])
    trace.grow()
    assert "replaced" in str(trace.error)


def test_a_line_without_an_end_is_not_read_forever(tmp_path, monkeypatch):
    monkeypatch.setattr("warptour.observe.trace_lines.LONGEST_LINE", 1000)
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"x" * 2000)
    trace = TraceLines(path)
    trace.grow()
    assert trace.error is not None
