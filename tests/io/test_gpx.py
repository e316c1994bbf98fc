"""GPX of solutions."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from warptour.io.solution import check_output, read_solution, write_solution
from warptour.model.errors import InputError, UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP

PLACES = [(50.0, 10.0), (50.1, 10.1), (50.2, 10.0), (50.1, 9.9)]
TOUR = TSP.from_points(PLACES, latlon=True, labels=("A & B", "<C>", "", "D\n2"))
PLAN = VRP.from_points(PLACES, latlon=True, demands=[0, 1, 1, 1], capacity=2, speed=50, depart="08:00")
SPACE = "{http://www.topografix.com/GPX/1/1}"


def test_a_tour(tmp_path: Path) -> None:
    path = tmp_path / "a.gpx"
    write_solution(path, TOUR, np.array([2, 0, 1, 3]))
    assert read_solution(path, TOUR).tolist() == [2, 0, 1, 3]  # type: ignore[union-attr]
    root = ElementTree.parse(path).getroot()
    assert [point.findtext(f"{SPACE}name") for point in root.iter(f"{SPACE}rtept")] == ["3", "A & B", "<C>", "D 2"]
    track = [(float(point.attrib["lat"]), float(point.attrib["lon"])) for point in root.iter(f"{SPACE}trkpt")]
    assert track == [PLACES[node] for node in (2, 0, 1, 3, 2)]


def test_an_open_path_is_marked(tmp_path: Path) -> None:
    path = TSP.from_points(PLACES, latlon=True, open=True)
    write_solution(tmp_path / "a.gpx", path, np.arange(4))
    from warptour.io.solution import check_solution

    assert check_solution(tmp_path / "a.gpx", path).feasible
    assert "open path" in check_solution(tmp_path / "a.gpx", TOUR).violations[0]


def test_routes(tmp_path: Path) -> None:
    path = tmp_path / "a.gpx"
    write_solution(path, PLAN, [np.array([3, 1]), np.array([2])])
    assert [route.tolist() for route in read_solution(path, PLAN)] == [[3, 1], [2]]
    root = ElementTree.parse(path).getroot()
    assert len(list(root.iter(f"{SPACE}wpt"))) == 3
    assert [route.findtext(f"{SPACE}name") for route in root.iter(f"{SPACE}trk")] == ["route 1", "route 2"]
    assert (root.findtext(f"{SPACE}rte/{SPACE}rtept/{SPACE}desc") or "").startswith("arrival 08:")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is empty"),
        ("<gpx>", "is no GPX file"),
        ("<gpx/>", "has no routes whose points say their node"),
        (f'<gpx xmlns="{SPACE[1:-1]}"><rte><rtept lat="1" lon="2"><cmt>a place</cmt></rtept></rte></gpx>',
         "only GPX that warptour wrote"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><gpx/>', "has a document type of its own"),
    ],
)  # fmt: skip
def test_what_is_no_solution(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "a.gpx").write_text(text)
    with pytest.raises(InputError, match=fault):
        read_solution(tmp_path / "a.gpx", TOUR)


def test_nodes_that_are_not_there(tmp_path: Path) -> None:
    write_solution(tmp_path / "a.gpx", TOUR, np.arange(4))
    text = (tmp_path / "a.gpx").read_text()
    (tmp_path / "a.gpx").write_text(text.replace("node 3", "node 9999999999"))
    with pytest.raises(InputError, match="is not one of the cities"):
        read_solution(tmp_path / "a.gpx", TOUR)


def test_a_plane_has_no_gpx() -> None:
    with pytest.raises(UsageError, match=r"has no latitudes and longitudes, so there is no \.gpx of it"):
        check_output("a.gpx", TSP.from_points([[0, 1], [2, 3]]))
