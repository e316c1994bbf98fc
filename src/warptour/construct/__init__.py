"""Starts: tours and routes built from nothing."""

from warptour.construct.savings import savings
from warptour.construct.start import STARTS, start

__all__ = ["STARTS", "savings", "start"]
