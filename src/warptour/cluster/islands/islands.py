"""Islands: every member searches the whole problem with a seed of its own, and they exchange solutions.

With a time limit a member reports improvements as it finds them, and every now and then is sent the latest of another,
of all others in turn. With a limit on iterations alone members meet at fixed counts of them and wait for each other, so
that the seed and the number of members determine the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from warptour.cluster.crew import Crew
from warptour.cluster.islands.archipelago import Archipelago
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.search import Search
from warptour.search.strategy import Strategy


class Islands:
    """A strategy on several members.

    Parameters
    ----------
    strategy : Strategy
        What each member runs.
    crew : Crew
    threads : int or sequence of int
        Threads of each member.
    device : str, optional
        Device of each member, by name; None if members have devices of their own.
    """

    name: ClassVar[str] = "islands"
    iteration: ClassVar[str] = "iterations"

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
        """Return the backends."""
        return self.strategy.runs_on(problem)

    def run(self, search: Search[Any]) -> None:
        """Search until over or all members are done."""
        archipelago = Archipelago(self, search)
        archipelago.run()
        if archipelago.failure is not None:
            raise archipelago.failure
        if archipelago.deserted and not search.over():
            search.note("no worker is left; going on without them", lasting=True)
            search.start = search.start if search.best is None else search.searched(search.best)
            self.strategy.run(search)
