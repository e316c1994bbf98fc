"""Islands: every member searches the whole problem with a seed of its own, and they exchange solutions.

With a time limit a member reports improvements as it finds them, and every now and then is sent the latest of another,
of all others in turn. With a limit on iterations alone members meet at fixed counts of them and wait for each other, so
that the seed and the number of members determine the result.
"""

from __future__ import annotations

from typing import Any, ClassVar

from warptour.cluster.division import DividedStrategy
from warptour.cluster.islands.archipelago import Archipelago
from warptour.search.search import Search


class Islands(DividedStrategy):
    """A strategy on several members."""

    name: ClassVar[str] = "islands"
    iteration: ClassVar[str] = "iterations"

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
