"""What all ways to divide a search among members have in common."""

from __future__ import annotations

from collections.abc import Sequence

from warptour.cluster.crew import Crew
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.strategy import Strategy


class DividedStrategy(Strategy):
    """A strategy on several members, itself a strategy; subclasses say how, in ``run``.

    Parameters
    ----------
    strategy : Strategy
        What members run.
    crew : Crew
    threads : int or sequence of int
        Threads of each member.
    device : str, optional
        Devices of each member, by name; None if members have devices of their own.
    """

    def __init__(
        self, strategy: Strategy, crew: Crew, *, threads: int | Sequence[int] = 1, device: str | None = None
    ) -> None:
        self.strategy = strategy
        self.crew = crew
        self.threads = [threads] * len(crew.members) if isinstance(threads, int) else list(threads)
        self.device = device

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return why not, or None."""
        return self.strategy.refuses(problem)

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends that members can search on, the best first."""
        return self.strategy.runs_on(problem)
