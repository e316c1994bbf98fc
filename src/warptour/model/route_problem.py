"""What a vehicle routing problem says: its fields, checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Final, cast

import numpy as np
from numpy.typing import NDArray

from warptour.model.audience import count
from warptour.model.clock import amounts
from warptour.model.errors import InputError, UsageError
from warptour.model.exactness import check_cost, check_load
from warptour.model.fleet import Alternatives, Fleet
from warptour.model.frozen import freeze, immutable
from warptour.model.locks import Locks
from warptour.model.metric import Floats, Ints, Nodes
from warptour.model.pickups import backhaul_rule, pickup_table
from warptour.model.problem import Problem
from warptour.model.quantities import as_float64, finite_number, whole_number
from warptour.model.shipments import Shipment, ends_of, shipments_of, signed, unsigned
from warptour.model.windows import TimeWindows

MAX_VEHICLES = 2**31 - 1
"""Maximum value of a vehicle limit, since kernels count in int32."""

BALANCED: Final = ("hours", "stops", "load", "distance")
"""What of the largest route may come before the cost."""


@dataclass(frozen=True, eq=False, repr=False)
class RouteProblem(Problem):
    """The fields of :class:`VRP`, which describes them."""

    kind: ClassVar[str] = "vrp"

    demands: Ints | Floats = field(default_factory=lambda: np.empty(0, np.int64))
    capacity: float = 0
    depot: int = 0
    max_distance: float | None = None
    service_times: Floats = field(default_factory=lambda: np.empty(0))
    vehicles: int | None = None
    fixed_cost: float = 0
    max_duration: float | None = None
    windows: TimeWindows | None = field(default=None, kw_only=True)
    open: bool = field(default=False, kw_only=True)
    hour_cost: float = field(default=0, kw_only=True)
    late_cost: float | None = field(default=None, kw_only=True)
    max_wait: float | None = field(default=None, kw_only=True)
    fewest: bool = field(default=False, kw_only=True)
    fleet: Fleet | None = field(default=None, kw_only=True)
    depots: tuple[int, ...] = field(default=(), kw_only=True)
    prizes: Floats | None = field(default=None, kw_only=True)
    alternatives: tuple[Alternatives, ...] = field(default=(), kw_only=True)
    more_demands: Floats | None = field(default=None, kw_only=True)
    more_capacities: tuple[float, ...] = field(default=(), kw_only=True)
    most_stops: int | None = field(default=None, kw_only=True)
    together: tuple[tuple[int, ...], ...] = field(default=(), kw_only=True)
    apart: tuple[tuple[int, ...], ...] = field(default=(), kw_only=True)
    releases: Floats | None = field(default=None, kw_only=True)
    balance: str | None = field(default=None, kw_only=True)
    shipments: tuple[Shipment, ...] = field(default=(), kw_only=True)
    locks: Locks | None = field(default=None, kw_only=True, repr=False)
    pickups: NDArray[Any] | None = field(default=None, kw_only=True)
    backhauls: str | None = field(default=None, kw_only=True)
    lifo: bool = field(default=False, kw_only=True)
    max_trips: int | None = field(default=1, kw_only=True)
    copies: tuple[int, ...] = field(default=(), kw_only=True, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_depots()
        shipments = shipments_of(self.shipments, self.n, self.depots, self.describe)
        object.__setattr__(self, "shipments", shipments)
        object.__setattr__(self, "lifo", bool(self.lifo) and len(shipments) > 0)
        demands = amounts(unsigned(self.demands, shipments), "demand", self.n)
        if not np.issubdtype(demands.dtype, np.integer):
            demands = as_float64(demands)
        given = np.size(self.service_times) > 0
        services = amounts(self.service_times, "service time", self.n) if given else np.zeros(self.n)
        check_load(demands)
        freeze(self, "demands", signed(demands, shipments, self.describe), self.demands)
        freeze(self, "service_times", np.asarray(services, np.float64), self.service_times)
        self._check_loads()
        if self.fleet is None:
            self._check_vehicles()
        else:
            self._check_fleet(self.fleet)
        self._check_times()
        self._check_choices()
        self._check_balance()
        self._check_trips()
        check_cost(self, self.depot)

    def _check_depots(self) -> None:
        """Set :attr:`depots`, and raise :class:`InputError` for a depot that is none."""
        places = (
            set()
            if self.fleet is None
            else {node for place in self.fleet.places if (node := whole_number(place)) is not None}
        )
        for place in (self.depot, *self.depots):
            node = whole_number(place)
            if node is None or not 0 <= node < self.n:
                raise InputError(f"depot is {place!r}; here nodes are counted from 0 to {self.n - 1}")
            places.add(node)
        depots = tuple(sorted(place for place in places if 0 <= place < self.n))
        if len(depots) > 1 and self.fleet is None:
            raise InputError(f"{len(depots)} depots need a fleet: a type of vehicles for each")
        object.__setattr__(self, "depot", whole_number(self.depot))
        object.__setattr__(self, "depots", depots)

    def _check_loads(self) -> None:
        """Check further dimensions of loads, and that depots load nothing."""
        if self.more_demands is not None:
            try:
                more = as_float64(unsigned(self.more_demands, self.shipments))
            except (TypeError, ValueError):
                raise InputError("further demands are numbers in rows of the same length") from None
            if more.ndim != 2 or len(more) != self.n:
                raise InputError(f"further demands have a row for each of {self.n} nodes, not the shape {more.shape}")
            wrong = ~(more >= 0) | np.isinf(more)
            if wrong.any():
                node, at = np.argwhere(wrong)[0].tolist()
                raise InputError(
                    f"node {count(node)} has the demand {more[node, at]}; it must be a number of at least 0"
                )
            for column in more.T:
                check_load(column)
            freeze(self, "more_demands", signed(more, self.shipments, self.describe), self.more_demands)
        for depot in self.depots:
            if self.demand_table[depot].any():
                raise InputError(f"the depot {count(depot)} has the demand {self.demands[depot]}; it must be 0")
        shipped = ends_of(self.shipments).reshape(-1).tolist()
        pickups = pickup_table(self.pickups, self.n, self.dimensions, self.depots, shipped, self.describe)
        object.__setattr__(self, "pickups", None if pickups is None else immutable(pickups))
        object.__setattr__(self, "backhauls", backhaul_rule(self.backhauls, pickups))

    def _check_vehicles(self) -> None:
        """Check what all vehicles have, and set it as numbers."""
        capacity, limit, fixed_cost = (
            finite_number(self.capacity),
            finite_number(self.max_distance),
            finite_number(self.fixed_cost),
        )
        if capacity is None or capacity <= 0:
            raise InputError(f"the capacity is {self.capacity}; it must be a number above 0")
        more = [finite_number(each) for each in self.more_capacities]
        if len(more) != self.dimensions - 1 or any(each is None or each <= 0 for each in more):
            count = self.dimensions - 1
            raise InputError(f"{self.more_capacities} are no {count} capacities for {count} further demands, above 0")
        if self.max_distance is not None and (limit is None or limit <= 0):
            raise InputError(f"the route limit is {self.max_distance}; it must be a number above 0, or None")
        longest = finite_number(self.max_duration)
        if self.max_duration is not None and (longest is None or longest <= 0):
            raise InputError(f"the limit on durations is {self.max_duration}; it must be a number above 0, or None")
        if longest is not None and self.clock is None and self.windows is None and self.releases is None:
            raise InputError("a limit on durations needs travel times: a speed, or a matrix of durations")
        if fixed_cost is None or fixed_cost < 0:
            raise InputError(f"the fixed cost is {self.fixed_cost}; it must be a number of at least 0")
        vehicles, stops, trips = map(whole_number, (self.vehicles, self.most_stops, self.max_trips))
        if self.vehicles is not None and (vehicles is None or not 1 <= vehicles <= MAX_VEHICLES):
            raise InputError(f"{self.vehicles} vehicles; it must be an integer from 1 to {MAX_VEHICLES}, or None")
        if self.most_stops is not None and (stops is None or stops < 1):
            raise InputError(f"the limit on stops is {self.most_stops}; it must be an integer of at least 1, or None")
        if self.max_trips is not None and (trips is None or trips < 1):
            raise InputError(f"the limit on trips is {self.max_trips}; it must be an integer of at least 1, or None")
        for name, value in (
            ("capacity", capacity), ("max_distance", limit), ("fixed_cost", fixed_cost), ("vehicles", vehicles),
            ("max_trips", trips),
            ("max_duration", longest), ("most_stops", stops), ("more_capacities", tuple(more)),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    def _check_fleet(self, fleet: Fleet) -> None:
        """Check the types of vehicles, which alone say what vehicles may do and cost."""
        for name in ("max_distance", "max_duration", "most_stops", "fixed_cost", "hour_cost", "open"):
            if getattr(self, name) not in (None, 0):
                raise InputError(f"{name} is for vehicles that are all alike; of a fleet, each type has its own")
        if self.more_capacities:
            raise InputError("more_capacities are for vehicles that are all alike; of a fleet, each type has its own")
        if self.max_trips != 1:
            raise InputError("max_trips is for vehicles that are all alike; of a fleet, each type has its own")
        fleet = fleet.of(self.n, self.n - len(self.depots), self.dimensions)
        largest = max(each.capacities[0] for each in fleet.types)
        self._check_own_ways(fleet)
        object.__setattr__(self, "fleet", fleet)
        object.__setattr__(self, "capacity", min(largest, float(np.finfo(np.float64).max)) or 1)
        object.__setattr__(self, "vehicles", max(1, len(fleet.kinds)))

    def _check_own_ways(self, fleet: Fleet) -> None:
        """Raise :class:`InputError` for own distances and times of types that the problem has no matrix beside."""
        clock = self.clock
        for kind, each in enumerate(fleet.types):
            who = f"vehicle type {fleet.type_name(kind)!r}"
            if each.matrix is not None and (self.matrix is None or (clock is not None and clock.distances is not None)):
                raise InputError(f"{who}: its own distances need a matrix of distances of the others, to be minimised")
            if each.matrix is not None and self.metric.integral and (each.matrix != np.floor(each.matrix)).any():
                raise InputError(f"{who}: its own distances are not all whole numbers, as those of the others are")
            if each.durations is not None and (clock is None or clock.durations is None):
                raise InputError(f"{who}: its own durations need a matrix of durations of the others")

    def _check_times(self) -> None:
        """Raise :class:`InputError` for windows of other nodes, and for negative prices and limits of times."""
        if self.windows is not None and len(self.windows.opens) != self.n:
            raise InputError(f"windows of {len(self.windows.opens)} nodes for {self.n}")
        for what, value in (
            ("cost of an hour", self.hour_cost), ("cost of an hour late", self.late_cost),
            ("longest wait", self.max_wait),
        ):  # fmt: skip
            number = finite_number(value)
            if value is not None and (number is None or number < 0):
                raise InputError(f"the {what} is {value}; it must be a number of at least 0")
        if self.clock is not None and self.clock.traffic is not None:
            self._check_traffic()
        if self.windows is None and (self.late_cost is not None or self.max_wait is not None):
            raise InputError("a cost of lateness and a limit on waits need time windows")
        if self.hour_cost and self.windows is None and self.clock is None:
            raise InputError("a cost of hours needs travel times: a speed, or a matrix of durations")
        if self.releases is not None:
            releases = as_float64(amounts(self.releases, "release time", self.n))
            late = [node for node in ends_of(self.shipments).reshape(-1).tolist() if releases[node] > 0]
            if late:
                fault = "is in a shipment, whose goods are not at the depot: give its pickup a window, not a release"
                raise InputError(f"{self.describe(late[0], 'customer')} {fault}")
            freeze(self, "releases", np.where(np.isin(np.arange(self.n), self.depots), 0.0, releases), self.releases)

    def _check_traffic(self) -> None:
        """Raise :class:`UsageError` for what travel times that depend on the time of day do not go with."""
        fault = "travel times that depend on the time of day do not go with"
        if self.fleet is not None:
            raise UsageError(f"{fault} a fleet or several depots yet")
        if self.shipments or self.pickups is not None:
            raise UsageError(f"{fault} {'shipments' if self.shipments else 'pickups'} yet")
        for name in ("hour_cost", "late_cost", "max_wait"):
            if getattr(self, name):
                raise UsageError(f"{fault} --{name.replace('_', '-')} yet")

    def _check_choices(self) -> None:
        """Check prizes, and groups of customers."""
        if self.prizes is not None:
            prizes = as_float64(self.prizes)
            if prizes.shape != (self.n,):
                raise InputError(f"prizes are one number for each of {self.n} nodes, not of shape {prizes.shape}")
            wrong = ~(prizes >= 0)
            if wrong.any():
                node = int(wrong.argmax())
                fault = f"has the prize {prizes[node]:g}; it must be at least 0, or infinite where it must be served"
                raise InputError(f"{self.describe(node, 'customer')} {fault}")
            for shipment in self.shipments:  # both ends are served, or neither
                ends = [shipment.pickup, shipment.delivery]
                if np.isinf(prizes[ends]).any() and not np.isinf(prizes[ends]).all():
                    prizes = np.where(np.isin(np.arange(self.n), ends), np.inf, prizes)
            freeze(self, "prizes", prizes, self.prizes)
        paired = {*ends_of(self.shipments).reshape(-1).tolist()}
        seen: set[int] = set()
        for each in self.alternatives:
            nodes = self._group(each.nodes, "alternatives")
            if seen.intersection(nodes):
                node = min(seen.intersection(nodes))
                raise InputError(f"{self.describe(node, 'customer')} is in two groups of alternatives")
            if paired.intersection(nodes):
                who = self.describe(min(paired.intersection(nodes)), "customer")
                raise InputError(f"{who} is in a shipment and among alternatives; it must be in one of them")
            seen.update(nodes)
        self._check_bonds(seen, paired)
        alternatives = tuple(Alternatives(tuple(map(int, each.nodes)), each.required) for each in self.alternatives)
        object.__setattr__(self, "alternatives", alternatives)

    def _check_balance(self) -> None:
        """Raise :class:`UsageError` if what is balanced is nothing, or would be by leaving customers out."""
        if self.balance is None:
            return
        if self.locks is not None:
            raise UsageError("even routes (--balance) do not go with a plan under way (--locked) yet")
        if self.balance not in BALANCED:
            raise UsageError(f"what is balanced is {', '.join(BALANCED[:-1])} or {BALANCED[-1]}, not {self.balance!r}")
        if self.balance == "hours" and self.clock is None and self.windows is None:
            raise UsageError("to balance hours needs travel times: a speed (--speed) or durations (--durations)")
        counts = [self.vehicles] if self.fleet is None else [each.count for each in self.fleet.types]
        if None in counts:
            raise UsageError(
                "to balance routes needs a number of vehicles (--vehicles): one for each stop is even, too"
            )
        if self.fewest:
            raise UsageError("the fewest vehicles (--minimize vehicles) and even routes contradict each other")
        if self.optional and (len(self.alternatives) > 0 or self.losses.any()):
            raise UsageError("routes are even where nobody is served; to balance them, all stops must be served")
        if self.clock is not None and self.clock.traffic is not None:
            raise UsageError("travel times that depend on the time of day do not go with --balance yet")

    def _check_trips(self) -> None:
        """Raise :class:`UsageError` for what several trips of a vehicle do not go with."""
        if not self.trips:
            return
        types = () if self.fleet is None else self.fleet.types
        for given, what in (
            (self.shipments, "shipments"), (self.backhauls, "backhauls"), (self.balance, "even routes (--balance)"),
            (self.open, "open routes"), (self.locks is not None, "a plan under way (--locked)"),
            (self.clock is not None and self.clock.traffic is not None, "travel times by the time of day"),
            (any(each.matrix is not None or each.durations is not None for each in types), "distances of each type"),
        ):  # fmt: skip
            if given:
                raise UsageError(f"several trips of a vehicle (--max-trips) do not go with {what} yet")

    def _check_bonds(self, alternatives: set[int], paired: set[int]) -> None:
        """Check who goes together and who stays apart; groups that share a customer go together as one."""
        together = joined([self._group(nodes, "together", 2) for nodes in self.together])
        apart = tuple(self._group(nodes, "apart", 2) for nodes in self.apart)
        object.__setattr__(self, "together", together)
        object.__setattr__(self, "apart", apart)
        both = alternatives.intersection(node for group in together for node in group)
        if both:
            who = self.describe(min(both), "customer")
            raise InputError(f"{who} is one of alternatives and goes together with others; it is one of both")
        both = paired.intersection(node for group in together for node in group)
        if both:
            raise InputError(f"{self.describe(min(both), 'customer')} is in a shipment, and goes together with others")
        ends = [(each.pickup, each.delivery) for each in self.shipments]
        company = {node: at for at, group in enumerate((*together, *ends)) for node in group}
        for group in apart:
            seen: dict[int, int] = {}
            for node in group:
                other = seen.setdefault(company.get(node, -1 - node), node)
                if other != node:
                    a, b = self.describe(other, "customer"), self.describe(node, "customer")
                    raise InputError(f"{a} and {b} are to be together and apart; they are one of both")

    def _group(self, nodes: Iterable[int], what: str, least: int = 1) -> tuple[int, ...]:
        """Return a group of customers as int; raise :class:`InputError` if it is none."""
        group = tuple(-1 if whole_number(node) is None else int(node) for node in nodes)
        if len(set(group)) != len(group) or len(group) < least:
            raise InputError(f"{what} {group} are different customers, at least {('one', 'two')[least - 1]}")
        for node in group:
            if not 0 <= node < self.n or node in self.depots:
                raise InputError(f"{what} {group}: {node} is not a customer; here nodes are 0 to {self.n - 1}")
        return group

    @property
    def customers(self) -> NDArray[np.int32]:
        """All nodes but the depots."""
        return np.delete(np.arange(self.n, dtype=np.int32), list(self.depots))

    @property
    def dimensions(self) -> int:
        """Number of dimensions of loads."""
        return 1 if self.more_demands is None else 1 + self.more_demands.shape[1]

    @property
    def demand_table(self) -> Ints | Floats:
        """Demands in all dimensions, of shape (n, dimensions)."""
        first = self.demands[:, None]
        if self.more_demands is None:
            return first
        table: Floats = np.concatenate((first, self.more_demands), axis=1)
        return table

    @property
    def mixed(self) -> bool:
        """Whether vehicles differ or are balanced, customers have bonds or may stay out, loads are several or change.

        Few searches know that.
        """
        bonds = len(self.together) + len(self.apart) + len(self.shipments) > 0
        limits = self.dimensions > 1 or self.most_stops is not None or self.balance is not None
        limits = limits or self.pickups is not None or self.trips
        return self.fleet is not None or self.optional or bonds or limits

    @cached_property
    def trips(self) -> bool:
        """Whether some vehicle may make several trips."""
        return self.max_trips != 1 if self.fleet is None else any(each.max_trips != 1 for each in self.fleet.types)

    @cached_property
    def docks(self) -> tuple[int, ...]:
        """Depots where some vehicle is loaded again: routes contain them between two trips."""
        if self.fleet is None:
            return (self.depot,) if self.trips else ()
        return tuple(sorted({place for each in self.fleet.types for place in each.docks}))

    @cached_property
    def reloads(self) -> NDArray[np.bool_]:
        """Which nodes stand between two trips of a route: depots and, in searches, copies of them."""
        reloads = np.zeros(self.n, np.bool_)
        reloads[[*self.docks, *self.copies]] = True
        return cast(NDArray[np.bool_], immutable(reloads))

    @cached_property
    def optional(self) -> bool:
        """Whether some customer need not be served."""
        return self.prizes is not None or len(self.alternatives) > 0

    @cached_property
    def required(self) -> NDArray[np.bool_]:
        """Which nodes are customers that must be served, whatever else is."""
        needed = np.ones(self.n, np.bool_) if self.prizes is None else np.isinf(self.prizes)
        needed[[node for each in self.alternatives for node in each.nodes]] = False
        needed[[*self.depots, *self.copies]] = False
        return cast(NDArray[np.bool_], immutable(needed))

    @cached_property
    def losses(self) -> Floats | Ints:
        """What is lost with each node that is not served; int64 if all are whole."""
        if self.prizes is None:
            return np.zeros(self.n, np.int64)
        losses = np.where(np.isinf(self.prizes), 0.0, self.prizes)
        losses[list(self.depots)] = 0.0
        whole = bool((losses == np.floor(losses)).all()) and float(losses.sum()) < 2.0**53
        return losses.astype(np.int64) if whole else losses

    @cached_property
    def asymmetric(self) -> bool:
        """Whether some distance differs from the one back; the way back to the depot of an open route is none."""
        own = [] if self.fleet is None else [each.matrix for each in self.fleet.types]
        tables = [table for table in (self.matrix, *own) if table is not None]
        return self.open or any(bool((table != table.T).any()) for table in tables)

    def distances(self, i: Nodes, j: Nodes) -> Floats | Ints:
        """Return the exact distances between nodes ``i`` and ``j``; to the depot of open routes, 0."""
        distances = super().distances(i, j)
        return cast(Floats, np.where(np.asarray(j) == self.depot, 0, distances)) if self.open else distances

    def road_lengths(self, i: Nodes, j: Nodes) -> Floats | Ints:
        """Return the distances between nodes also where durations are minimised."""
        lengths = super().road_lengths(i, j)
        return cast(Floats, np.where(np.asarray(j) == self.depot, 0, lengths)) if self.open else lengths

    def durations(self, i: Nodes, j: Nodes) -> Floats:
        """Return the travel times between nodes, in seconds, of a problem with a clock."""
        times = super().durations(i, j)
        return np.where(np.asarray(j) == self.depot, 0.0, times) if self.open else times

    @cached_property
    def companies(self) -> dict[int, tuple[int, ...]]:
        """The group of each customer who goes together with others."""
        return {node: group for group in self.together for node in group}


def joined(groups: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return groups that have no node in common: those that have one are joined."""
    home: dict[int, dict[int, None]] = {}
    for group in groups:
        whole: dict[int, None] = {}
        for node in group:
            whole |= home.get(node, {node: None})
        home |= dict.fromkeys(whole, whole)
    return tuple(tuple(each) for each in {id(each): each for each in home.values()}.values())
