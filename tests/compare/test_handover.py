"""Problems as other programs read them."""

import numpy as np
import pytest

import warptour as wt
from warptour.compare.handover import integers, routes_file, tables_file, tour_file
from warptour.compare.peers.modules import Hygese
from warptour.model.metric import METRICS


def test_tables_for_vehicles_have_the_depot_first_and_safe_limits(tmp_path):
    plain = wt.read("vrp:12:1")
    problem = wt.VRP(
        "x", METRICS["EUCLIDEAN"], plain.points, demands=plain.demands[::-1], capacity=plain.capacity, depot=11,
        max_distance=4000.5, service_times=np.append(np.full(11, 2.5), 0), vehicles=7, fixed_cost=3,
    )  # fmt: skip
    handed = tables_file(problem, tmp_path, 10**6)
    with np.load(handed.file) as tables:
        distances, durations = tables["distances"], tables["durations"]
        vehicle = tables["types"][0]
        assert (vehicle["count"], tables["demands"][0], vehicle["fixed"]) == (7, 0, round(3 * handed.scale))
        assert vehicle["longest"] <= 4000.5 * handed.scale
        assert (tables["services"][1:] >= 2.5 * handed.scale).all() and tables["services"][0] == 0
    assert (durations[0] >= distances).all() and distances.max() <= 1e6 and handed.scale == 1000
    order = [11, *range(11)]
    exact = handed.scale * problem.distances(np.array(order)[:, None], np.array(order)[None, :])
    assert np.abs(distances - exact).max() <= 0.5 and (durations >= exact - 1e-6).all()


def test_whole_distances_are_handed_over_as_they_are(tmp_path):
    problem = wt.read("uniform:50:3")
    handed = tour_file(problem, tmp_path)
    assert handed.scale == 1 and wt.read(str(handed.file)).cost(np.arange(50)) == problem.cost(np.arange(50))
    table, scale = integers(problem, 50, 10**7)
    assert scale == 1 and table[3, 4] == problem.distance(3, 4)
    with pytest.raises(wt.UnsupportedError, match="at most 49 nodes"):
        integers(problem, 49, 10**7)


@pytest.mark.parametrize(
    ("metric", "side", "units"),
    [
        ("EUC_2D", 10, "as in the problem"),
        ("EUC_2D", 400_000, "times 0.25, rounded"),
        ("EUCLIDEAN", 50_000, "as in the problem, rounded"),
        ("EUCLIDEAN", 5_000, "times 20, rounded"),
        ("EUCLIDEAN", 1, "times 100000, rounded"),
    ],
)
def test_tables_keep_their_units_if_those_suit_the_program(metric, side, units, tmp_path):
    problem = wt.TSP("x", METRICS[metric], np.array([[0, 0], [side, 0], [side / 2, 0]]))
    handed = tables_file(problem, tmp_path, 100_000)
    assert handed.units == units
    with np.load(handed.file) as tables:
        assert tables["distances"][0].tolist() == [0, round(side * handed.scale), round(side / 2 * handed.scale)]


def test_hygese_is_given_floats_in_the_units_of_the_problem(tmp_path, monkeypatch):
    monkeypatch.setattr(Hygese, "find_program", lambda self, command: [])
    problem = wt.read("vrp:12:1").rounded("none")
    handed = Hygese(None).hand_over(problem, tmp_path)
    with np.load(handed.file) as tables:
        given = tables["distances"] / tables["scale"]
    nodes = np.arange(12)
    np.testing.assert_allclose(given, problem.distances(nodes[:, None], nodes[None, :]), rtol=1e-9)
    assert handed.units == "as in the problem"


def test_other_metrics_become_a_table(tmp_path):
    points = np.column_stack((np.linspace(-30, 30, 12), np.linspace(0, 50, 12) ** 1.1))
    problem = wt.TSP("globe", METRICS["GREAT_CIRCLE"], points)
    handed = tour_file(problem, tmp_path)
    again = wt.read(str(handed.file))
    assert again.metric.name == "EXPLICIT"
    assert again.cost(np.arange(12)) == pytest.approx(handed.scale * problem.cost(np.arange(12)), rel=1e-4)


def test_demands_with_decimals_become_whole_numbers(tmp_path):
    problem = wt.VRP(
        "x", METRICS["EUC_2D"], np.array([[0, 0], [1, 0], [2, 0]]), demands=np.array([0, 0.1, 0.2]), capacity=0.3
    )
    again = wt.read(str(routes_file(problem, tmp_path).file))
    assert again.demands.tolist() == [0, 1, 2] and again.capacity == 3
