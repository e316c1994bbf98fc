"""Progress on standard error: a live line on a terminal, otherwise one line per improvement."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol, Self, TextIO

from warptour.model.clock import format_seconds
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import Event, Improved, Note, State, Tick, Workers, WorkerState

LINE_SECONDS = 0.5
"""Minimum seconds between two lines of plain progress output."""
BAR_WIDTH = 16
"""Width of the bar in columns; the text takes the rest."""
MAX_WORKERS = 16
"""Workers that have a line of their own at the end."""


class Progress(Protocol):
    """A listener that displays the progress of a search, used as a context manager around it."""

    def __call__(self, event: Event) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


def progress(stream: TextIO | None, problem: TSP | VRP, seconds: float | None, unit: str = "iterations") -> Progress:
    """Return the display for ``stream``: a live line on a terminal, plain lines elsewhere, nothing without a stream.

    ``seconds`` is the time limit, for the bar; ``unit`` is the plural name of the strategy's iterations.
    """
    if stream is None:
        return Silence()
    return Bar(stream, problem, seconds, unit) if stream.isatty() else Lines(stream, problem, unit)


class Silence:
    """No display."""

    def __call__(self, event: Event) -> None:
        """Ignore the event."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass


class Told(Silence):
    """What a display has been told: facts of the best solution, notes, and what workers do."""

    def __init__(self, problem: TSP | VRP, unit: str, seconds: float | None = None) -> None:
        self._problem = problem
        self._unit = unit
        self._limit = seconds
        self._facts: list[str] = ["starting"]
        self._note = ""
        self._lasting: list[str] = []
        self._workers: tuple[WorkerState, ...] = ()

    def take(self, event: Event) -> None:
        """Note what an event tells."""
        if isinstance(event, Improved):
            self._facts = facts(self._problem, event.state, event.solution)
        elif isinstance(event, Workers):
            self._workers = event.rows
        elif isinstance(event, Note) and event.lasting:
            self._lasting.append(event.text)
        elif isinstance(event, Note):
            self._note = event.text

    def words(self, state: State, *clock: str) -> list[str]:
        """Return the facts, the gap to the bound, the ``clock``, the speeds, and the workers."""
        return [*self._facts, *bound_words(state), *clock, *speeds(state, self._unit), *worker_words(self._workers)]


class Lines(Told):
    """One line per improvement, at least half a second apart; the last improvement is always shown."""

    def __init__(self, stream: TextIO, problem: TSP | VRP, unit: str) -> None:
        super().__init__(problem, unit)
        self._stream: TextIO | None = stream
        self._written_at = -LINE_SECONDS
        self._pending: str | None = None

    def __call__(self, event: Event) -> None:
        self.take(event)
        if isinstance(event, Workers | Note):
            return
        if isinstance(event, Improved):
            line = [f"{event.state.seconds:8.2f} s", *self.words(event.state)]
            self._pending = "  ".join([*line, f"({self._note})"] if self._note else line)
            self._note = ""
        if self._pending is not None and event.state.seconds - self._written_at >= LINE_SECONDS:
            self._written_at = event.state.seconds
            self._write()

    def _write(self) -> None:
        if self._pending is None or self._stream is None:
            return
        try:
            print(self._pending, file=self._stream, flush=True)
        except (OSError, ValueError):
            self._stream = None  # the reader has gone; the search continues
        self._pending = None

    def __exit__(self, *error: object) -> None:
        for line in [self._pending, *self._lasting, *contributions(self._workers, self._unit)]:
            self._pending = line
            self._write()


class Bar(Told):
    """A live line drawn by rich: time bar, best cost, gap, speed, remaining time.

    It is redrawn on events, without a thread, and erased at the end. Errors of a closed terminal are ignored.
    """

    def __init__(self, stream: TextIO, problem: TSP | VRP, seconds: float | None, unit: str) -> None:
        from rich.console import Console
        from rich.live import Live

        super().__init__(problem, unit, seconds)
        self._live: Any = Live(
            self._line(State(0.0, None, 0, 0)), console=Console(file=stream), auto_refresh=False, transient=True
        )

    def __call__(self, event: Event) -> None:
        self.take(event)
        if isinstance(event, Tick):
            with suppress(OSError, ValueError):
                self._live.update(self._line(event.state), refresh=True)

    def _line(self, state: State) -> Any:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        left = None if self._limit is None else max(0.0, self._limit - state.seconds)
        clock = f"{state.seconds:.0f} s" if left is None else f"{left:.0f} s left"
        first, *more = self.words(state, clock)
        words = Text(first, "bold", no_wrap=True, overflow="ellipsis")
        words.append("".join(f"  {word}" for word in more), "not bold")
        words.append(f"  {self._note}", "dim not bold")
        line = Table.grid(padding=(0, 2))
        if self._limit:
            line.add_row(ProgressBar(self._limit, min(state.seconds, self._limit), width=BAR_WIDTH), words)
        else:
            line.add_row(words)
        return line

    def __enter__(self) -> Self:
        with suppress(OSError, ValueError):
            self._live.start(refresh=True)
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError, ValueError):
            self._live.stop()
            for text in [*self._lasting, *contributions(self._workers, self._unit)]:
                self._live.console.print(text, highlight=False, markup=False)


def facts(problem: TSP | VRP, state: State, solution: Any) -> list[str]:
    """Return a summary of the best solution: cost, number of routes, gap to the best known value."""
    words = [f"cost {_cost_text(problem, state.cost)}"]
    if isinstance(solution, list):
        words.append(f"{sum(len(route) > 0 for route in solution)} routes")
    if problem.best_known and state.cost is not None:
        words.append(f"gap {100.0 * (state.cost - problem.best_known) / abs(problem.best_known):.3f}%")
    return words


def _cost_text(problem: TSP | VRP, cost: int | float | None) -> str:
    mixed = isinstance(problem, VRP) and problem.fixed_cost != 0
    return (
        format_seconds(cost)
        if cost is not None and problem.minimizes == "duration" and not mixed
        else format_cost(cost)
    )


def bound_words(state: State) -> list[str]:
    """Return the gap to the lower bound, if there is one."""
    return [] if state.bound_gap is None else [f"at most {state.bound_gap:.3f}% above the optimum"]


def worker_words(workers: tuple[WorkerState, ...]) -> list[str]:
    """Return how many workers there are, how many of them are left, and which contributed most."""
    if not workers:
        return []
    lost = sum(worker.status in ("lost", "failed") for worker in workers)
    words = f"{len(workers) - lost} of {len(workers)} workers" if lost else f"{len(workers)} workers"
    most = max(workers, key=lambda worker: worker.gain)
    return [f"{words}, most from {most.name}" if most.gain > 0 else words]


def contributions(workers: tuple[WorkerState, ...], unit: str) -> list[str]:
    """Return a line for each worker, those with the largest gains first if there are many."""
    shown = workers
    if len(workers) > MAX_WORKERS:
        shown = tuple(sorted(workers, key=lambda worker: -worker.gain)[:MAX_WORKERS])
    lines = []
    for worker in shown:
        where = f" ({worker.device})" if worker.device not in ("", worker.name) else ""
        rate = f"{_scaled(worker.rate)} {worker.unit or unit}/s"
        lines.append(f"{worker.name}{where}: {rate}, gained {format_cost(worker.gain)}, {worker.status}")
    if len(workers) > len(shown):
        rest = sum(worker.gain for worker in workers) - sum(worker.gain for worker in shown)
        lines.append(f"{len(workers) - len(shown)} further workers gained {format_cost(rest)}")
    return lines


def format_cost(cost: int | float | None) -> str:
    """Return a cost for display: integers in full, others with their significant digits."""
    if cost is None:
        return "-"
    if isinstance(cost, int) or float(cost).is_integer():
        return f"{int(cost):,}"
    return f"{cost:,.3f}" if abs(cost) >= 10 else f"{cost:.6g}"


def speeds(state: State, unit: str) -> list[str]:
    """Return the speed in iterations and moves per second, as far as they are counted."""
    counts = ((state.iterations, unit), (state.moves, "moves"))
    return [f"{_scaled(count / state.seconds)} {what}/s" for count, what in counts if count and state.seconds > 0]


def _scaled(speed: float) -> str:
    for scale, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if speed >= scale:
            return f"{speed / scale:.3g} {prefix}"
    return f"{speed:.0f}"
