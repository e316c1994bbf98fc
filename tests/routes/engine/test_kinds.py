"""Routes of vehicles that differ cost in kernels what the checker says: any windows, speeds and prices."""

from __future__ import annotations

import numpy as np
import pytest

from warptour.model.fleet import Fleet, VehicleType
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows
from warptour.routes.engine.instance import RouteInstance
from warptour.routes.engine.route_state import RouteState

N = 30
SHIFTS = ((0, 600), (100, 500), (0, 1000))


def problem(rng: np.random.Generator, *, several: bool, hour_cost: float, speeds: tuple[float, ...]) -> VRP:
    opens = rng.integers(0, 200, N)
    twice = [(int(a), int(a) + 60) for a in opens], [(int(a) + 250, int(a) + 330) for a in opens]
    windows = [None, *([first, then] if several else first for first, then in zip(*twice, strict=True))][:N]
    types = tuple(
        VehicleType(
            count=1, capacities=(N,), opens=opens, closes=closes, hour_cost=hour_cost * kind, fixed_cost=9, speed=speed
        )
        for kind, ((opens, closes), speed) in enumerate(zip(SHIFTS, speeds, strict=True))
    )
    plain = VRP.from_points(rng.integers(0, 60, (N, 2)), demands=np.arange(N) > 0, capacity=N)
    return plain.part(np.arange(N), fleet=Fleet(types), windows=TimeWindows.of(windows, N))


@pytest.mark.parametrize("speeds", [(1.0, 1.0, 1.0), (1.0, 0.5, 2.0)])
@pytest.mark.parametrize("hour_cost", [0.0, 1.5])
@pytest.mark.parametrize("several", [False, True])
def test_routes_cost_what_the_checker_says(several: bool, hour_cost: float, speeds: tuple[float, ...]) -> None:
    rng = np.random.default_rng(1)
    given = problem(rng, several=several, hour_cost=hour_cost, speeds=speeds)
    instance = RouteInstance.of(given, N, 1, lambda: False)
    assert instance.kinds is not None
    judged = 0
    for _ in range(300):
        vehicle, route = int(rng.integers(3)), rng.choice(np.arange(1, N), int(rng.integers(1, 5)), replace=False)
        plan = [route if each == vehicle else np.empty(0, np.int64) for each in range(3)]
        report = given.check(plan)
        if any(fault.startswith("vehicle") for fault in report.violations):
            continue
        judged += 1
        state = RouteState(instance, instance.enter(plan), 3)
        assert state.cost * instance.kinds.unit == pytest.approx(report.cost, rel=1e-7), (vehicle, route)
    assert judged > 50
