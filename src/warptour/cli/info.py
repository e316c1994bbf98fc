"""``warptour info``: a summary of a problem file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import numpy as np

from warptour.cli.declare import Only
from warptour.cli.options import File, Json, read_given
from warptour.cli.show import show_json, show_rows
from warptour.io.reading import ReadOptions
from warptour.io.sheet import Sheet
from warptour.model.clock import format_duration, format_time
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.progress import format_cost

TYPES: Final = 6
"""Maximum number of types of vehicles that are named."""

READING = (
    "rounding latlon capacity depot fleet shift matrix durations speed roads profile snap traffic osrm valhalla "
    "max_hours service_minutes depart minimize unit columns ignore decimal strict"
)


def info(file: File, given: Annotated[ReadOptions, Only(READING)], as_json: Json = False) -> int:
    """Describe the problem in FILE."""
    problem = read_given(file, given)
    kind = _vehicles(problem) if isinstance(problem, VRP) else _tour(problem)
    facts = {**_nodes(problem), "columns": _columns(problem), **kind, **_times(problem)}
    if as_json:
        show_json({**facts, "warnings": list(problem.warnings)})
    else:
        _show(facts, _time_texts(problem))
    return 0


def _show(facts: dict[str, Any], own: Mapping[str, str | None]) -> None:
    """Print facts; those that are written in a way of their own have a text in ``own``."""
    texts = {name: own[name] if name in own else _text(value) for name, value in facts.items()}
    show_rows({name.replace("_", " "): text for name, text in texts.items()})


def _nodes(problem: TSP | VRP) -> dict[str, Any]:
    spots = problem.map
    extent = None if spots is None else [spots.min(axis=0).tolist(), spots.max(axis=0).tolist()]
    duplicates = None if spots is None else problem.n - len(np.unique(spots, axis=0))
    return {
        "name": problem.name,
        "kind": problem.kind,
        "n": problem.n,
        "metric": problem.metric.name,
        "unit": problem.unit,
        "asymmetric": problem.asymmetric or None,
        "extent": extent,
        "duplicates": duplicates,
        "best_known": problem.best_known,
    }


def _columns(problem: TSP | VRP) -> dict[str, str] | None:
    """Return the header of each column of a spreadsheet that is used."""
    sheet = problem.table
    if not isinstance(sheet, Sheet) or not sheet.header:
        return None
    return {name: sheet.header[at].strip() for name, at in sheet.columns.items()}


def _tour(problem: TSP) -> dict[str, Any]:
    return {"open": problem.open, "fixed_edges": len(problem.fixed_edges)}


def _vehicles(problem: VRP) -> dict[str, Any]:
    loads, room = problem.loads
    return {
        "depot": problem.depot + 1,
        "capacity": None if problem.fleet is not None else problem.capacity,
        "total_demand": np.maximum(problem.demands, 0).sum().item(),
        "largest_demand": problem.demands.max().item(),
        "routes_at_least": None if problem.mixed else int(np.ceil(loads.sum() / room)),
        "vehicles": problem.vehicles,
        "max_distance": problem.max_distance,
        "fixed_cost": problem.fixed_cost or None,
        **_choices(problem),
        **_windows(problem),
    }


def _choices(problem: VRP) -> dict[str, Any]:
    """Return what is known of vehicles that differ, and of customers that need not be served."""
    facts: dict[str, Any] = {}
    if problem.fleet is not None:
        fleet = problem.fleet
        names = [f"{count} {fleet.type_name(kind)}" for kind, count in enumerate(fleet.counts.tolist())]
        facts["fleet"] = ", ".join(names[:TYPES]) + (
            f" and {len(names) - TYPES} more types" if len(names) > TYPES else ""
        )
        facts["depots"] = len(problem.depots)
    if problem.prizes is not None:
        facts["optional"] = int(np.isfinite(problem.prizes[problem.customers]).sum())
    if problem.shipments:
        facts["shipments"] = len(problem.shipments)
        facts["longest_rides"] = len(problem.longest_rides) or None
    if problem.pickups is not None:
        facts["total_pickup"], facts["backhauls"] = problem.pickups[:, 0].sum().item(), problem.backhauls
    if problem.alternatives:
        facts["alternatives"] = len(problem.alternatives)
    if problem.together or problem.apart:
        facts["together"], facts["apart"] = len(problem.together), len(problem.apart)
    return facts


def _windows(problem: VRP) -> dict[str, Any]:
    """Return what is known of time windows, in seconds with a clock, and of the times of a problem without one."""
    windows, customers, depot = problem.windows, problem.customers, problem.depot
    facts: dict[str, Any] = {"open_routes": problem.open or None}
    if windows is not None:
        narrow = (windows.opens > 0) | np.isfinite(windows.closes)
        gaps = np.diff(windows.ends, prepend=0)
        ends = float(windows.opens[depot]), float(windows.closes[depot])
        facts |= {
            "time_windows": int(narrow[customers].sum()),
            "several_windows": int((gaps[customers] > 0).sum()) or None,
            "horizon": [end if np.isfinite(end) else None for end in ends] if narrow[depot] else None,
        }
    services = problem.service_times[customers]
    if services.any():
        facts["service_times"] = [float(services.min()), float(services.max())]
    prices = {"hour_cost": problem.hour_cost or None, "late_cost": problem.late_cost, "max_wait": problem.max_wait}
    return facts | {"max_duration": problem.max_duration} | prices


def _times(problem: TSP | VRP) -> dict[str, Any]:
    """Return what a clock says, in seconds."""
    clock = problem.clock
    if clock is None:
        return {}
    return {
        "travel_times": "at one speed" if clock.pace is not None else "a matrix",
        "minimizes": problem.minimizes,
        "max_duration": problem.max_duration if isinstance(problem, VRP) else None,
        "total_service": float(clock.services.sum()),
        "depart": clock.depart,
    }


def _time_texts(problem: TSP | VRP) -> dict[str, str | None]:
    """Return the times among the facts for people."""
    forms = {"max_duration": format_duration, "total_service": format_duration, "depart": format_time}
    times = _times(problem)
    texts: dict[str, str | None] = {
        name: forms[name](value) for name, value in times.items() if name in forms and value is not None
    }
    facts = _windows(problem) if isinstance(problem, VRP) else {}
    if isinstance(problem, VRP) and problem.windows is not None:
        texts["time_windows"] = f"{facts['time_windows']:,} of {len(problem.customers):,} customers"
        if facts["horizon"] is not None:
            texts["horizon"] = problem.windows.text(problem.depot, problem.clock is not None)
    if "service_times" in facts:
        texts["service_times"] = _range(facts["service_times"])
    if isinstance(problem, VRP) and problem.max_wait is not None:
        texts["max_wait"] = problem.time_text(problem.max_wait)
    return texts


def _range(ends: list[float]) -> str:
    """Return two ends formatted for display, or one if they are the same."""
    return "..".join(f"{end:g}" for end in dict.fromkeys(ends))


def _text(value: Any) -> str | None:
    """Return a value formatted for display."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} is {header!r}" for name, header in value.items())
    if isinstance(value, list):
        low, high = value
        return " x ".join(f"{a:g}..{b:g}" for a, b in zip(low, high, strict=True))
    return format_cost(value)
