"""Schulz (2011): local search for vehicle routes on a GPU."""

from __future__ import annotations

from typing import Final

from warptour.reproduce.paper import Paper

PAPER: Final = Paper(
    "schulz",
    "Christian Schulz (2011): Efficient Local Search on the GPU: Investigations on the Vehicle Routing Problem",
    (),
    (("everything", "the engine for the DCVRP on a GPU is not part of this version yet"),),
)
