"""Vehicles of a plan that is under way, and whether the plan contradicts itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

from warptour.model.errors import InputError
from warptour.model.problem import Problem
from warptour.model.shipments import Shipment


@dataclass(frozen=True)
class PlannedVehicle:
    """One vehicle of a plan, and how far it is; nodes from 0, times in seconds or, without a clock, its unit."""

    vehicle: int  # its number from 0
    # stops, done: stops that are still to be served, in order, and those that have been
    stops: tuple[int, ...]
    done: tuple[int, ...] = ()
    departures: tuple[float, ...] = ()  # when it left each of those; empty if that is unknown
    at: int | None = None  # where it is; None for its last done stop, or its start
    time: float | None = None  # when it can go on from there
    left: float | None = None  # when it left its start, for limits on hours
    # what it carries beside the goods for its stops; None for the demands of the stops that are done
    load: tuple[float, ...] | None = None
    stays: tuple[int, ...] = ()  # stops that no other vehicle may serve
    # first, last, order: stops that come first, that come last, and that keep their order whatever comes between; they
    # stay, too
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    takes_new: bool = True  # whether it may serve stops that were not planned for it
    name: str = ""
    place: str = ""  # where the plan says so, for messages

    @property
    def under_way(self) -> bool:
        """Whether it has left its start."""
        return bool(self.done) or self.at is not None or self.time is not None

    @property
    def locked(self) -> set[int]:
        """Stops that no other vehicle may serve."""
        return {*self.stays, *self.first, *self.last, *self.order}

    def ranks(self) -> dict[int, int]:
        """Return the ranks of the stops that come first and last, as :class:`~warptour.model.locks.Locks` has them."""
        first = {node: at - len(self.first) for at, node in enumerate(self.first)}
        return first | {node: at for at, node in enumerate(self.last, 1)}

    def fail(self, name: str, fault: str) -> NoReturn:
        """Raise the :class:`InputError` of a part of it."""
        raise InputError(f"{self.place}.{name}: {fault}" if self.place else f"vehicle {self.vehicle + 1}: {fault}")


def owners(problem: Problem, plan: Sequence[PlannedVehicle], depots: Sequence[int]) -> dict[int, PlannedVehicle]:
    """Return which vehicle each stop that is left is planned for.

    Raises :class:`InputError` for a plan that contradicts itself.
    """
    seen: dict[int, PlannedVehicle] = {}
    vehicles: dict[int, PlannedVehicle] = {}
    for each in plan:
        if vehicles.setdefault(each.vehicle, each) is not each:
            each.fail("vehicle", f"vehicle {each.vehicle + 1} is in the plan twice")
        for name, nodes in (("done", each.done), ("stops", each.stops)):
            for node in nodes:
                who, other = problem.describe(node, "stop"), seen.get(node)
                if node in depots:
                    each.fail(name, f"{who} is a depot")
                if other is not None and node in other.done:
                    each.fail(name, f"{who} is done already, by vehicle {other.vehicle + 1}")
                if other is not None:
                    whose = "twice" if other is each else f"for vehicle {other.vehicle + 1}, too"
                    each.fail(name, f"{who} is planned {whose}")
                seen[node] = each
    owner = {node: each for each in plan for node in each.stops}
    for each in plan:
        _check_locks(problem, each, owner)
        if each.at in owner:
            fault = "is still to be served: say that it is done, or where the vehicle was before"
            each.fail("at", f"{problem.describe(each.at or 0, 'stop')} {fault}")
    return owner


def _check_locks(problem: Problem, each: PlannedVehicle, owner: dict[int, PlannedVehicle]) -> None:
    """Raise :class:`InputError` for locks of a vehicle that contradict each other or its stops."""
    for name, nodes in (("stays", each.stays), ("first", each.first), ("last", each.last), ("order", each.order)):
        for node in nodes:
            if owner.get(node) is not each:
                fault = f"is not one of the stops that vehicle {each.vehicle + 1} has still to serve"
                each.fail(name, f"{problem.describe(node, 'stop')} {fault}")
        if len({*nodes}) < len(nodes):
            each.fail(name, "a stop is in it twice")
    both = {*each.first} & {*each.last}
    if both:
        each.fail("last", f"{problem.describe(min(both), 'stop')} is to be first and last")
    ranks = each.ranks()
    for a, b in pairwise(each.order):
        if ranks.get(a, 0) > ranks.get(b, 0):
            before, after = (problem.describe(node, "stop") for node in (a, b))
            each.fail("order", f"{before} before {after} contradicts which stops are first and last")


def check_pairs(problem: Problem, plan: Sequence[PlannedVehicle], shipments: Sequence[Shipment]) -> None:
    """Raise :class:`InputError` for locks that part shipments, or put a delivery before its pickup."""
    keepers = {node: each for each in plan for node in (*each.locked, *each.done)}
    for shipment in shipments:
        ends = shipment.pickup, shipment.delivery
        taken, brought = (problem.describe(node, "stop") for node in ends)
        first, second = (keepers.get(node) for node in ends)
        if first is not None and second is not None and first is not second:
            second.fail("stays", f"{brought} cannot stay there: its pickup, {taken}, is on vehicle {first.vehicle + 1}")
        for each in plan:
            ranks = each.ranks()
            early = ranks.get(ends[1], 0) < 0 and ends[0] not in each.done
            before = ranks.get(ends[0], 0) < ranks.get(ends[1], 0)
            for name, wrong in (
                ("first", early and not before), ("last", ranks.get(ends[0], 0) > 0 and not before),
                ("order", {*ends} <= {*each.order} and each.order.index(ends[1]) < each.order.index(ends[0])),
            ):  # fmt: skip
                if wrong:
                    each.fail(name, f"{brought} comes before its pickup, {taken}")
