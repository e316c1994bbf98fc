"""Fleets, depots, choices and further loads: searches find the best of all plans of few customers, and only plans that
the judge of the model accepts."""

from __future__ import annotations

import math
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import warptour as wt
from warptour.model.fleet import Alternatives, Fleet, VehicleType
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows


def random_problem(seed: int, *, released: bool = False, bonded: bool = False) -> VRP:
    """A problem of three or four customers, up to three depots and six vehicles, with some of all that there is.

    Only with ``released``, the goods of customers come to the depots during the day. Only with ``bonded``, some
    customers go together or stay apart, and there are five.
    """
    rng = np.random.default_rng(seed)
    depots, customers = int(rng.integers(1, 4)), 5 if bonded else int(rng.integers(3, 5))
    n = depots + customers
    some = [bool(rng.integers(2)) for _ in range(9)]
    wide = int(rng.integers(10, 30))
    demands = np.concatenate((np.zeros(depots, np.int64), rng.integers(0, 10, customers)))
    more = np.concatenate((np.zeros((depots, 1)), rng.integers(0, 5, (customers, 1)))) if some[0] else None
    types = []
    for _ in range(int(rng.integers(1, 4))):
        start = int(rng.integers(depots))
        end = start if rng.integers(2) else [None, *range(depots)][rng.integers(depots + 1)]
        opens = int(rng.integers(0, 20)) if some[1] else 0
        types.append(
            VehicleType(
                count=int(rng.integers(1, 3)),
                capacities=(wide, 12) if some[0] else (wide,),
                start=start if rng.integers(5) else None,
                end=end,
                opens=opens,
                closes=opens + int(rng.integers(150, 400)) if some[1] else math.inf,
                max_distance=int(rng.integers(150, 400)) if some[2] else math.inf,
                max_duration=int(rng.integers(100, 300)) if some[3] else math.inf,
                max_stops=int(rng.integers(1, 5)) if some[4] else None,
                fixed_cost=int(rng.integers(0, 60)),
                distance_cost=int(rng.integers(1, 4)) if some[5] else 1,
                hour_cost=int(rng.integers(0, 3)) if some[3] else 0,
                overtime=20 if some[3] and rng.integers(2) else 0,
                overtime_cost=2 if some[3] else 0,
                speed=float(rng.choice([1.0, 0.5, 2.0])) if some[1] and rng.integers(2) else 1.0,
            )
        )
    allowed = rng.random((n, len(types))) < 0.8 if some[6] else None
    opens = rng.integers(0, 100, n)
    hours = [[(a, a + 80)] if seed % 3 else [(a, a + 40), (a + 70, a + 110)] for a in opens[depots:].tolist()]
    windows = TimeWindows.of([None] * depots + hours, n) if some[1] else None
    alternatives: tuple[Alternatives, ...] = ()
    if some[7]:
        alternatives = (Alternatives((depots, depots + 1), required=bool(rng.integers(2))),)
    prizes = None
    if some[8]:
        prizes = np.where(rng.random(n) < 0.6, rng.integers(10, 200, n), np.inf)
    xy = rng.integers(0, 100, (n, 2))
    groups = bonds(rng, depots, n) if bonded else {}
    return VRP.from_points(xy, metric="EUC_2D", demands=demands, capacity=wide, name=f"mixed {seed}").part(
        np.arange(n),
        depots=tuple(range(depots)),
        fleet=Fleet(tuple(types), allowed=allowed),
        more_demands=more,
        windows=windows,
        service_times=np.concatenate((np.zeros(depots), rng.integers(0, 10, customers))) if some[1] else np.zeros(n),
        alternatives=alternatives,
        prizes=prizes,
        releases=rng.integers(0, 100, n) if released else None,
        **groups,
    )


def bonds(rng: np.random.Generator, depots: int, n: int) -> dict[str, tuple[tuple[int, ...], ...]]:
    """Groups of customers but the first two, which may be alternatives, and of those of which any may be apart."""
    pair, rest = [depots + 2, depots + 3], rng.permutation(n - depots) + depots
    groups: dict[str, tuple[tuple[int, ...], ...]] = {}
    if rng.integers(3):
        groups["together"] = ((*pair, depots + 4),) if rng.integers(3) == 0 else (tuple(pair),)
    company = {node for group in groups.get("together", ()) for node in group}
    apart = [node for node in rest.tolist() if node not in company or node == pair[0]]
    if len(apart) > 1 and (rng.integers(2) or not groups):
        groups["apart"] = (tuple(apart[:3]),)
    return groups


def cheapest(problem: VRP) -> float:
    """The cost of the best plan, infinite if there is none: every order of every set of customers of every vehicle."""
    assert problem.fleet is not None
    vehicles, customers = len(problem.fleet.kinds), problem.customers.tolist()
    nobody: list[Any] = [np.empty(0, np.int32)] * vehicles
    lost = problem.cost(nobody)
    best: dict[tuple[int, frozenset[int]], float] = {}
    for kind in set(problem.fleet.kinds.tolist()):
        vehicle = problem.fleet.kinds.tolist().index(kind)
        for size in range(1, len(customers) + 1):
            for order in permutations(customers, size):
                plan = [*nobody]
                plan[vehicle] = np.array(order, np.int32)
                if any(fault.startswith("vehicle") for fault in problem.check(plan).violations):
                    continue
                served = float(problem.losses[list(order)].sum())
                key = kind, frozenset(order)
                best[key] = min(best.get(key, math.inf), problem.cost(plan) - lost + served)
    lowest, kinds = math.inf, problem.fleet.kinds.tolist()
    for homes in product(range(-1, vehicles), repeat=len(customers)):
        sets = [frozenset(c for c, home in zip(customers, homes, strict=True) if home == v) for v in range(vehicles)]
        out = [c for c, home in zip(customers, homes, strict=True) if home < 0]
        home = dict(zip(customers, homes, strict=True))
        if any(len({home[node] for node in group}) > 1 for group in problem.together):
            continue
        apart = [[home[node] for node in group if home[node] >= 0] for group in problem.apart]
        if any(len({*there}) < len(there) for there in apart):
            continue
        groups = [(sum(node not in out for node in each.nodes), each.required) for each in problem.alternatives]
        if problem.required[out].any() or any(served > 1 or (needed and not served) for served, needed in groups):
            continue
        routes = [best.get((kinds[v], each), math.inf) for v, each in enumerate(sets) if each]
        lowest = min(lowest, sum(routes) + float(problem.losses[out].sum()))
    return lowest


CASES = [
    *((seed, False, False) for seed in range(30)),
    *((seed, True, False) for seed in range(30, 42)),
    *((seed, False, True) for seed in range(42, 72)),
]


@pytest.mark.parametrize(("seed", "released", "bonded"), CASES)
def test_few_customers_are_planned_best(seed: int, released: bool, bonded: bool) -> None:
    problem = random_problem(seed, released=released, bonded=bonded)
    best = cheapest(problem)
    for strategy in (None, wt.RouteImprovement()):  # by default they are solved exactly
        if math.isinf(best):
            with pytest.raises((wt.NothingFound, wt.InfeasibleError)):
                wt.solve(problem, strategy, iterations=2000, threads=1)
            continue
        result = wt.solve(problem, strategy, iterations=20_000, threads=1)
        assert result.feasible and not problem.check(result.routes).violations
        assert result.cost == pytest.approx(problem.cost(result.routes), abs=1e-6)
        assert result.cost == pytest.approx(best, rel=1e-9)


@pytest.mark.threads
@pytest.mark.sanitize_quick
def test_threads_agree_on_who_is_served() -> None:
    rng = np.random.default_rng(5)
    n = 120
    prizes = np.where(np.arange(n) % 2, np.inf, rng.integers(5, 60, n))
    groups = tuple(Alternatives((at, at + 1)) for at in range(20, 60, 2))
    types = (
        VehicleType(capacities=(40.0,), fixed_cost=30),
        VehicleType(count=3, capacities=(90.0,), start=1, end=2, fixed_cost=50, distance_cost=2),
    )
    demands = rng.integers(1, 9, n)
    demands[:3] = 0
    problem = VRP.from_points(rng.integers(0, 200, (n, 2)), demands=demands, capacity=90, metric="EUC_2D").part(
        np.arange(n), depots=(0, 1, 2), fleet=Fleet(types), prizes=prizes, alternatives=groups
    )
    result = wt.solve(problem, seconds=0.5, threads=4)
    report = problem.check(result.routes)
    assert report.feasible and report.cost == pytest.approx(result.cost)
    alone = sum(problem.cost([np.array([node], np.int32)]) - problem.cost([]) for node in problem.customers)
    assert result.cost < 0.5 * alone
