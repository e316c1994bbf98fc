"""Results that can be looked at: plots, maps, frames, GeoJSON, notebooks."""

import json
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import warptour as wt

PLACES = np.array([[52.5, 13.25], [52.5, 13.5], [52.25, 13.5]])
NAMES = ("Lager", "Müller", "<i>Weiß</i>")
PLAN = wt.VRP("a <plan>", wt.METRICS["GREAT_CIRCLE"], PLACES, labels=NAMES, demands=np.array([0, 2, 3]), capacity=4)
TOUR = wt.TSP("tour", wt.METRICS["EUC_2D"], np.array([[0, 0], [3, 4], [3, 0]]))


@pytest.fixture(scope="module")
def routes():
    return wt.solve(PLAN, iterations=10)


@pytest.fixture(scope="module")
def tour():
    return wt.solve(TOUR)


def test_a_result_knows_its_problem_and_does_not_print_it(routes):
    assert routes.problem is PLAN and routes.solution is routes.routes
    assert "problem" not in repr(routes) and "problem" not in routes.summary()
    json.dumps(routes.summary())
    with pytest.raises(wt.UsageError, match="does not know its problem"):
        replace(routes, problem=None).plot()


def test_a_frame_has_hours():
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    options = {"demands": [0, 2, 3], "capacity": 5, "windows": [None, (3600, 7200), (9000, 9600)]}
    plan = wt.VRP.from_points([[0, 0], [10, 0], [20, 0]], unit="km", speed=30, open=True, **options)
    frame = wt.solve(plan, iterations=10).to_frame()
    assert list(frame)[6:] == [
        "leg", "distance", "duration", "arrival", "wait", "start", "departure", "slack", "late", "load",
    ]  # fmt: skip
    assert frame.node.tolist() == [0, 1, 2] and frame.start.iloc[2] == pd.Timedelta(seconds=9000)
    assert frame.wait.iloc[2] == pd.Timedelta(seconds=600) and (frame.start == frame.arrival + frame.wait).all()
    numbers = wt.VRP.from_points([[0, 0], [3, 4], [3, 0]], **options | {"windows": [None, (9, 9), None]})
    frame = wt.solve(numbers, iterations=10).to_frame()
    assert frame.start[frame.node == 1].tolist() == [9] and frame.slack.isna().tolist() == [False] * (
        len(frame) - 1
    ) + [True]


def test_a_frame(routes, tour):
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = routes.to_frame()
    assert list(frame) == ["route", "order", "node", "name", "lat", "lon", "demand", "leg", "distance", "load"]
    assert len(frame) == 6 and frame.node.tolist()[::3] == [0, 0]
    assert frame.groupby("route").distance.max().sum() == pytest.approx(routes.cost)
    assert sorted(frame.groupby("route").load.max()) == [2, 3]
    frame = tour.to_frame()
    assert list(frame) == ["order", "node", "x", "y", "leg", "distance"]
    assert frame.node.tolist() == [*tour.tour.tolist(), tour.tour[0]] and frame.distance.iloc[-1] == tour.cost


def test_without_pandas_a_line_says_what_to_install(tour, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(wt.MissingLibrary, match=r"pip install 'warptour\[frame\]'"):
        tour.to_frame()


def test_geojson_is_that_of_the_file(routes, tour, tmp_path):
    for result in (routes, tour):
        wt.write(tmp_path / "a.geojson", result.problem, result)
        written = json.loads((tmp_path / "a.geojson").read_text())
        found = result.to_geojson()
        assert found.pop("first") == 0
        for one, other in zip(found["features"], written["features"], strict=True):
            own = one["properties"]
            own |= {"node": own["node"] + 1} if "node" in own else {"nodes": [node + 1 for node in own["nodes"]]}
            assert one == other
        assert {**found, "features": 0} == {**written, "features": 0}

    matrix = wt.solve(wt.TSP.from_matrix([[0, 1], [1, 0]]))
    with pytest.raises(wt.UsageError, match="no coordinates"):
        matrix.to_geojson()
    assert "<svg" not in matrix._repr_html_()


def test_a_plot(routes, tour, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    monkeypatch.setenv("MPLBACKEND", "agg")
    from matplotlib import pyplot

    axes = routes.plot()
    assert axes.figure.number in pyplot.get_fignums() and "km" in axes.get_title()
    assert tour.plot(ax=axes) is axes
    pyplot.close("all")
    assert routes.plot(tmp_path / "a.png") is None
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_map(routes, tmp_path):
    routes.write_map(tmp_path / "a.html")
    assert "Müller" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_a_notebook_shows_facts_and_a_picture(routes):
    text = routes._repr_html_()
    page = ElementTree.fromstring(text)
    assert "98.98 km" in text and "a <plan>, 3 nodes" in list(page.itertext())
    assert len(page.findall(".//{http://www.w3.org/2000/svg}polyline")) == 2


def test_progress_on_standard_error(capsys):
    wt.solve(wt.generate("uniform", 50, 1), iterations=2, progress=True)
    assert "cost" in capsys.readouterr().err


@pytest.mark.parametrize("kernel", [True, False])
def test_progress_in_a_notebook(capsys, monkeypatch, kernel):
    shown = []
    handle = SimpleNamespace(update=lambda bundle, raw: shown.append(bundle))
    package, display = ModuleType("IPython"), ModuleType("IPython.display")
    package.get_ipython = lambda: SimpleNamespace(kernel=1) if kernel else SimpleNamespace()
    package.display = display
    display.display = lambda bundle, raw, display_id: shown.append(bundle) or handle
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    wt.solve(wt.generate("uniform", 50, 1), seconds=0.2, progress=True)
    if not kernel:
        assert shown == [] and "cost" in capsys.readouterr().err
        return
    assert "starting" in shown[0]["text/plain"] and "cost" in shown[-1]["text/plain"]
    assert '<progress max="0.2"' in shown[-1]["text/html"] and capsys.readouterr().err == ""


@pytest.fixture(scope="module")
def plan():
    options = {"demands": [0, 2, 3], "capacity": 4, "labels": NAMES, "speed": 30, "service_minutes": 12}
    return wt.solve(wt.VRP.from_points(PLACES, latlon=True, depart="22:45", **options), iterations=10)


def test_times_of_a_result(plan):
    trips = plan.trips
    assert sum(trip.length for trip in trips) == pytest.approx(plan.cost)
    assert [trip.duration for trip in trips] == pytest.approx([trip.length / 30_000 * 3600 + 720 for trip in trips])
    html = plan._repr_html_()
    assert "all back at 01:" in html and " +1" in html


def test_times_in_a_frame(plan):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = plan.to_frame()
    assert list(frame)[-4:] == ["duration", "arrival", "departure", "load"]
    assert frame.arrival.iloc[0] == pandas.Timedelta(hours=22, minutes=45) == frame.departure.iloc[0]
    assert (frame.departure - frame.arrival).max() == pandas.Timedelta(minutes=12)


def test_times_on_a_map(plan, tmp_path):
    plan.write_map(tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "time>23:" in text and "arrival 23:" in text and ", departure 23:" in text
    assert "of travel from the stop before" in text and " h, back at " in text


def test_times_in_geojson(plan):
    line, *_, point, depot = plan.to_geojson()["features"]
    assert line["properties"]["duration"] == pytest.approx(plan.trips[0].duration)
    assert line["properties"]["end"].endswith(" +1") and point["properties"]["arrival"].startswith("23:")
    assert depot["properties"]["depot"] is True and "arrival" not in depot["properties"]
