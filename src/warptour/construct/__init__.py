"""Construction heuristics for initial tours and routes."""

from warptour.construct.savings import savings
from warptour.construct.start import STARTS, start

__all__ = ["STARTS", "savings", "start"]
