"""Travel along streets between the nodes of a problem: its durations, its lines, and what traffic does to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from warptour.model.metric import Floats, Nodes
from warptour.model.traffic import Traffic


class Streets(Protocol):
    """Ways between all nodes of a problem.

    ``distances``, ``durations``: (n, n): metres and seconds, from row to column
    ``traffic``: how durations depend on the time of day
    """

    @property
    def distances(self) -> NDArray[Any]: ...

    @property
    def durations(self) -> NDArray[Any]: ...

    @property
    def traffic(self) -> Traffic | None: ...

    def line(self, nodes: Nodes | Sequence[int]) -> Floats | None:
        """Return latitudes and longitudes along the streets through nodes in order; None if they are not known."""
        ...
