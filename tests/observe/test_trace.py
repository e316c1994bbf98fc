"""The trace file tells the run's story on the run's clock."""

import json
from pathlib import Path

import pytest

import warptour as wt
from warptour.io.files import fcntl
from warptour.model.errors import InputError
from warptour.observe.contributions import Contribution
from warptour.observe.events import (
    Began,
    Contributions,
    Ended,
    Improved,
    Note,
    State,
    Step,
    Tick,
    Workers,
    WorkerState,
)
from warptour.observe.tours import Tours
from warptour.observe.trace import Trace


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_line_per_event_from_the_beginning_to_the_end(tmp_path):
    with Trace(tmp_path / "run.jsonl", tours=True) as trace:
        trace(Began(State(0.0, None, 0, 0), {"name": "five", "n": 5}))
        trace(Improved(State(0.5, 20, 1, 7), None))
        trace(Note(State(0.6, 20, 1, 7), "hello"))
        trace(Improved(State(1.25, 10, 3, 9), [[1], [2], []]))
        trace(Contributions(State(1.5, 10, 3, 9), (Contribution("2-opt", 3, 10.0, 9, 0.5),)))
        trace(Ended(State(2.0, 10, 5, 9), "interrupted", interrupted=True, device="cpu"))
    begin, *others = lines_of(tmp_path / "run.jsonl")
    assert begin.pop("warptour")
    assert begin == {"event": "begin", "t": 0.0, "version": 2, "name": "five", "n": 5, "tours": True}
    row = {"name": "2-opt", "moves": 3, "gain": 10.0, "evaluations": 9, "seconds": 0.5}
    assert others == [
        {"event": "improvement", "t": 0.5, "cost": 20, "iterations": 1, "moves": 7},
        {"event": "note", "t": 0.6, "text": "hello", "lasting": False},
        {"event": "improvement", "t": 1.25, "cost": 10, "iterations": 3, "moves": 9, "routes": 2},
        {"event": "contributions", "t": 1.5, "rows": [row]},
        {
            "event": "end",
            "t": 2.0,
            "cost": 10,
            "iterations": 5,
            "moves": 9,
            "ended": "interrupted",
            "interrupted": True,
            "device": "cpu",
            "workers": 1,
        },
    ]


def test_a_bound_that_rises_has_a_line(tmp_path):
    with Trace(tmp_path / "run.jsonl") as trace:
        trace(Tick(State(0.4, None, 1, 7, 0.0, 12)))
        trace(Improved(State(0.5, 20, 1, 7), None))
        trace(Tick(State(0.6, 20, 1, 7, 0.5, 16)))
        trace(Tick(State(0.7, 20, 1, 7, 0.5, 16)))
    lines = lines_of(tmp_path / "run.jsonl")
    assert [(line["event"], line.get("lower_bound"), line.get("bound_gap")) for line in lines] == [
        ("improvement", None, None),
        ("bound", 16, 25.0),
    ]


def test_steps_are_totals_so_that_few_lines_tell_of_all(tmp_path):
    with Trace(tmp_path / "run.jsonl") as trace:
        for number in range(1, 1001):
            trace(Step(State(number / 1000, 20, 1, 7), "round", number, {"gain": float(number)}))
        trace(Step(State(1.0, 20, 1, 7), "generation", 1, {"gain": float("-inf"), "tours": 30}))
        trace(Ended(State(1.0, 20, 5, 9)))
    lines = [line for line in lines_of(tmp_path / "run.jsonl") if line["event"] == "step"]
    rounds = [line for line in lines if line["of"] == "round"]
    assert 2 <= len(rounds) <= 6
    assert rounds[-1]["number"] == 1000 and rounds[-1]["facts"] == {"gain": 1000.0}
    assert [line["facts"] for line in lines if line["of"] == "generation"] == [{"tours": 30}]
    assert lines == sorted(lines, key=lambda line: line["t"])


def test_a_tick_brings_lines_to_the_file(tmp_path):
    with Trace(tmp_path / "run.jsonl") as trace:
        trace(Improved(State(0.5, 20, 1, 7), None))
        trace(Improved(State(0.51, 19, 1, 7), None))
        assert (tmp_path / "run.jsonl").read_text().count("\n") == 1
        trace(Tick(State(0.52, 20, 1, 7)))
        assert (tmp_path / "run.jsonl").read_text().count("\n") == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_ends_the_trace_and_nothing_else():
    with Trace("/dev/full") as trace:
        with pytest.warns(RuntimeWarning, match="the trace ends here"):
            trace(Improved(State(0.5, 20, 1, 7), None))
        trace(Improved(State(1.5, 20, 1, 7), None))
        trace(Ended(State(2.0, 10, 5, 9)))


def test_a_run_without_a_solution_ends_without_a_cost(tmp_path):
    with Trace(tmp_path / "run.jsonl") as trace:
        trace(Ended(State(2.0, None, 5, 9)))
    assert [line["cost"] for line in lines_of(tmp_path / "run.jsonl")] == [None]


def test_an_unwritable_place_is_named(tmp_path):
    with pytest.raises(InputError, match="nowhere"):
        Trace(tmp_path / "nowhere" / "run.jsonl")


def test_a_trace_is_no_checkpoint(tmp_path):
    with pytest.raises(wt.UsageError, match=r"a.jsonl cannot be both the trace and the checkpoint"):
        wt.solve(wt.read("uniform:9:1"), iterations=1, trace=tmp_path / "a.jsonl", checkpoint=tmp_path / "a.jsonl")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(fcntl is None, reason="needs locks")
@pytest.mark.parametrize("other", [Trace, lambda path: Tours(path, wt.read("uniform:9:1"))], ids=["trace", "tours"])
def test_two_runs_do_not_write_one_file(other, tmp_path):
    path = tmp_path / "t.jsonl"
    with Trace(path) as trace:
        trace(Note(State(0.0, None, 0, 0), "mine"))
        with pytest.raises(
            InputError, match=r"t.jsonl: cannot write the t\w+: (process \d+|another run) is writing it"
        ):
            other(path)
    assert [line["text"] for line in lines_of(path)] == ["mine"]
    with other(path):
        pass


def test_two_runs_may_write_one_device():
    with Trace("/dev/null"), Trace("/dev/null"):
        pass


def test_workers_have_lines_of_their_own(tmp_path):
    rows = (
        WorkerState("process 0", "cpu", 12.345, 7, "working"),
        WorkerState("process 1", "", 0.0, 0, "lost", "scans"),
    )
    with Trace(tmp_path / "run.jsonl") as trace:
        trace(Improved(State(0.5, 20, 1, 7), None))
        trace(Workers(State(1.0, 20, 1, 7), rows))
        trace(Ended(State(2.0, 20, 5, 9)))
    lines = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    assert [line["t"] for line in lines] == [0.5, 1.0, 2.0]
    assert lines[1]["workers"] == [
        {"name": "process 0", "device": "cpu", "rate": 12.3, "gain": 7, "status": "working"},
        {"name": "process 1", "device": "", "rate": 0.0, "gain": 0, "status": "lost", "unit": "scans"},
    ]
