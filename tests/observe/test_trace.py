"""The trace file tells the run's story on the run's clock."""

import json
from pathlib import Path

import pytest

from warptour.model.errors import InputError
from warptour.observe.events import Ended, Improved, Note, State, Tick, Workers, WorkerState
from warptour.observe.trace import Trace


def test_a_line_per_improvement_and_one_at_the_end(tmp_path):
    with Trace(tmp_path / "run.jsonl") as trace:
        trace(Improved(State(0.5, 20, 1, 7), None))
        trace(Note(State(0.6, 20, 1, 7), "hello"))
        trace(Improved(State(1.25, 10, 3, 9), None))
        trace(Ended(State(2.0, 10, 5, 9)))
    lines = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    assert lines == [
        {"t": 0.5, "cost": 20, "iterations": 1},
        {"t": 1.25, "cost": 10, "iterations": 3},
        {"t": 2.0, "cost": 10, "iterations": 5},
    ]


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


def test_a_run_without_a_solution_leaves_an_empty_trace(tmp_path):
    with Trace(tmp_path / "run.jsonl") as trace:
        trace(Ended(State(2.0, None, 5, 9)))
    assert (tmp_path / "run.jsonl").read_text() == ""


def test_an_unwritable_place_is_named(tmp_path):
    with pytest.raises(InputError, match="nowhere"):
        Trace(tmp_path / "nowhere" / "run.jsonl")


def test_workers_have_lines_of_their_own(tmp_path):
    rows = (WorkerState("process 0", "cpu", 12.345, 7, "working"), WorkerState("process 1", "", 0.0, 0, "lost"))
    with Trace(tmp_path / "run.jsonl") as trace:
        trace(Improved(State(0.5, 20, 1, 7), None))
        trace(Workers(State(1.0, 20, 1, 7), rows))
        trace(Ended(State(2.0, 20, 5, 9)))
    lines = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    assert [line["t"] for line in lines] == [0.5, 1.0, 2.0]
    assert lines[1]["workers"] == [
        {"name": "process 0", "device": "cpu", "rate": 12.3, "gain": 7, "status": "working"},
        {"name": "process 1", "device": "", "rate": 0.0, "gain": 0, "status": "lost"},
    ]
