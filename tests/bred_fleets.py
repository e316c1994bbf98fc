"""Random problems of few customers that a population knows though vehicles differ or customers may stay out."""

from __future__ import annotations

from typing import Any

import numpy as np

from warptour.model.fleet import Fleet, VehicleType
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

DEPOTS = 2
TYPES: dict[str, list[dict[str, Any]]] = {
    "sizes": [{"capacities": (10,), "fixed_cost": 20}, {"capacities": (22,), "fixed_cost": 45}],
    "rates": [{"distance_cost": 3, "capacities": (12,)}, {"distance_cost": 2, "capacities": (18,), "fixed_cost": 9}],
    "depots": [{"capacities": (14,)}, {"capacities": (14,), "start": 1, "end": 1}],
    "limits": [{"capacities": (30,), "max_distance": 130}, {"capacities": (12,), "start": 1, "end": 1}],
    "shifts": [
        {"capacities": (30,), "opens": 10, "closes": 170},
        {"capacities": (12,), "start": 1, "end": 1, "max_duration": 140, "distance_cost": 2},
    ],
    "one": [{"capacities": (15,), "fixed_cost": 12}],
}


def bred_fleet(types: str, seed: int, *, prizes: bool, windows: bool, directed: bool, customers: int = 8) -> VRP:
    """Return a problem of two depots whose types are those of a name in ``TYPES``, three vehicles of each."""
    n = customers + DEPOTS
    rng = np.random.default_rng([seed, len(types)])
    demands = np.r_[np.zeros(DEPOTS, int), rng.integers(1, 9, customers)]
    opens = rng.integers(0, 120, customers).tolist()
    metric, points = METRICS["EUC_2D"], rng.integers(-40, 40, (n, 2)).astype(float)
    if directed:
        metric, points = METRICS["EXPLICIT"], rng.integers(1, 90, (n, n))
    return VRP(
        "mixed", metric, points, demands=demands, capacity=30, depots=tuple(range(DEPOTS)),
        fleet=Fleet(tuple(VehicleType(count=3, **each) for each in TYPES[types])),
        prizes=np.where(rng.random(n) < 0.6, rng.integers(10, 120, n), np.inf) if prizes else None,
        windows=TimeWindows.of([None] * DEPOTS + [(t, t + 40) for t in opens], n) if windows else None,
        service_times=np.r_[np.zeros(DEPOTS), rng.integers(0, 9, customers)].astype(float) if windows else np.zeros(n),
    )  # fmt: skip
