"""VRPs: exact costs, reports that say which route breaks what by how much, proofs of infeasibility."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from instances import vrps
from warptour.model.errors import InfeasibleError, InputError
from warptour.model.infeasibility import EXACT_NODES, least_paths, prove_infeasible, shortest_paths
from warptour.model.metric import METRICS, Metric
from warptour.model.vehicles import VRP

POINTS = np.array([[0, 0], [10, 0], [20, 0], [0, 10], [0, 20]])
DEMANDS = np.array([0, 3, 4, 5, 6])


def cross(**options: object) -> VRP:
    values: dict[str, object] = {"demands": DEMANDS, "capacity": 12, **options}
    metric = values.pop("metric", METRICS["EUC_2D"])
    return VRP("cross", metric, POINTS, **values)  # type: ignore[arg-type]


def routes(*lists: list[int]) -> list[np.ndarray]:
    return [np.array(nodes) for nodes in lists]


def test_cost_counts_travel_and_used_vehicles_but_no_service() -> None:
    plan = routes([1, 2], [3, 4], [])
    assert cross().cost(plan) == 80
    assert cross(service_times=np.full(5, 7.0)).cost(plan) == 80
    assert cross(fixed_cost=100).cost(plan) == 280
    assert cross().cost([]) == 0
    assert cross().check(plan).feasible


def test_each_broken_limit_is_named_with_its_excess() -> None:
    problem = cross(capacity=10, max_distance=45, service_times=np.array([0, 1, 2, 3, 4.0]), vehicles=1)
    report = problem.check(routes([1, 2], [3, 4]))
    assert report.violations == (
        "route 2 carries 11, 1 over the capacity 10",
        "route 2 is 47 long, 2 over the limit 45",
        "2 routes, 1 more than the vehicles",
    )
    assert report.cost == 80


def test_the_route_limit_forgives_rounding_errors_only() -> None:
    unrounded = METRICS["EUCLIDEAN"]
    assert cross(metric=unrounded, max_distance=40 - 1e-7).check(routes([1, 2], [3, 4])).feasible
    assert not cross(metric=unrounded, max_distance=40 - 1e-5).check(routes([1, 2], [3, 4])).feasible


@pytest.mark.parametrize("unit", [1e-9, 1e-6, 1.0, 1e6])
def test_the_route_limit_is_as_strict_in_any_unit(unit: float) -> None:
    options = {"demands": DEMANDS, "capacity": 12}
    for much, feasible in ((1e-9, True), (1e-6, False), (0.1, False)):
        problem = VRP("cross", METRICS["EUCLIDEAN"], unit * POINTS, max_distance=40 * unit * (1 - much), **options)  # type: ignore[arg-type]
        assert problem.check(routes([1, 2], [3, 4])).feasible == feasible
        if feasible:
            prove_infeasible(problem)
        else:
            with pytest.raises(InfeasibleError, match="alone needs a route"):
                prove_infeasible(problem)


def test_visits_are_checked() -> None:
    assert any("not visited, the first is 5" in text for text in cross().check(routes([1, 2], [3])).violations)
    assert any("more than once, the first is 2" in text for text in cross().check(routes([1, 2], [3, 4, 1])).violations)
    assert any("more than once, the first is 1" in text for text in cross().check(routes([1, 0, 2], [3, 4])).violations)
    report = cross().check(routes([1, 2], [3, 9]))
    assert "10 is not a city (1..5)" in report.violations


@given(vrps(), st.data())
def test_the_giant_tour_splits_back(problem: VRP, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(problem.customers.tolist())))
    cuts = sorted(set(data.draw(st.lists(st.integers(1, len(order)), max_size=3))))
    plan = [route for route in np.split(order, cuts) if len(route)]
    walk = problem.giant_tour(plan)
    assert walk[0] == walk[-1] == problem.depot
    assert [route.tolist() for route in problem.split_giant_tour(walk)] == [route.tolist() for route in plan]
    assert problem.cost(plan) == pytest.approx(
        sum(problem.route_cost(route) for route in plan) + problem.fixed_cost * len(plan)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"demands": np.array([0, 3, 4, 13, 6])}, "customer 4 has the demand 13, above the capacity 12"),
        ({"vehicles": 1}, "the demands sum to 18, above the 12 of all 1 vehicles"),
        ({"max_distance": 30}, "customer 3 alone needs a route of 40, above the limit 30"),
        ({"max_distance": 41, "service_times": np.array([0, 0, 2.0, 0, 0])}, "customer 3 alone needs a route of 42"),
    ],
)
def test_proofs_of_infeasibility(options: dict[str, object], message: str) -> None:
    with pytest.raises(InfeasibleError, match=message):
        prove_infeasible(cross(metric=METRICS["EUCLIDEAN"], **options))


def test_a_detour_may_be_shorter_than_the_way() -> None:
    """Rounding can make many small steps free, and then a far customer is within the limit after all."""
    points = np.array([[0.4 * x, 0] for x in range(11)])
    options = {"demands": np.array([0] + [1] * 10), "capacity": 99}
    near = VRP("steps", METRICS["EUC_2D"], points, max_distance=4, **options)  # type: ignore[arg-type]
    prove_infeasible(near)
    assert near.check(routes([*range(1, 11), *[]])).feasible
    rounded = cross(max_distance=39)
    with pytest.raises(InfeasibleError, match="customer 3 alone needs a route of 40, above the limit 39"):
        prove_infeasible(rounded)
    matrix = np.array([[0, 1, 9], [1, 0, 1], [9, 1, 0]])
    short = VRP("detour", METRICS["EXPLICIT"], matrix, demands=np.array([0, 1, 1]), capacity=2, max_distance=11)
    prove_infeasible(short)
    assert short.check(routes([1, 2])).feasible


def test_what_is_feasible_is_not_proved_otherwise() -> None:
    prove_infeasible(cross(vehicles=2, max_distance=40))
    tenths = cross(demands=np.array([0, 0.1, 0.2, 0.3, 0.4]), capacity=0.5, vehicles=2)
    prove_infeasible(tenths)
    assert tenths.check(routes([1, 4], [2, 3])).feasible, "0.2 + 0.3 and 0.1 + 0.4 are 0.5"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"capacity": 0}, "the capacity is 0; it must be a number above 0"),
        ({"capacity": np.nan}, "the capacity is nan"),
        ({"demands": np.array([0, 1, 2])}, "3 demands for 5 nodes"),
        ({"demands": np.array([0, 1, -2, 3, 4])}, "node 3 has the demand -2"),
        ({"demands": np.array([0, 1, np.nan, 3, 4])}, "node 3 has the demand nan"),
        ({"demands": np.array([1, 1, 1, 1, 1])}, "the depot 1 has the demand 1; it must be 0"),
        ({"service_times": np.array([0, 1, 2])}, "3 service times for 5 nodes"),
        ({"service_times": np.array([0, 1, -2, 3, 4])}, "node 3 has the service time -2"),
        ({"depot": 5}, "depot is 5; here nodes are counted from 0 to 4"),
        ({"depot": -1}, "depot is -1; here nodes are counted from 0 to 4"),
        ({"depot": 0.5}, "depot is 0.5"),
        ({"max_distance": 0}, "the route limit is 0"),
        ({"max_distance": np.inf}, "the route limit is inf; it must be a number above 0, or None"),
        ({"max_distance": "far"}, "the route limit is far"),
        ({"vehicles": 0}, "0 vehicles; it must be an integer from 1 to 2147483647"),
        ({"vehicles": 2.5}, "2.5 vehicles"),
        ({"vehicles": 99999999999999999999}, "99999999999999999999 vehicles"),
        ({"fixed_cost": -1}, "the fixed cost is -1; it must be a number of at least 0"),
        ({"fixed_cost": np.nan}, "the fixed cost is nan"),
        ({"fixed_cost": None}, "the fixed cost is None"),
        ({"capacity": 10**400}, "the capacity is 1000"),
        ({"capacity": "12"}, "the capacity is 12; it must be a number above 0"),
        ({"demands": [[0], [1, 2]]}, "demands are one number a node"),
        ({"demands": ["0", "1", "2", "3", "4"]}, "demands are numbers"),
        ({"service_times": 5}, "1 service times for 5 nodes"),
    ],
)
def test_senseless_problems(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        cross(**options)


def test_arrays_do_not_change_and_depots_may_be_anywhere() -> None:
    problem = cross(depot=2, demands=np.array([1, 3, 0, 5, 6]))
    assert problem.customers.tolist() == [0, 1, 3, 4]
    assert not problem.demands.flags.writeable and not problem.service_times.flags.writeable
    assert problem.route_cost(np.array([1])) == 20


def far_customers(n: int, metric: str, side: int = 1000, **options: Any) -> VRP:
    rng = np.random.default_rng(n)
    points = rng.integers(0, side, (n, 2)).astype(float)
    demands = np.ones(n, np.int64)
    demands[0] = 0
    return VRP("far", METRICS[metric], points, demands=demands, capacity=10, **options)


@pytest.mark.parametrize("metric", ["EUCLIDEAN", "EUC_2D", "CEIL_2D", "MAN_2D"])
def test_the_proof_for_many_nodes_looks_at_each_a_few_times(monkeypatch: pytest.MonkeyPatch, metric: str) -> None:
    problem = far_customers(EXACT_NODES + 1, metric, max_distance=300.0)
    evaluations = [0]
    measure = Metric.distances

    def counting(self: Metric, points: Any, i: Any, j: Any) -> Any:
        evaluations[0] += np.broadcast(i, j).size
        return measure(self, points, i, j)

    monkeypatch.setattr(Metric, "distances", counting)
    with pytest.raises(InfeasibleError, match="alone needs a route of"):
        prove_infeasible(problem)
    assert evaluations[0] <= 4 * problem.n


@pytest.mark.parametrize("rounding", ["none", "nearest", "ceil", "floor"])
@pytest.mark.parametrize("metric", ["EUC_2D", "ATT", "MAN_2D", "MAX_2D", "GEO", "GREAT_CIRCLE"])
@pytest.mark.parametrize("side", [2, 7, 60])
def test_no_path_is_shorter_than_the_bound(metric: str, rounding: Any, side: int) -> None:
    for n in (5, 40):
        problem = far_customers(n, metric, side).rounded(rounding)
        bounds = least_paths(problem, None, np.arange(n))
        assert (bounds <= shortest_paths(problem, None, 1e300)).all()


def test_no_proof_is_looked_for_without_time() -> None:
    problem = far_customers(50, "EUC_2D", max_distance=300.0)
    prove_infeasible(problem, lambda: True)
    with pytest.raises(InfeasibleError):
        prove_infeasible(problem, lambda: False)


def test_a_negative_diagonal_has_no_say_in_paths() -> None:
    matrix = np.array([[-5, 9, 9], [9, -5, 9], [9, 9, -5]])
    problem = VRP("m", METRICS["EXPLICIT"], matrix, demands=np.array([0, 1, 1]), capacity=2, max_distance=17)
    with pytest.raises(InfeasibleError, match="customer 2 alone needs a route of 18"):
        prove_infeasible(problem)
