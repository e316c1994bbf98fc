"""Latitude and longitude in one cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from warptour.io import read, write_solution
from warptour.io.coordinates import looks_like_place, place_in
from warptour.model.errors import InputError

HERE = 52.5162, 13.3777
GOOGLE = "https://www.google.com/maps"


@pytest.mark.parametrize(
    "text",
    [
        "52.5162, 13.3777",
        "52.5162 13.3777",
        "(52.5162;13.3777)",
        "52,5162; 13,3777",
        "52,5162, 13,3777",
        "POINT (13.3777 52.5162)",
        "N 52.5162 E 13.3777",
        "13.3777° E, 52.5162° N",
        "52°30'58.32\"N 13°22'39.72\"E",
        "geo:52.5162,13.3777?z=16",
        f"{GOOGLE}/@52.5162,13.3777,15z",
        f"{GOOGLE}/place/Tor/@52.51,13.37,17z/data=!3m1!4b1!4m5!3m4!1s0x0!8m2!3d52.5162!4d13.3777",
        f"{GOOGLE}?q=52.5162%2C13.3777",
        f"{GOOGLE}/search/?api=1&query=52.5162,13.3777",
        f"{GOOGLE}/search/52.5162,+13.3777?entry=tts",
        f"{GOOGLE}/dir/52.4,13.1/52.5162,13.3777/",
        "https://www.openstreetmap.org/?mlat=52.5162&mlon=13.3777#map=15/52.1/13.1",
        "https://www.openstreetmap.org/#map=15/52.5162/13.3777",
        "https://maps.apple.com/?ll=52.5162,13.3777&q=Gate",
        "https://www.bing.com/maps?cp=52.5162~13.3777&lvl=15",
        "https://waze.com/ul?ll=52.5162%2C13.3777&navigate=yes",
    ],
)
def test_places(text: str) -> None:
    assert looks_like_place(text)
    if "/dir/" not in text:
        assert place_in(text) == pytest.approx(HERE)


@pytest.mark.parametrize("text", ["Main St 5", "12", "1,5", "40 12", "8-12", "030 12 34", "https://baker.example/a,b"])
def test_what_is_no_place(text: str) -> None:
    assert not looks_like_place(text)


def test_south_and_west() -> None:
    assert place_in("33.86 S, 70.5 W") == (-33.86, -70.5) and place_in("-33.86, 151.2") == (-33.86, 151.2)
    assert place_in("13.4, 52.5", lon_first=True) == (52.5, 13.4) and place_in("52 N 13 N") is None


@pytest.mark.parametrize("header", ["lat, lng", "Koordinaten", "GPS", "Where", "Google Maps", "Latitude/Longitude"])
def test_a_column_of_places(tmp_path: Path, header: str) -> None:
    rows = "Depot;52.50, 13.40;\nA;52.51, 13.41;2\nB;https://www.google.com/maps/@52.52,13.42,15z;3\n"
    (tmp_path / "a.csv").write_text(f"Tour\nname;{header};demand\n{rows}")
    problem = read(tmp_path / "a.csv", capacity=9)
    np.testing.assert_array_equal(problem.points, [[52.5, 13.4], [52.51, 13.41], [52.52, 13.42]])
    assert problem.metric.name == "GREAT_CIRCLE" and problem.labels == ("Depot", "A", "B") and problem.warnings == ()
    write_solution(tmp_path / "b.csv", problem, [[1, 2]])
    lines = (tmp_path / "b.csv").read_text().splitlines()
    assert lines[1].startswith(f"name;{header};demand;route;") and lines[3].startswith("A;52.51, 13.41;2;1;1;2;")


def test_longitude_may_stand_first(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('name,"lng, lat"\nA,"13.41, 52.51"\nB,"13.42, 52.52"\nC,"13.4, 52.5"\n')
    assert read(tmp_path / "a.csv").points[0].tolist() == [52.51, 13.41]


def test_the_user_says_which_column(tmp_path: Path) -> None:
    text = 'name,last seen,home\nA,"52.11, 13.11","52.51, 13.41"\nB,"52.12, 13.12","52.52, 13.42"\n'
    (tmp_path / "a.csv").write_text(text)
    with pytest.warns(match="not used: 'last seen'"):
        assert read(tmp_path / "a.csv", columns={"place": "home"}).points[0].tolist() == [52.51, 13.41]


def test_two_columns_of_coordinates_come_first(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('name,gps,lat,lon\nA,"1.11, 2.22",52.51,13.41\nB,"1.12, 2.23",52.52,13.42\n')
    with pytest.warns(match="not used: 'gps'"):
        assert read(tmp_path / "a.csv").points[0].tolist() == [52.51, 13.41]


@pytest.mark.parametrize(
    ("cell", "fault"),
    [
        ("", ":3: there is no lat of 'B'; fill it in"),
        ("near the church", ":3: 'gps' of 'B' is 'near the church', no place; write it as 52.52, 13.40"),
        ("https://maps.app.goo.gl/x1", "a link without coordinates; open it, and copy the address"),
        ("152.5, 13.4", ":3: "),
    ],
)
def test_faults(tmp_path: Path, cell: str, fault: str) -> None:
    (tmp_path / "a.csv").write_text(f'name,gps\nA,"52.51, 13.41"\nB,"{cell}"\nC,"52.5, 13.4"\n')
    with pytest.raises(InputError, match=fault):
        read(tmp_path / "a.csv")
