"""Emulation of the symmetric 2-opt machine of Mavroidis (2011, chapter 5), its run time in hardware, and its RTL."""

from warptour.papers.mavroidis.fpga.cost import CostModel
from warptour.papers.mavroidis.fpga.groups import groups_of, most_elements
from warptour.papers.mavroidis.fpga.machine import Machine

__all__ = ["CostModel", "Machine", "groups_of", "most_elements"]
