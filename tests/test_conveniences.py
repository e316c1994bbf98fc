"""What Python users try first: comparing results, frames of geometries, words of other libraries, awaiting."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import warptour as wt

QUICK: dict[str, Any] = {"iterations": 200, "threads": 1, "device": "cpu"}
PLACES = [(47.07, 15.44), (47.09, 15.41), (47.05, 15.47), (47.03, 15.40), (47.1, 15.5)]


def test_results_are_compared_by_value():
    problem = wt.generate("vrp", 20, 1)
    one = wt.solve(problem, **QUICK)
    other = replace(one, tour=one.tour.copy(), routes=[route.copy() for route in one.routes or []])
    assert one == other and hash(one) == hash(other) and one.trips == other.trips
    assert one == wt.solve(problem, **QUICK) != wt.solve(problem, **(QUICK | {"seed": 5}))
    assert one != replace(one, seed=5) and one != replace(one, routes=(one.routes or [])[:-1]) and one != "a result"


@pytest.mark.parametrize("points", [True, False])
def test_a_cost_comes_with_the_tour(points):
    xy = np.random.default_rng(1).random((12, 2))
    matrix = np.linalg.norm(xy[:, None] - xy[None], axis=2)
    tour, cost = (
        wt.solve_points(xy, return_cost=True, **QUICK) if points else wt.solve_matrix(matrix, return_cost=True, **QUICK)
    )
    assert cost == pytest.approx(matrix[tour, np.roll(tour, -1)].sum())
    assert wt.solve_points(xy, **QUICK).tolist() == wt.solve_points(xy, return_cost=True, **QUICK)[0].tolist()


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("time_limit", "; here it is seconds="), ("n_jobs", "; here it is threads="),
        ("time_windows", r"; windows= is of a problem: VRP.from_points\(..., windows=...\)"),
        ("secnds", r"; did you mean seconds=\?"), ("nothing_like_it", "$"),
    ],
)  # fmt: skip
def test_words_of_others_are_known(word, advice):
    with pytest.raises(TypeError, match=f"solve.. got an unexpected keyword argument {word!r}{advice}"):
        wt.solve(wt.generate("uniform", 20, 1), **{word: 1})


def test_words_of_problems_are_known():
    with pytest.raises(TypeError, match=r"VRP.from_points\(\) got .*'time_windows'; here it is windows="):
        wt.VRP.from_points(PLACES, demands=[0] * 5, capacity=1, time_windows=[])
    with pytest.raises(
        TypeError, match=r"TSP.from_points\(\) got an unexpected keyword argument 'frist'; did you mean first="
    ):
        wt.TSP.from_points(PLACES, frist=1)


def test_a_problem_is_one_line():
    problem = wt.TSP.from_points(PLACES, latlon=True, open=True, first=0, name="day")
    assert repr(problem) == "<TSP 'day': 5 nodes, GREAT_CIRCLE, an open path, from 0>"
    routes = wt.VRP.from_points(PLACES, demands=[0, 1, 1, 1, 1], capacity=2, vehicles=3, speed=30, unit="km")
    assert repr(routes) == "<VRP 'points': 5 nodes, EUCLIDEAN, travel times, capacity 2, 3 vehicles>"
    assert "\n" not in repr(wt.generate("windows", 30, 1)) and "time windows" in repr(wt.generate("windows", 30, 1))


def test_nodes_count_alike_in_frames_and_geojson(tmp_path):
    pytest.importorskip("pandas", reason="pandas is not installed")
    problem = wt.TSP.from_points(PLACES, latlon=True)
    result = wt.solve(problem, **QUICK)
    drawn = result.to_geojson()
    assert drawn["features"][0]["properties"]["nodes"] == result.to_frame().node.tolist()[:5]
    (tmp_path / "tour.geojson").write_text(json.dumps(drawn))
    assert wt.check(problem, tmp_path / "tour.geojson").feasible


def test_geometries_are_points():
    geopandas = pytest.importorskip("geopandas", reason="geopandas is not installed")
    lat, lon = np.array(PLACES).T
    degrees = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy(lon, lat), crs="EPSG:4326")
    problem = wt.TSP.from_points(degrees)
    assert problem.metric.name == "GREAT_CIRCLE" and problem.points.tolist() == [list(place) for place in PLACES]
    assert wt.solve_points(degrees, return_cost=True, **QUICK)[1] == wt.solve(problem, **QUICK).cost
    metres = degrees.to_crs("EPSG:32633")
    assert wt.VRP.from_points(metres.geometry, demands=[0, 1, 1, 1, 1], capacity=9).metric.name == "EUCLIDEAN"
    plain = geopandas.GeoSeries(geopandas.points_from_xy(lon, lat))
    assert wt.TSP.from_points(plain, latlon=True).points.tolist() == problem.points.tolist()
    with pytest.raises(wt.InputError, match="row 0 is Polygon; a tour goes through points"):
        wt.solve_points(metres.buffer(5))


def test_a_search_is_awaited():
    problem = wt.generate("uniform", 30, 1)

    async def several() -> list[wt.Result]:
        return list(await asyncio.gather(*(wt.solve_async(problem, seed=seed, **QUICK) for seed in (1, 2))))

    found = asyncio.run(several())
    assert [each.seed for each in found] == [1, 2] and found[0].tour.tolist() == wt.solve(
        problem, seed=1, **QUICK
    ).tour.tolist()


def test_a_cancelled_task_ends_its_search():
    problem, ended = wt.generate("uniform", 300, 1), threading.Event()

    def listener(event):
        if isinstance(event, wt.Ended):
            ended.set()

    async def impatient() -> None:
        await asyncio.wait_for(wt.solve_async(problem, seconds=600, threads=1, listeners=[listener]), 0.5)

    begin = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
    assert ended.is_set() and time.monotonic() - begin < 300
    flag = threading.Event()
    flag.set()
    assert asyncio.run(wt.solve_async(problem, seconds=600, threads=1, cancel=flag)).ended == "cancelled"
