"""Routes with breaks of drivers, walked for all legs of the breaks and all departures."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise

import numpy as np

from warptour.model.fleet import VehicleType
from warptour.model.rests import Break
from warptour.model.vehicles import VRP


def driven(vrp: VRP, own: VehicleType, route: list[int], legs: tuple[int, ...], leave: int) -> float:
    """Return how long a vehicle is out that leaves at a time and has its breaks on these legs; infinite if late."""
    breaks = list(zip(own.breaks, legs, strict=True))
    ready = 0.0
    for rest, leg in breaks:
        if leg < 0:
            ready = max(ready, rest.opens) + rest.length
    if ready > leave:
        return np.inf
    path = [0, *route, 0]
    time = float(leave)
    for at, (a, b) in enumerate(pairwise(path)):
        way = float(vrp.matrix[a, b])
        for rest, leg in breaks:
            if leg == at:
                start = max(time, min(rest.opens, time + way) if rest.opens > time else time, rest.opens)
                if start > rest.closes:
                    return np.inf
                way -= min(way, max(rest.opens - time, 0.0))
                time = start + rest.length
        time += way
        if b:
            opens, closes = vrp.windows.of_node(b)[0]
            time = max(time, opens)
            if time > closes:
                return np.inf
            time += float(vrp.service_times[b])
    back = time
    if back > own.closes:
        return np.inf
    for rest, leg in breaks:
        if leg == len(path) - 1:
            start = max(time, rest.opens)
            if start > rest.closes:
                return np.inf
            time = start + rest.length
    return back - leave


def shortest(vrp: VRP, own: VehicleType, route: list[int]) -> float:
    legs = combinations_with_replacement(range(-1, len(route) + 2), len(own.breaks))
    return min(driven(vrp, own, route, at, leave) for at in legs for leave in range(int(own.opens), int(own.closes)))


def random_problem(seed: int, breaks: int, n: int = 6) -> VRP:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 12, (n, 2))
    distances = np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))).astype(int)
    opens = rng.integers(0, 40, n - 1)
    windows = [None, *((int(at), int(at + rng.integers(10, 60))) for at in opens)]
    rests = []
    for _ in range(breaks):
        at = int(rng.integers(0, 60))
        rests.append(Break(at, at + int(rng.integers(0, 15)), int(rng.integers(2, 9))))
    types = [
        VehicleType(count=1, capacities=(9.0,), closes=90, hour_cost=int(rng.integers(0, 3)), breaks=tuple(rests)),
        VehicleType(count=1, capacities=(9.0,), opens=5, closes=80, hour_cost=1, breaks=tuple(rests[:1])),
    ]
    plain = VRP.from_matrix(
        distances, demands=[0] + [1] * (n - 1), capacity=9, windows=windows, service_times=[0] + [2] * (n - 1)
    )
    return plain.with_types(types)


def ruled(vrp: VRP, own: VehicleType, route: list[int]) -> float:
    """Return how long a vehicle is out at least with a break after so much driving; all breaks at whole times tried."""
    path, rule, best = [0, *route, 0], own.driving, np.inf

    def drive(at: int, time: float, wheel: float) -> float:
        """Return the earliest end from a node on, after service there."""
        if at + 1 == len(path):
            return time if time <= own.closes else np.inf
        a, b = path[at], path[at + 1]
        way, ends = float(vrp.matrix[a, b]), []
        opens, closes = (0, np.inf) if b == 0 else vrp.windows.of_node(b)[0]
        for to in (None, *range(int(way) + 1)):
            if to is None:
                driven, arrives = wheel + way, time + way
            else:
                driven, arrives = way - to, time + way + rule.length
                if wheel + to > rule.most:
                    continue
            start = max(arrives, opens)
            if driven <= rule.most and start <= closes:
                ends.append(drive(at + 1, start + (float(vrp.service_times[b]) if b else 0), driven))
        return min(ends, default=np.inf)

    for leave in range(int(own.opens), int(own.closes)):
        best = min(best, drive(0, leave, 0.0) - leave)
    return best
