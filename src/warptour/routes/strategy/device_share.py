"""How host and device share the groups of a round so that both end at the same time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from warptour.model.vehicles import VRP

HOST_SPEED: Final = 1.1e5
"""Iterations of a thread per second: 16 cores of 2023 made 1.7 million together."""

GROUP_SECONDS: Final = 55e-6
"""Seconds per iteration of a group on a device, however many there are until it is full: H200, up to 528 groups."""

AT_ONCE: Final = 1056
"""Groups that fill a device: H200, groups of 200 customers."""

MIN_ROUTES: Final = 8
"""Minimum routes per group on a device, about: with fewer there is little to exchange."""

WORTHWHILE, WORTHWHILE_TOGETHER = 1.5, 5.0
"""Minimum ratio of iterations with a device to those without one for which ``auto`` uses it, beside threads with groups
and beside threads that anneal one solution: they make more of an iteration."""

BETTER: Final = 0.95
"""Factor on the seconds of a device that was not waited for."""

MIN_WAIT: Final = 0.01
"""Minimum wait that counts, as a share of the host's time."""


@dataclass
class Speeds:
    """Speeds of host and device, as measured in the last round or as known beforehand."""

    host: float  # seconds per iteration of all threads together
    group: float = GROUP_SECONDS  # seconds per iteration of a group on the device, while no group waits for another
    at_once: int = AT_ONCE  # groups that the device searches at the same time

    @classmethod
    def of(cls, threads: int, at_once: int = AT_ONCE) -> Speeds:
        """Return the speeds that are known beforehand."""
        return cls(1 / (HOST_SPEED * threads), at_once=at_once)

    def waves(self, groups: float) -> float:
        """Return how often ``groups`` fill the device."""
        return max(1.0, groups / self.at_once)

    def host_share(self, groups: int) -> float:
        """Return the share of ``groups`` that the host searches while the device searches the others."""
        alone = self.group / (self.host * groups)
        each = self.group / self.at_once
        together = each / (self.host + each)
        return min(1.0, max(alone, together))

    def speedup(self, groups: int) -> float:
        """Return the ratio of iterations with the device to those without it."""
        return 1 / self.host_share(groups)

    def learn(self, host_iterations: int, seconds: float, group_iterations: float, groups: int, waited: float) -> None:
        """Take over what a round has shown.

        ``host_iterations``: iterations of all threads together,
        ``seconds``: and how long they took
        ``group_iterations``: mean iterations of a group on the device
        ``groups``: number of groups there
        ``waited``: seconds for which the device was waited for
        """
        if host_iterations:
            self.host = seconds / host_iterations
        if group_iterations:
            most = (seconds + waited) / (group_iterations * self.waves(groups))
            self.group = most if waited > MIN_WAIT * seconds else BETTER * min(self.group, most)


def group_size(problem: VRP, customers_per_group: int, routes: int = 0) -> int:
    """Return the customers of a group on a device: ``customers_per_group``, or more so that it has enough routes.

    ``routes``: their number, by default as few as the loads allow.
    """
    loads, capacity = problem.loads
    fewest = routes or max(1, math.ceil(float(loads.sum()) / capacity))
    return max(customers_per_group, math.ceil(MIN_ROUTES * (problem.n - 1) / fewest))


def expected_speedup(problem: VRP, customers_per_group: int, threads: int) -> float:
    """Return the expected ratio of iterations with a device beside ``threads`` threads to those without it."""
    groups = (problem.n - 1) // group_size(problem, customers_per_group)
    return Speeds.of(threads).speedup(max(1, groups))
