"""Neighbourhoods: definition, delta and application of each kind of move."""

from warptour.neighborhoods.or_opt import OrOpt
from warptour.neighborhoods.registry import NEIGHBORHOODS, Neighborhood
from warptour.neighborhoods.relocate import Relocate
from warptour.neighborhoods.swap import Swap
from warptour.neighborhoods.three_opt import ThreeOpt
from warptour.neighborhoods.two_opt import TwoOpt

__all__ = ["NEIGHBORHOODS", "Neighborhood", "OrOpt", "Relocate", "Swap", "ThreeOpt", "TwoOpt"]
