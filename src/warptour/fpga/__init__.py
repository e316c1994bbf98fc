"""Emulation of the symmetric 2-opt machine of Mavroidis (2011, chapter 5), and its run time in hardware."""

from warptour.fpga.cost import CostModel
from warptour.fpga.machine import Machine, groups_of, most_elements

__all__ = ["CostModel", "Machine", "groups_of", "most_elements"]
