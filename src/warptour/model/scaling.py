"""Units of benchmarks: every quantity of a problem times 10 or 1,000, and whole distances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

import numpy as np

from warptour.model.errors import InputError, UsageError
from warptour.model.fleet import VehicleType
from warptour.model.metric import Floats, Rounding, Scaling
from warptour.model.problem import Problem
from warptour.model.rests import Break, DrivingRule
from warptour.model.vehicles import VRP
from warptour.model.windows import LATEST, TimeWindows

AnyProblem = TypeVar("AnyProblem", bound=Problem)

FACTORS: Final[dict[Scaling, tuple[int, Rounding]]] = {"dimacs": (10, "floor"), "exact": (1000, "nearest")}
"""Factor of all quantities, and the rounding of the products."""

OF_TYPES: Final = ("opens", "closes", "max_distance", "max_duration", "fixed_cost", "overtime")
"""Such fields of a type of vehicles."""
AMOUNTS: Final = ("max_distance", "max_duration", "max_wait", "fixed_cost")
"""Fields of a VRP that are distances, times or costs; prices of a unit of time are not scaled, as both change."""


def scaled(problem: AnyProblem, scaling: Scaling) -> AnyProblem:
    """Return a problem in the unit of a benchmark: ``dimacs`` or ``exact``.

    Coordinates are multiplied, and their distances rounded, so distances are exact. Every time, limit and cost is
    multiplied and rounded likewise; loads are not. Its best known value no longer applies and is dropped.

    Raises
    ------
    UsageError
        If distances or times have a unit, as on the Earth.
    """
    factor, rounding = FACTORS[scaling]
    if problem.unit is not None or problem.clock is not None or problem.metric.norm in ("geo", "great_circle"):
        raise UsageError(f"--rounding {scaling} is for distances without a unit, on a plane or in a matrix")

    def whole(values: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.floor(values * factor + (0.5 if rounding == "nearest" else 0.0))

    name = f"{problem.metric.name.split('/')[0]}/{scaling}"
    fields: dict[str, Any] = {
        "metric": replace(problem.metric, name=name, rounding=rounding),
        "points": problem.points * factor,
        "best_known": None,
    }
    if isinstance(problem, VRP):
        for name in AMOUNTS:
            if getattr(problem, name) is not None:
                amount = float(whole(np.array(getattr(problem, name), np.float64)))
                fields[name] = int(amount) if amount < LATEST else amount
        if problem.fleet is not None:
            types = tuple(replace(each, **_of_type(each, whole)) for each in problem.fleet.types)
            fields["fleet"] = replace(problem.fleet, types=types)
        fields["prizes"] = None if problem.prizes is None else whole(problem.prizes)
        fields["service_times"] = whole(problem.service_times)
        fields["windows"] = None if problem.windows is None else _times(problem.windows, whole)
        fields["releases"] = None if problem.releases is None else whole(problem.releases)
        fields["shipments"] = tuple(
            each if each.max_ride is None else replace(each, max_ride=float(whole(np.array(each.max_ride, np.float64))))
            for each in problem.shipments
        )
    return replace(problem, **fields)


def _of_type(each: VehicleType, whole: Callable[[Floats], Floats]) -> dict[str, Any]:
    fields: dict[str, Any] = {name: float(whole(np.array(getattr(each, name), np.float64))) for name in OF_TYPES}
    breaks = [Break(*whole(np.array([rest.opens, rest.closes, rest.length])).tolist()) for rest in each.breaks]
    rule = each.driving
    driving = None if rule is None else DrivingRule(*whole(np.array([rule.most, rule.length])).tolist())
    return fields | {"breaks": tuple(breaks), "driving": driving}


def _times(windows: TimeWindows, whole: Callable[[Floats], Floats]) -> TimeWindows:
    times: dict[str, Any] = {name: whole(getattr(windows, name)) for name in ("opens", "closes", "gaps")}
    late = max(float(array[np.isfinite(array)].max(initial=0)) for array in times.values())
    if late > LATEST:
        raise InputError(f"time windows reach {late:.3g}, and beyond 2**50 times are not exact; use a larger unit")
    return replace(windows, **times)
