"""Maps: layers, stops and pop-ups; names are text wherever they stand; a page that needs no network."""

import base64
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from warptour.model.errors import UnsupportedError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.map import write_map

EVIL = '</script><b>`${alert(1)}` "x" @@NOTES@@ \\u0041'
NAMES = ("Lager", "Müller & Söhne", EVIL)
PLACES = np.array([[52.5, 13.25], [52.5, 13.5], [52.25, 13.5]])
HERE = PLACES.tolist()
OPTIONS = {"labels": NAMES, "demands": np.array([0, 2, 3]), "capacity": 4}
GLOBE = VRP("plan <1>", METRICS["GREAT_CIRCLE"], PLACES, **OPTIONS)
PLANE = VRP("plan <1>", METRICS["EUCLIDEAN"], PLACES, **OPTIONS)
ROUTES = [np.array([1]), np.array([2])]


class Page(HTMLParser):
    """The tags of a page by name, and the text in its scripts and elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.scripts, self._in = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._in = tag

    def handle_data(self, data):
        (self.scripts if self._in == "script" else self.texts).append(data)

    def named(self, tag, kind=None):
        return [given for name, given in self.tags if name == tag and (kind is None or given.get("class") == kind)]


def plain(tmp_path, problem, solution):
    write_map(tmp_path / "a.html", problem, solution)
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    return text, Page(text)


def test_a_page_is_complete_in_itself(tmp_path):
    text, page = plain(tmp_path, PLANE, ROUTES)
    assert "http" not in text.replace("http://www.w3.org", "")
    assert not any("src" in given or given.get("href") for _, given in page.tags)
    assert len(page.named("g", "layer")) == 2 and len(page.named("polyline")) == 2
    assert len(page.named("path", "dot")) == 2 and len(page.named("path", "dot depot")) == 1
    assert len([box for box in page.named("input") if "data-layer" in box]) == 2


def test_names_in_a_page_are_text(tmp_path):
    _, page = plain(tmp_path, PLANE, ROUTES)
    assert EVIL in page.texts and "Müller & Söhne" in page.texts and page.named("b") == []
    notes = json.loads(page.scripts[0])
    assert notes[0][:3] == ["Müller & Söhne", "route 1, stop 1 of 1", "demand 2, load 2 of 4"]
    assert notes[1][0] == EVIL and notes[2] == ["Lager", "depot"]
    assert notes[0][3:] == ["0.25 from the stop before", "0.25 from the start"]


def test_hours_are_told(tmp_path):
    problem = VRP.from_points(
        [[0, 0], [10, 0], [20, 0]], labels=NAMES, demands=[0, 2, 3], capacity=5, unit="km", speed=30, open=True,
        service_minutes=10, windows=[None, "08:00-09:00", "11:00-11:30"], late_cost=3,
    )  # fmt: skip
    _, page = plain(tmp_path, problem, [np.array([1, 2])])
    notes = json.loads(page.scripts[0])
    assert len(page.named("polyline")[0]["points"].split()) == 3 and notes[1][1] == "route 1, stop 2 of 2"
    assert notes[1][5:] == [
        "arrival 09:30, service 11:00, departure 11:10", "0:20 h of travel from the stop before", "open 11:00-11:30",
        "waits 1:30 h", "slack 0:30 h",
    ]  # fmt: skip
    _, page = plain(tmp_path, problem, [np.array([2, 1])])
    assert json.loads(page.scripts[0])[1][-2:] == ["slack 0:00 h", "late by 2:30 h"]


def test_a_tour_and_a_path(tmp_path):
    for is_open, corners in ((False, 4), (True, 3)):
        problem = TSP("t", METRICS["EUC_2D"], np.array([[0, 0], [3, 4], [3, 0]]), open=is_open)
        _, page = plain(tmp_path, problem, np.array([2, 0, 1]))
        assert len(page.named("polyline")[0]["points"].split()) == corners
        notes = json.loads(page.scripts[0])
        assert notes[0] == ["3", "stop 1 of 3"] and notes[2][1:] == [
            "stop 3 of 3", "5 from the stop before", "8 from the start",
        ]  # fmt: skip


@pytest.mark.parametrize("points", [np.array([[3.0, 4.0]]), np.ones((3, 2))])
def test_flat_problems(tmp_path, points):
    text, page = plain(tmp_path, TSP("p", METRICS["EUCLIDEAN"], points), np.arange(len(points)))
    assert len(page.named("polyline")) == 1 and "nan" not in page.named("svg")[0]["viewbox"] and "inf" not in text[:99]


def test_a_matrix_has_no_map(tmp_path):
    with pytest.raises(UnsupportedError, match="cannot be drawn"):
        write_map(tmp_path / "a.html", TSP.from_matrix(np.ones((3, 3)) - np.eye(3)), np.arange(3))


def test_a_street_map_has_the_same_routes_and_names_are_text(tmp_path):
    text, page = plain(tmp_path, GLOBE, ROUTES)
    data, offline = map(json.loads, list(filter(str.strip, page.scripts))[:2])
    assert "</script><b>" not in text and page.named("b") == [] and "<title>plan &lt;1&gt;: " in text
    assert Page(offline).named("g", "layer"), "a page without streets"
    assert [layer["line"] for layer in data["layers"]] == [[HERE[0], HERE[k], HERE[0]] for k in (1, 2)]
    [first], [second] = (layer["stops"] for layer in data["layers"])
    assert first["lines"][:3] == ["Müller & Söhne", "route 1, stop 1 of 1", "demand 2, load 2 of 4"]
    assert first["lines"][3].startswith("16.92 km") and (first["at"], first["order"]) == (HERE[1], 1)
    assert second["lines"][0] == EVIL and data["depot"] == {"at": HERE[0], "order": 0, "lines": ["Lager", "depot"]}


def test_what_a_street_map_loads_has_a_version_and_a_hash(tmp_path):
    _, page = plain(tmp_path, GLOBE, ROUTES)
    loaded = [(tag, given) for tag, given in page.tags if "src" in given or "href" in given]
    assert [tag for tag, _ in loaded] == ["link", "script"]
    for _, given in loaded:
        address = given.get("src") or given["href"]
        assert re.fullmatch(r"https://unpkg\.com/leaflet@\d+\.\d+\.\d+/dist/leaflet\.(js|css)", address)
        assert len(base64.b64decode(given["integrity"].removeprefix("sha384-"))) == 48
        assert given["crossorigin"] == "anonymous"
