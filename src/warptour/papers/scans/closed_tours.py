"""What strategies for closed tours share."""

from __future__ import annotations

from warptour.devices import everywhere
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.refusals import closed_tours_only
from warptour.search.strategy import Strategy


class ClosedTours(Strategy):
    """A strategy for closed tours without fixed edges, on any device."""

    def refuses(self, problem: TSP | VRP) -> str | None:
        """Return the reason why ``problem`` is not supported, or None."""
        return closed_tours_only(self.name, problem)

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        """Return the backends, the best first."""
        return everywhere()
