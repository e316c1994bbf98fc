"""A strategy of warptour as a solver of a comparison."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from warptour import api
from warptour._version import __version__
from warptour.compare.run import Curve, SolverOutcome, refused
from warptour.model.errors import NothingFound, UnsupportedError, WarptourError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import Event, Improved, State
from warptour.observe.interrupt import Interrupt, Interrupted
from warptour.search.stop import Seconds, Stop
from warptour.strategies.registry import default_strategy

RATE_SECONDS: Final = 0.2
"""Wall seconds from which on the CPU seconds used tell how busy the machine is."""


@dataclass
class CpuSeconds(Stop):
    """Over after a number of CPU seconds of this process, of all threads together, whatever else the machine does."""

    seconds: float
    threads: int

    def __post_init__(self) -> None:
        self.began = time.process_time()

    def reached(self, state: State) -> bool:
        return time.process_time() - self.began >= self.seconds

    def seconds_left(self, state: State) -> float:
        """Return wall seconds at the rate so far; at first as if all threads had a core each."""
        used = time.process_time() - self.began
        rate = used / state.seconds if state.seconds > RATE_SECONDS else self.threads
        return max(0.0, self.seconds - used) / max(rate, 0.01)


class Ours:
    """A strategy on one problem."""

    def __init__(
        self,
        problem: TSP | VRP,
        strategy: str | None,  # by default what ``solve`` would choose
        device: str,
        threads: int,
        by_cpu: bool = True,  # whether the limit is on the CPU time of all threads together, instead of on wall time
        interrupt: Interrupt | None = None,  # the signals that end a run
    ) -> None:
        self.problem, self.strategy, self.device = problem, strategy, device
        self.threads, self.by_cpu, self.interrupt = threads, by_cpu, interrupt
        self.version: str | None = __version__
        self.units = ""
        self.name, self.refusal = strategy or default_strategy(problem).name, ""
        try:
            api.choose_strategy(problem, strategy)
        except UnsupportedError as error:
            self.refusal = str(error)

    def limit(self, seconds: float) -> str:
        return f"{seconds * self.threads:g} s CPU" if self.by_cpu else f"{seconds:g} s"

    def solve(self, seconds: float, seed: int) -> SolverOutcome:
        """Run once; raise :class:`Interrupted` if a signal ended it."""
        if self.refusal:
            return refused(self.refusal)
        curve: Curve = []

        def listen(event: Event) -> None:
            if isinstance(event, Improved) and event.state.cost is not None:
                used = (time.process_time() - began) / self.threads if self.by_cpu else event.state.seconds
                curve.append((used, event.state.cost))

        stop = CpuSeconds(seconds * self.threads, self.threads) if self.by_cpu else Seconds(seconds)
        wall, began = time.perf_counter(), time.process_time()
        solution, note = None, ""
        try:
            result = api.solve(
                self.problem, self.strategy, stop=stop, seed=seed, threads=self.threads, device=self.device,
                listeners=[listen], interrupt=self.interrupt,
            )  # fmt: skip
            if result.interrupted:
                raise Interrupted
            solution, note = result.solution, result.shortage or ""
        except NothingFound as error:
            note = f"no feasible answer: {error}"
        except WarptourError as error:
            note = f"no answer: {error}"
        wall, cpu = time.perf_counter() - wall, time.process_time() - began
        return SolverOutcome(solution, wall, cpu, cpu / self.threads if self.by_cpu else wall, note, curve)
