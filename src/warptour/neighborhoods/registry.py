"""Every neighbourhood by its name."""

from __future__ import annotations

from typing import Final

from warptour.neighborhoods.move import Neighborhood
from warptour.neighborhoods.or_opt import OrOpt
from warptour.neighborhoods.two_opt import TwoOpt

NEIGHBORHOODS: Final[dict[str, Neighborhood]] = {
    "2-opt": TwoOpt(),
    "or-opt": OrOpt(),
}

__all__ = ["NEIGHBORHOODS", "Neighborhood"]
