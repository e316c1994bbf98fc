"""Progress says what people want to know, and never ends a search."""

import io
import os
from contextlib import suppress

import numpy as np

from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.observe.events import Improved, Note, State, Tick, Workers, WorkerState
from warptour.observe.progress import Bar, Lines, Silence, contributions, format_cost, progress, speeds

PROBLEM = TSP("square", METRICS["EUC_2D"], np.array([[0, 0], [0, 9], [9, 9], [9, 0]]), best_known=36)
TOUR = np.arange(4)


def test_lines_are_rate_limited_and_the_last_one_is_always_there():
    stream = io.StringIO()
    with Lines(stream, PROBLEM, "kicks") as lines:
        for step in range(100):
            lines(Improved(State(step / 100, 145 - step, step, 0), TOUR))
    written = stream.getvalue().splitlines()
    assert 2 <= len(written) <= 4
    assert "cost 46" in written[-1] and "gap 27.778%" in written[-1] and "kicks/s" in written[-1]


def test_a_tick_brings_a_line_that_waited():
    stream = io.StringIO()
    lines = Lines(stream, PROBLEM, "kicks")
    lines(Improved(State(0.0, 50, 0, 0), TOUR))
    lines(Improved(State(0.1, 40, 0, 0), TOUR))
    lines(Tick(State(0.7, 40, 0, 0)))
    assert stream.getvalue().count("\n") == 2


def test_a_note_comes_with_the_next_improvement():
    stream = io.StringIO()
    lines = Lines(stream, PROBLEM, "kicks")
    lines(Note(State(0.0, 50, 0, 0), "round 3 gained 12"))
    lines(Improved(State(1.0, 50, 0, 0), TOUR))
    assert "(round 3 gained 12)" in stream.getvalue()


def test_routes_are_counted():
    stream = io.StringIO()
    Lines(stream, PROBLEM, "kicks")(Improved(State(0.0, 50, 0, 0), [TOUR, TOUR]))
    assert "2 routes" in stream.getvalue()


def test_a_duration_that_is_minimised_is_in_hours():
    stream = io.StringIO()
    matrix = np.full((4, 4), 3600.0)
    timed = TSP.from_matrix(np.ones((4, 4)), durations=matrix, minimize="duration")
    Lines(stream, timed, "kicks")(Improved(State(0.0, 25532.4, 0, 0), TOUR))
    assert "cost 7:05:32 h" in stream.getvalue()


def test_a_reader_that_went_away_does_not_end_the_search():
    read, write = os.pipe()
    os.close(read)
    with suppress(BrokenPipeError), os.fdopen(write, "w") as stream, Lines(stream, PROBLEM, "kicks") as lines:
        lines(Improved(State(0.0, 50, 0, 0), TOUR))
        lines(Improved(State(1.0, 40, 0, 0), TOUR))
        assert lines._stream is None


class Terminal(io.StringIO):
    """A stream that looks like a terminal."""

    def isatty(self):
        return True


def test_the_bar_draws_cost_gap_speed_and_time_left():
    stream = Terminal()
    bar = progress(stream, PROBLEM, 10.0, "kicks")
    assert isinstance(bar, Bar)
    with bar:
        bar(Improved(State(1.0, 54, 3000, 0), TOUR))
        bar(Note(State(1.0, 54, 3000, 0), "round [/1] of 2"))
        bar(Tick(State(2.0, 54, 4000, 0)))
    text = stream.getvalue()
    for part in ("cost 54", "gap 50.000%", "2 k kicks/s", "8 s left", "round [/1]"):
        assert part in text, part


def test_progress_suits_its_stream():
    assert type(progress(None, PROBLEM, 1.0)) is Silence
    assert type(progress(io.StringIO(), PROBLEM, 1.0)) is Lines


def test_numbers_are_written_for_people():
    assert [format_cost(cost) for cost in (None, 1234567, 12.0, 1234.56789, 0.000123456)] == [
        "-", "1,234,567", "12", "1,234.568", "0.000123456",
    ]  # fmt: skip
    assert speeds(State(2.0, 1, 10, 4_000_000), "kicks") == ["5 kicks/s", "2 M moves/s"]


def test_lines_say_how_many_workers_there_are_and_at_the_end_what_each_did():
    stream = io.StringIO()
    with Lines(stream, PROBLEM, "kicks") as lines:
        lines(Workers(State(1.0, 50, 0, 0), (WorkerState("process 0", "cpu", 1500.0, 4),)))
        rows = WorkerState("process 0", "cpu", 2500.0, 4), WorkerState("process 1", "", 10.0, 9, "lost", "scans")
        lines(Workers(State(1.0, 50, 0, 0), rows))
        lines(Improved(State(2.0, 40, 0, 0), TOUR))
    written = stream.getvalue().splitlines()
    assert written[0].endswith("1 of 2 workers, most from process 1")
    assert written[1:] == [
        "process 0 (cpu): 2.5 k kicks/s, gained 4, working",
        "process 1: 10 scans/s, gained 9, lost",
    ]


def test_of_very_many_workers_the_best_have_lines():
    lines = contributions(tuple(WorkerState(f"process {k}", "cpu", 1.0, k) for k in range(100)), "kicks")
    assert len(lines) == 17
    assert lines[0].startswith("process 99") and lines[-1] == "84 further workers gained 3,486"


def test_the_bar_says_how_many_workers_there_are():
    stream = Terminal()
    with Bar(stream, PROBLEM, 10.0, "kicks") as bar:
        bar(Workers(State(1.0, 50, 0, 0), (WorkerState("cpu", "cpu", 1.0, 0), WorkerState("cuda:0", "cuda:0", 5.0, 3))))
        bar(Tick(State(1.0, 50, 0, 0)))
    assert "2 workers, most from cuda:0" in stream.getvalue()
    assert "cuda:0: 5 kicks/s, gained 3, working" in stream.getvalue()
