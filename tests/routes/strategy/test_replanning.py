"""Planning again while vehicles are under way, judged by a walk along all plans that shares no code with the search."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import warptour as wt
from warptour.io.locked import with_plan
from warptour.io.plan_json import trips_facts
from warptour.model.vehicles import VRP

NOW = 20


@dataclass
class Day:
    """A plan under way: vehicle 1 has served some stops, vehicle 2 none but is out, others wait at the depot."""

    distances: np.ndarray[Any, Any]
    windows: list[tuple[int, int]]
    demands: list[int]
    capacity: int
    closes: int
    service: int
    vehicles: list[dict[str, Any]]
    change_cost: int

    @property
    def problem(self) -> VRP:
        n = len(self.demands)
        return VRP.from_matrix(
            self.distances, demands=self.demands, capacity=self.capacity, vehicles=3,
            windows=[(0, self.closes), *self.windows], service_times=[0] + [self.service] * (n - 1),
        )  # fmt: skip


def a_day(seed: int) -> Day:
    rng = np.random.default_rng(seed)
    n = 9
    points = rng.integers(0, 30, (n, 2))
    distances = np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))).astype(int)
    opens = rng.integers(0, 60, n - 1)
    windows = [(int(at), int(at + rng.integers(40, 160))) for at in opens]
    times = rng.integers(NOW, 40, 2).tolist()
    first: dict[str, Any] = {"vehicle": 1, "stops": [2, 3, 4, 5], "done": 2, "at": 3, "time": times[0]}
    second: dict[str, Any] = {"vehicle": 2, "stops": [6, 7, 8], "at": 1, "time": times[1]}
    lock = seed % 6
    if lock == 1:
        second |= {"order": [int(node) for node in rng.permutation([6, 7, 8])]}
    if lock == 2:
        second |= {"first": [8]}
    if lock == 3:
        second |= {"last": [6, 7], "new": False}
    if lock == 4:
        first |= {"stays": True}
    demands = [0, *rng.integers(1, 5, n - 1).tolist()]
    change = int(rng.choice([0, 7, 40]))
    return Day(distances, windows, demands, 14, 260, 3, [first, second], change)


def numbers(listed: list[int]) -> list[int]:
    return [node - 1 for node in listed]


def states(day: Day) -> list[dict[str, Any]]:
    """Return what each of three vehicles is: place, time, room, and who may, must and must not be where on it."""
    found = []
    for at in range(3):
        given = next((each for each in day.vehicles if each["vehicle"] == at + 1), {})
        stops = numbers(given.get("stops", []))
        done = stops[: given.get("done", 0)]
        left = stops[len(done) :]
        stays = {*left} if given.get("stays") is True else set()
        stays |= {*numbers(given.get("first", [])), *numbers(given.get("last", [])), *numbers(given.get("order", []))}
        found.append(
            {
                "place": given["at"] - 1 if given else 0,
                "time": given.get("time", NOW),
                "out": bool(given),
                "room": day.capacity - sum(day.demands[node] for node in done),
                "left": left,
                "stays": stays,
                "first": numbers(given.get("first", [])),
                "last": numbers(given.get("last", [])),
                "order": numbers(given.get("order", [])),
                "new": given.get("new", True),
                "done": done,
            }
        )
    return found


def cost_of(day: Day, vehicles: list[dict[str, Any]], at: int, route: tuple[int, ...]) -> float:
    """Return what a vehicle's route costs, infinite if it breaks something."""
    own = vehicles[at]
    if not route:
        return float(day.distances[own["place"], 0]) if own["out"] else 0.0
    if sum(day.demands[node] for node in route) > own["room"]:
        return np.inf
    for other in range(3):
        if other != at and vehicles[other]["stays"] & {*route}:
            return np.inf
    if not own["new"] and {*route} - {*own["left"]}:
        return np.inf
    k, m = len(own["first"]), len(own["last"])
    if [*route[:k]] != own["first"] or (m and [*route[-m:]] != own["last"]):
        return np.inf
    if [node for node in route if node in own["order"]] != own["order"]:
        return np.inf
    time, place, length = own["time"], own["place"], 0.0
    for node in route:
        length += day.distances[place, node]
        opens, closes = day.windows[node - 1]
        time = max(time + day.distances[place, node], opens)
        if time > closes:
            return np.inf
        time, place = time + day.service, node
    if time + day.distances[place, 0] > day.closes:
        return np.inf
    changed = sum(any(node in other["left"] for other in vehicles if other is not own) for node in route)
    return length + float(day.distances[place, 0]) + day.change_cost * changed


def best_cost(day: Day) -> float:
    """Return the lowest cost of all plans."""
    vehicles = states(day)
    gone = {node for each in vehicles for node in each["done"]}
    stops = [node for node in range(1, len(day.demands)) if node not in gone]
    known: dict[tuple[int, frozenset[int]], float] = {}

    def cheapest(at: int, nodes: frozenset[int]) -> float:
        if (at, nodes) not in known:
            known[at, nodes] = min(cost_of(day, vehicles, at, route) for route in permutations(sorted(nodes)))
        return known[at, nodes]

    best = np.inf
    for homes in product(range(3), repeat=len(stops)):
        parts = [frozenset(node for node, home in zip(stops, homes, strict=True) if home == at) for at in range(3)]
        if any(each["stays"] - part for each, part in zip(vehicles, parts, strict=True)):
            continue
        cost = 0.0
        for at, part in enumerate(parts):
            cost += cheapest(at, part)
            if cost >= best:
                break
        best = min(best, cost)
    return best


@pytest.mark.parametrize("seed", range(18))
def test_few_stops_are_planned_again_best(seed: int) -> None:
    day = a_day(seed)
    expected = best_cost(day)
    plan = {"now": NOW, "vehicles": day.vehicles}
    if np.isinf(expected):
        with pytest.raises((wt.InfeasibleError, wt.NothingFound)):
            wt.solve(day.problem, locked=plan, change_cost=day.change_cost, iterations=3000, threads=1)
        return
    result = wt.solve(day.problem, locked=plan, change_cost=day.change_cost, iterations=3000, threads=1)
    assert result.feasible and result.cost == expected
    assert result.problem.check(result.routes).feasible


def cities(n: int, vehicles: int, seed: int) -> VRP:
    rng = np.random.default_rng(seed)
    return VRP.from_points(
        rng.integers(0, 1000, (n, 2)), demands=[0] + [1] * (n - 1), capacity=3 * n // (2 * vehicles), vehicles=vehicles,
        metric="EUC_2D",
    )  # fmt: skip


@pytest.mark.threads
def test_a_price_keeps_stops_on_their_vehicles() -> None:
    problem = cities(120, 6, 3)
    rng = np.random.default_rng(4)
    plan = [route.tolist() for route in np.array_split(1 + rng.permutation(109), 6)]
    counts = {}
    for price in (0, 30, 10_000):
        result = wt.solve(problem, locked=plan, change_cost=price, iterations=12_000, threads=3)
        assert result.feasible
        changes = result.changes
        counts[price] = len(changes.moved)
        assert len(changes.new) == 10 and changes.dropped == []
        travel = sum(problem.route_cost(route) for route in result.routes)
        assert result.cost == pytest.approx(travel + price * len(changes.moved))
    assert counts[0] > counts[30] > 0 and counts[10_000] == 0


@pytest.mark.threads
def test_threads_keep_orders() -> None:
    problem = cities(100, 5, 5)
    planned = wt.solve(problem, iterations=2000, threads=1).routes
    vehicles = [
        {"vehicle": at + 1, "stops": (route + 1).tolist(), "order": (route[2:8] + 1).tolist(), "first": 1, "last": 2}
        for at, route in enumerate(planned)
    ]
    for each in vehicles:
        each["order"] = [node for node in each["order"] if node not in (each["stops"][0], *each["stops"][-2:])]
    result = wt.solve(problem, locked={"vehicles": vehicles}, seconds=0.5, threads=3)
    assert result.feasible and result.problem.check(result.routes).feasible
    for each, route in zip(vehicles, result.routes, strict=False):
        found = (route + 1).tolist()
        assert [found[0], *found[-2:]] == [each["stops"][0], *each["stops"][-2:]]
        assert [node for node in found if node in each["order"]] == each["order"]


def test_plans_that_no_longer_fit_are_mended() -> None:
    problem = cities(60, 4, 6)
    routes = [list(range(1, 40)), list(range(40, 60)), [], []]
    result = wt.solve(problem, locked=routes, iterations=2000, threads=1)
    assert result.feasible and result.changes.moved


def test_vehicles_are_not_emptied_for_the_way_home() -> None:
    """Two vehicles are at one far place, each with a stop there: that one of them does both saves nothing."""
    points = [(0, 0), (100, 0), (100, 3), (100, -3), (60, 0)]
    problem = VRP.from_points(points, demands=[0, 1, 1, 1, 1], capacity=9, vehicles=2, metric="EUC_2D")
    plan = {"vehicles": [{"stops": [3, 5], "at": 2}, {"stops": [4], "at": 2}]}
    result = wt.solve(problem, locked=plan, iterations=500, threads=1)
    assert result.cost == 206 and all(len(route) for route in result.routes)


def lengths(points: np.ndarray[Any, Any], start: int, route: tuple[int, ...]) -> float:
    path = points[[start, *route, 0]]
    return float(abs(np.diff(path, axis=0)).sum())


@pytest.mark.parametrize("seed", range(12))
def test_who_has_picked_up_goods_delivers_no_more(seed: int) -> None:
    """Vehicle 1 has served stops 1 and 2, the latter with a pickup in every other seed; the rest is planned best."""
    rng = np.random.default_rng([seed, 2])
    points, taken = rng.integers(0, 20, (8, 2)), seed % 2
    pickups = [0, 0, taken, 1, 1, 0, 0, 0]
    problem = VRP.from_points(
        points, demands=[0, 1, 0, 0, 0, 1, 1, 1], pickups=pickups, capacity=9, vehicles=2, metric="MAN_2D",
        backhauls="last",
    )  # fmt: skip
    plan = {"vehicles": [{"stops": [2, 3, 4, 6], "done": 2, "time": 0}, {"stops": [5, 7, 8]}]}
    best = np.inf
    for size in range(6):
        for order in permutations(range(3, 8)):
            routes = order[:size], order[size:]
            ranks = [[pickups[node] for node in route] for route in routes]
            if any(own != sorted(own) for own in ranks) or (taken and not all(ranks[0])):
                continue
            out = lengths(points, 2, routes[0]) + (lengths(points, 0, routes[1]) if routes[1] else 0.0)
            best = min(best, out)
    result = wt.solve(problem, locked=plan, iterations=3000, threads=1)
    assert result.cost == best and result.problem.check(result.routes).feasible


@pytest.mark.parametrize("seed", range(8))
def test_goods_are_a_stack_when_orders_are_new(seed: int) -> None:
    rng = np.random.default_rng([seed, 5])
    points = rng.integers(0, 20, (8, 2))
    pairs = [(1, 2), (3, 4), (5, 6)]
    problem = VRP.from_points(
        points, demands=[0, 1, 0, 1, 0, 1, 0, 0], capacity=3, vehicles=1, metric="MAN_2D", shipments=pairs, lifo=True,
    )  # fmt: skip
    plan = {"vehicles": [{"stops": [8, 2, 3, 4, 5], "done": 3, "time": 0}]}
    stacks = [(3, 4, 5, 6), (3, 5, 6, 4), (5, 6, 3, 4), (5, 3, 4, 6)]
    best = min(lengths(points, 2, order) for order in stacks)
    result = wt.solve(problem, locked=plan, iterations=2000, threads=1)
    assert result.cost == best and result.problem.check(result.routes).feasible


@pytest.mark.parametrize("seed", range(10))
def test_what_is_left_of_a_plan_is_one_at_any_time(seed: int) -> None:
    """Goods aboard, what was handed out, longest rides and hours leave the plan as feasible as it was."""
    rng = np.random.default_rng([seed, 6])
    points = rng.integers(0, 30, (15, 2))
    opens = rng.integers(0, 120, 15)
    apart = abs(points[1:11:2] - points[2:11:2]).sum(axis=1)
    problem = VRP.from_points(
        points, demands=[0, *[3, 0] * 5, 2, 2, 2, 2], capacity=9, vehicles=4, metric="MAN_2D",
        windows=[(0, 400), *((int(at), int(at) + 150) if k % 2 else None for k, at in enumerate(opens[1:]))],
        shipments=[wt.Shipment(k, k + 1, int(2 * apart[k // 2] + 20)) for k in range(1, 11, 2)],
    )  # fmt: skip
    morning = wt.solve(problem, iterations=1500, threads=1)
    plan = {
        "solution": [(route + 1).tolist() for route in morning.routes],
        "trips": trips_facts(problem, morning.trips),
    }
    for now in range(0, 300, 23):
        if now < max(trip.times.departures[-2] for trip in morning.trips):
            left = with_plan(problem, plan, now=now)
            assert left.check(left.locks.plan).violations == ()
