"""The public instances: all of them, against other readers and known costs."""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import numpy as np
import pytest

from warptour.io import read, read_solution
from warptour.model.infeasibility import prove_infeasible
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


def rows(path: Path) -> list[dict[str, str]]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_every_tsp_file_is_read_as_listed(data: Path) -> None:
    listed = {row["name"]: row for row in rows(data / "tsp" / "best.csv")}
    files = sorted((data / "tsp").glob("*.tsp"))
    assert files
    for path in files:
        problem, row = read(path), listed[path.stem]
        assert isinstance(problem, TSP)
        assert (problem.n, problem.metric.name, problem.best_known) == (int(row["n"]), row["weights"], int(row["best"]))


def test_every_vrp_file_is_read_as_listed(data: Path) -> None:
    listed = {row["name"]: row for row in rows(data / "vrp" / "best.csv")}
    files = sorted((data / "vrp").glob("*.vrp"))
    assert files
    for path in files:
        row = listed[path.stem]
        rounding = row["rounding"].split()[0]
        problem = read(path, rounding=rounding)  # type: ignore[arg-type]
        assert isinstance(problem, VRP)
        assert problem.n == int(row["customers"]) + 1
        assert problem.best_known == float(row["best"])
        assert problem.max_distance == (float(row["distance_limit"]) if row["distance_limit"] else None)
        assert problem.service_times[1:].max() == float(row["service_time"] or 0)
        prove_infeasible(problem)


def test_known_routes_have_their_known_costs(data: Path) -> None:
    files = sorted((data / "vrp").glob("*.sol"))
    assert files
    for path in files:
        problem = read(path.with_suffix(".vrp"))
        assert isinstance(problem, VRP)
        report = problem.check(read_solution(path, problem))  # type: ignore[arg-type]
        assert report.feasible, report
        assert report.cost == problem.best_known


@pytest.mark.parametrize(
    ("name", "cost"), [("pcb442", 221440), ("gr666", 423710), ("att532", 309636), ("att48", 49840)]
)
def test_canonical_tours(data: Path, name: str, cost: int) -> None:
    path = data / "tsp" / f"{name}.tsp"
    if not path.exists():
        pytest.skip(f"no {name} among the public instances")
    problem = read(path)
    assert isinstance(problem, TSP)
    assert problem.cost(np.arange(problem.n)) == cost


def test_distances_agree_with_tsplib95(data: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tsplib95 = pytest.importorskip("tsplib95")
    random = np.random.default_rng(1)
    compared = 0
    for path in sorted((data / "tsp").glob("*.tsp")):
        if path.stat().st_size > 70_000:
            continue
        problem, other = read(path), tsplib95.load(path)
        pairs = random.integers(0, problem.n, (300, 2))
        ours = problem.distances(pairs[:, 0], pairs[:, 1])
        nodes = sorted(other.get_nodes())  # counted from 0 or 1, as it pleases
        theirs = [other.get_weight(nodes[a], nodes[b]) for a, b in pairs]
        same = pairs[:, 0] != pairs[:, 1]
        slack = 1 if problem.metric.name == "GEO" else 0  # TSPLIB says pi is 3.141592, tsplib95 knows it better
        np.testing.assert_allclose(ours[same], np.array(theirs)[same], rtol=0, atol=slack, err_msg=path.name)
        compared += 1
    assert compared > 50


def test_distances_agree_with_vrplib(data: Path) -> None:
    vrplib = pytest.importorskip("vrplib")
    for path in sorted((data / "vrp").glob("*.vrp")):
        if path.stat().st_size > 20_000:
            continue
        problem, other = read(path, rounding="none"), vrplib.read_instance(path)
        assert isinstance(problem, VRP)
        everywhere = np.arange(problem.n)
        ours = problem.distances(everywhere[:, None], everywhere[None, :])
        np.testing.assert_allclose(ours, other["edge_weight"], rtol=1e-14, atol=1e-12)
        np.testing.assert_array_equal(problem.demands, other["demand"])
        assert problem.capacity == other["capacity"]
        assert other["depot"].tolist() == [problem.depot]
