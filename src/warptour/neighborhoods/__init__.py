"""Neighbourhoods: definition, delta and application of each kind of move."""

from __future__ import annotations

from typing import Final

from warptour.neighborhoods.move import Neighborhood
from warptour.neighborhoods.or_opt import OrOpt
from warptour.neighborhoods.relocate import Relocate
from warptour.neighborhoods.swap import Swap
from warptour.neighborhoods.three_opt import ThreeOpt
from warptour.neighborhoods.two_opt import TwoOpt

NEIGHBORHOODS: Final[dict[str, Neighborhood]] = {
    "2-opt": TwoOpt(),
    "3-opt": ThreeOpt(),
    "or-opt": OrOpt(),
    "relocate": Relocate(),
    "swap": Swap(),
}
"""All neighbourhoods by name."""

__all__ = ["NEIGHBORHOODS", "Neighborhood", "OrOpt", "Relocate", "Swap", "ThreeOpt", "TwoOpt"]
