"""Ruin and recreate in groups of adjacent routes: large ones on the host's threads, beside many small ones on a device.

Each round a random band of the plane belongs to the host and the rest to the device, such that both end at the same
time; all customers get equally many iterations.
"""

from __future__ import annotations

import math
import time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warptour.devices import DeviceError
from warptour.model.vehicles import VRP
from warptour.routes.engine.device_groups import SPARE_ROUTES, DeviceGroups, GroupBatch
from warptour.routes.engine.instance import Ints
from warptour.routes.strategy.device_share import Speeds, group_size
from warptour.routes.strategy.division import Division, bisected, cells, centres_of, quantiles
from warptour.routes.strategy.route_groups import RouteGroups, RoutePart, search_group, spare_routes
from warptour.routes.strategy.ruin_recreate import ROUNDS, Plan
from warptour.search.search import Search
from warptour.search.threads import Poll
from warptour.search.worker import Budget

ROUND_SECONDS, ROUND_SECONDS_PER_CUSTOMER = 0.15, 1e-6
"""Minimum duration of a round, in seconds and in seconds per customer: several times that of a division."""

MAX_SHORT_ROUND: Final = 50.0
"""Maximum iterations per customer for that."""

TIME_SHARE: Final = 0.9
"""Maximum share of the time left that a round should take."""

PAUSE_SECONDS: Final = 0.005
"""Pause between two polls where the time left is too short for a round."""

MAX_HOST_SHARE: Final = 0.95
"""Maximum share of the host in a round, so that the device is measured."""


class GroupsAndDevice(RouteGroups):
    """Host and device on one solution.

    ``size``: customers per group on the device, about; more where routes are long
    """

    def __init__(self, plan: Plan, giant: Ints, device: DeviceGroups, size: int) -> None:
        super().__init__(plan, giant)
        self.device = device
        problem, routes = plan.instance.problem, int(np.count_nonzero(giant == 0))
        self.size = group_size(problem, size, routes)
        each = -(-self.size * routes // (problem.n - 1)) + SPARE_ROUTES
        self.speeds = Speeds.of(plan.pool.threads, device.at_once(self.size + 1, each))
        self._overhead = 0.0
        """Seconds of the last round besides those of the search."""

    def step(self, budget: Budget) -> None:
        """Do one round, if there is time for its division."""
        plan, timed, called = self.plan, math.isinf(budget.iterations), time.perf_counter()
        if timed and budget.seconds_left() < 2 * self._overhead:
            time.sleep(PAUSE_SECONDS)
            return
        division, hosts = self._divide()
        counts = self._iterations(division, hosts, budget)
        chosen = np.arange(hosts, len(counts), dtype=np.int32)
        temperature = plan.cooling.temperature(), plan.cooling.temperature(int(counts.sum()))
        stream = self._round << 20
        slots = division.routes + np.minimum(spare_routes(plan, division), SPARE_ROUTES)
        batch = GroupBatch(chosen, slots[chosen].astype(np.int32), counts[chosen])
        self.device.launch(division.tour, division.starts, batch, temperature, seed=plan.seed, stream=stream)
        done: dict[int, tuple[RoutePart, int]] = {}

        def work(number: int, halted: Poll) -> None:
            done[number] = search_group(plan, division, number, int(counts[number]), temperature, stream + number)

        began = time.perf_counter()
        plan.pool.work(work, range(hosts), budget.over)
        ended = time.perf_counter()
        self.device.wait()
        waited = time.perf_counter() - ended
        on_host = sum(made for _, made in done.values())
        if timed:
            self.speeds.learn(on_host, ended - began, float(batch.iterations.mean()), len(chosen), waited)
        self.iterations += on_host + int(batch.iterations.sum())
        found = self.device.collect()
        rest = [self._giant[:0], *(division.part(number) for number in range(hosts) if number not in done)]
        on_device = RoutePart(found.giant, found.best, float(found.costs[:, 1].sum()))
        self._join([*(done[number][0] for number in sorted(done)), on_device], np.concatenate(rest))
        self._overhead = time.perf_counter() - called - (ended - began) - waited

    def _divide(self) -> tuple[Division, int]:
        """Divide the routes; the groups of the host come first, and their number is returned, too."""
        plan, problem, places = self.plan, self.instance.problem, self.instance.places
        assert places is not None
        rng = np.random.default_rng([plan.seed, self._round])
        centres, sizes = centres_of(problem, places, self._giant)
        groups = max(1, (problem.n - 1) // self.size)
        share = min(MAX_HOST_SHARE, self.speeds.host_share(groups))
        angle, first = rng.uniform(0, np.pi), rng.uniform(0, 1 - share)
        turned = centres @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        place = quantiles(turned[:, 0], sizes)
        mine = (place >= first) & (place < first + share)
        of_route = np.empty(len(sizes), np.int32)
        threads = plan.pool.threads
        wanted = -(-int(sizes[mine].sum()) // (plan.group_size * threads)) * threads
        wanted = min(wanted, max(1, int(np.count_nonzero(mine)) // 2))
        of_route[mine] = bisected(centres[mine], sizes[mine], wanted, rng)
        of_route[~mine] = wanted + cells(turned[~mine], sizes[~mine], (1 - share) * groups, 1 - share)
        used, ranks = np.unique(of_route, return_inverse=True)  # without those that stayed empty
        division = Division.of(problem, self._giant, ranks.astype(np.int32), len(used))
        return division, int(np.count_nonzero(used < wanted))

    def _iterations(self, division: Division, hosts: int, budget: Budget) -> NDArray[np.int64]:
        """Return the iterations of each group, equally many per customer."""
        plan, problem = self.plan, self.instance.problem
        customers = np.diff(division.starts) - division.routes
        seconds = self.speeds.group * self.speeds.waves(len(customers) - hosts) * float(customers[hosts:].max())
        least = min(MAX_SHORT_ROUND, max(ROUND_SECONDS, ROUND_SECONDS_PER_CUSTOMER * problem.n) / seconds)
        each = max(min(plan.group_iterations, plan.iterations / ROUNDS / problem.n), least)
        if math.isinf(budget.iterations):
            each = min(each, max(0.0, TIME_SHARE * budget.seconds_left() - self._overhead) / seconds)
        counts: NDArray[np.int64] = np.maximum(1, each * customers).astype(np.int64)
        before = np.cumsum(counts) - counts
        allowed: NDArray[np.int64] = np.minimum(counts, np.maximum(0, budget.iterations - before)).astype(np.int64)
        return allowed


def device_groups(search: Search[VRP], plan: Plan, size: int, routes: int) -> DeviceGroups | None:
    """Return groups of about ``size`` customers on the search's device; None, with a note, where the host is faster."""
    if search.device.is_host:
        return None
    instance, name, threads = plan.instance, search.device.name, search.threads
    size = group_size(instance.problem, size, routes)
    groups = (instance.problem.n - 1) // size
    try:
        if Speeds.of(threads).speedup(max(1, groups)) <= 1:
            raise DeviceError(f"{groups} groups of routes are too few for {name} beside {threads} threads")
        made = DeviceGroups(instance, search.device, plan.ruin)
    except DeviceError as error:
        search.use_cpu(str(error))
        return None
    search.note(f"{name} searches groups of {size} customers beside {threads} threads", lasting=True)
    return made
