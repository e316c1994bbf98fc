"""Travel times that depend on the time of day.

A leg has seconds of free travel on each class of street, and each class has a factor of its speed for every hour. While
an hour lasts, the vehicle gets on at the leg's rate, free seconds per second:

    rate of the hour = free seconds / sum over classes of (free seconds of the class / its factor)

Arrivals are what this rate adds up to from the departure on. As it is never negative, who leaves later never arrives
earlier (Ichoua, Gendreau and Potvin, 2003).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.metric import Floats

HOUR: Final = 3600.0
DAY: Final = 24


@dataclass(frozen=True, eq=False)
class Traffic:
    """Travel times by the time of day."""

    durations: NDArray[Any]  # (n, n): seconds of free travel
    shares: NDArray[Any]  # (n, n, classes): time on each class of street, in any unit
    factors: Floats  # (classes, 24): speed in each hour of the day, as a factor of the free one; above 0

    def rates(self, a: int, b: int) -> Floats:
        """Return the free seconds in a second of each hour on the leg from a to b, shape (24,)."""
        shares = self.shares[a, b].astype(np.float64)
        whole = shares.sum()
        return np.ones(DAY) if whole == 0 else np.asarray(whole / (shares @ (1 / self.factors)))

    def arrival(self, a: int, b: int, leaves: float) -> float:
        """Return when a vehicle that leaves a at a time arrives at b; times are in seconds after midnight."""
        rates: list[float] = self.rates(a, b).tolist()
        free, time = float(self.durations[a, b]), leaves
        hour = int(leaves // HOUR)
        while True:
            ends = (hour + 1) * HOUR
            done = (ends - time) * rates[hour % DAY]
            if done >= free:
                return max(time + free / rates[hour % DAY], leaves)
            free, time, hour = free - done, ends, hour + 1

    def departure(self, a: int, b: int, arrives: float) -> float:
        """Return when a vehicle has to leave a to arrive at b at a time; infinite for an infinite one."""
        if math.isinf(arrives):
            return arrives
        rates: list[float] = self.rates(a, b).tolist()
        free, time = float(self.durations[a, b]), arrives
        hour = int(-(-arrives // HOUR)) - 1
        while True:
            begins = hour * HOUR
            done = (time - begins) * rates[hour % DAY]
            if done >= free:
                return min(time - free / rates[hour % DAY], arrives)
            free, time, hour = free - done, begins, hour - 1

    def slowest_from(self, opens: float, closes: float) -> Floats:
        """Return the longest that each leg can take between two times of a day, shape (n, n)."""
        first = int(opens // HOUR)
        last = first + DAY - 1 if math.isinf(closes) else min(int(closes // HOUR), first + DAY - 1)
        hours = {hour % DAY for hour in range(first, last + 1)}
        shares = self.shares.astype(np.float64)
        whole = shares.sum(axis=2)
        inverse = np.max([shares @ (1 / self.factors[:, hour]) for hour in sorted(hours)], axis=0)
        return np.asarray(self.durations * np.divide(inverse, whole, out=np.ones_like(whole), where=whole > 0))

    def on(self, nodes: NDArray[Any]) -> Traffic:
        """Return the traffic between a selection of nodes, renumbered in its order."""
        pairs = np.ix_(nodes, nodes)
        return Traffic(self.durations[pairs], self.shares[pairs], self.factors)
