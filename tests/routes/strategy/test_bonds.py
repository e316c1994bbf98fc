"""Customers who go together and who stay apart, too many to try all plans."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.vehicles import VRP


def pairs_at_one_place(seed: int, places: int) -> tuple[VRP, VRP]:
    """Customers at places of which each has two who go together, and the same with one who takes what both take."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 1000, (places + 1, 2))
    demands = np.concatenate(([0], rng.integers(1, 10, places)))
    single = VRP.from_points(points, demands=2 * demands, capacity=60, metric="EUC_2D")
    order = np.concatenate((np.arange(places + 1), 1 + rng.permutation(places)))
    pairs = [(place, places + 1 + at) for at, place in enumerate(order[places + 1 :].tolist())]
    double = VRP.from_points(points[order], demands=demands[order], capacity=60, metric="EUC_2D", together=pairs)
    return double, single


def test_pairs_move_as_one_customer_would() -> None:
    double, single = pairs_at_one_place(1, 60)
    paired = wt.solve(double, iterations=20_000, threads=1)
    alone = wt.solve(single, iterations=20_000, threads=1)
    assert paired.feasible and double.check(paired.routes).feasible
    assert paired.cost <= 1.02 * alone.cost


def test_so_many_apart_as_there_are_vehicles() -> None:
    rng = np.random.default_rng(2)
    points, group = rng.integers(0, 1000, (61, 2)), tuple(range(1, 7))
    problem = VRP.from_points(points, demands=[0] + [1] * 60, capacity=12, vehicles=6, metric="EUC_2D", apart=[group])
    result = wt.solve(problem, iterations=5000, threads=1)
    assert result.feasible and all(len({*group} & {*route.tolist()}) == 1 for route in result.routes)
    fewer = replace(problem, vehicles=5, capacity=20)
    with pytest.raises(wt.InfeasibleError, match="customer 1 and 5 others are apart, and there are only 5 vehicles"):
        wt.solve(fewer, iterations=100)


def test_a_company_that_fits_no_vehicle_is_no_problem_with_a_solution() -> None:
    problem = VRP.from_points([(0, 0), (1, 1), (2, 2)], demands=[0, 3, 4], capacity=6, together=[(1, 2)])
    with pytest.raises(
        wt.InfeasibleError, match="together with customer 2: too large for any vehicle: 7, and the larg"
    ):
        wt.solve(problem)


@pytest.mark.threads
def test_threads_keep_bonds() -> None:
    rng = np.random.default_rng(7)
    n = 150
    order = 1 + rng.permutation(n - 1)
    together = [tuple(order[at : at + 3].tolist()) for at in range(0, 45, 3)]
    apart = [tuple(order[at : at + 5].tolist()) for at in range(50, 90, 5)]
    apart += [(together[0][0], together[1][2], *order[90:93].tolist())]
    prizes = np.where(rng.random(n) < 0.4, rng.integers(20, 200, n), np.inf)
    types = (
        VehicleType(capacities=(30.0,), fixed_cost=30),
        VehicleType(count=4, capacities=(60.0,), fixed_cost=70, distance_cost=2),
    )
    demands = np.concatenate(([0], rng.integers(1, 9, n - 1)))
    points = rng.integers(0, 500, (n, 2))
    plain = VRP.from_points(points, demands=demands, capacity=60, metric="EUC_2D", together=together, apart=apart)
    problem = replace(plain, fleet=Fleet(types), prizes=prizes)
    result = wt.solve(problem, seconds=1, threads=4)
    report = problem.check(result.routes)
    assert report.feasible and report.cost == pytest.approx(result.cost)
