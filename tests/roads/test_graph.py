"""What is built from an extract is kept beside it, and used as long as it is of the same file, profile and version."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from extracts import grid, write_osm
from warptour.model.errors import InputError, MissingLibrary
from warptour.roads import extract, graph, matrix, osm
from warptour.roads.graph import open_roads
from warptour.roads.hierarchy import contract

STREET = {"highway": "residential"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_osm(tmp_path / "map.osm", grid(2, 3), [([1, 2, 3, 6, 5, 4, 1], STREET), ([2, 5], STREET)])


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one for each hierarchy that is built."""
    counts: list[int] = []

    def counted(*given, **named):
        counts.append(1)
        return contract(*given, **named)

    monkeypatch.setattr(graph, "contract", counted)
    return counts


def table(file: Path, notes: list[str] | None = None, **options) -> list[list[int]]:
    found = matrix(list(grid(2, 3).values()), file, note=None if notes is None else notes.append, **options)
    return found.durations.tolist()


def test_roads_are_built_once(file: Path, built: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    first = table(file)
    monkeypatch.setattr(osm, "library", lambda: pytest.fail("osmium is not needed"))
    assert table(file) == first
    assert len(built) == 1
    assert [path.name for path in file.parent.glob("map.osm*")] == ["map.osm", "map.osm.car.roads"] or len(
        list(file.parent.iterdir())
    ) == 2


def test_each_profile_is_kept(file: Path, built: list[int]) -> None:
    assert table(file, profile="foot") != table(file)
    table(file, profile="foot")
    assert len(built) == 2


def test_another_extract_of_that_name_is_built_again(file: Path, built: list[int]) -> None:
    table(file)
    text = file.read_text()
    file.write_text(text.replace("residential", "primary", 1))
    notes: list[str] = []
    table(file, notes)
    assert (len(built), notes) == (2, [f"{file}.car.roads is of another extract; it is built again"])
    table(file, notes)
    assert len(notes) == 1


def test_a_profile_that_has_changed_is_built_again(file: Path, built: list[int], tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    shutil.copy(graph.profile_of.__globals__["FOLDER"] / "car.toml", own)
    slow = table(file, profile=str(own))
    own.write_text(own.read_text().replace("residential = 30", "residential = 60"))
    notes: list[str] = []
    assert np.less(table(file, notes, profile=str(own)), slow).any()
    assert notes == [f"{file}.own.roads is of another profile; it is built again"]


def test_a_file_of_another_version_is_built_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = table(file)
    monkeypatch.setattr(graph, "VERSION", graph.VERSION + 1)
    notes: list[str] = []
    assert table(file, notes) == first
    assert notes == [f"{file}.car.roads is of version 1, and this one writes 2; it is built again"]


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "header", "lacking"])
def test_a_damaged_file_is_built_again(file: Path, damage: str) -> None:
    first, kept, notes = table(file), Path(f"{file}.car.roads"), list[str]()
    data = kept.read_bytes()
    with np.load(kept) as arrays:
        parts = dict(arrays)
    if damage in ("header", "lacking"):
        if damage == "header":
            parts["header"] = np.frombuffer(b"[1]", np.uint8)
        else:
            del parts["up.end"]
        with open(kept, "wb") as out:
            np.savez(out, **parts)
    else:
        kept.write_bytes({"cut": data[: len(data) // 2], "empty": b"", "text": b"no roads"}[damage])
    assert table(file, notes) == first
    assert notes == [f"{kept} is damaged; it is built again"]
    assert json.loads(np.load(kept)["header"].tobytes())["version"] == graph.VERSION


def test_what_cannot_be_kept_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(graph.os, "replace", full)
    notes: list[str] = []
    table(file, notes)
    why = "cannot be written: No space left on device; the roads are built again each time"
    assert notes == [f"{file}.car.roads {why}"]
    assert [path.name for path in file.parent.iterdir()] == ["map.osm"]


def test_an_interrupt_leaves_nothing_behind(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(graph.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        table(file)
    assert [path.name for path in file.parent.iterdir()] == ["map.osm"]


def test_progress_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extract, "TOLD", 1)
    told: list[tuple[str, int, int]] = []
    matrix([(50, 10), (50, 10.001)], file, report=lambda *step: told.append(step))
    assert ("reading ways", 2, 0) in told
    assert told[-1][0] == "table"
    steps = [(done, total) for what, done, total in told if what == "contracting"]
    assert steps[-1] == (steps[-1][1],) * 2


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.osm", "<osm version='0.6'></osm>", "has no way that a car may use"),
        ("a.osm", "what is this", "is no OpenStreetMap extract, or is damaged: "),
        ("a.osm.pbf", "what is this", "is no OpenStreetMap extract, or is damaged: "),
        ("a.osm.pbf", "", "is no OpenStreetMap extract, or is damaged: |has no way that a car may use"),
        ("a.osm.gz", "what", "is no OpenStreetMap extract, or is damaged: "),
        ("a.zip", "what", "is no OpenStreetMap extract by its suffix; known are .osm.pbf, .pbf, .osm"),
        (None, "", "there is no such file"),
    ],
)
def test_a_file_that_is_no_extract(tmp_path: Path, name: str | None, content: str, fault: str) -> None:
    path = tmp_path / (name or "none.osm.pbf")
    if name:
        path.write_text(content)
    with pytest.raises(InputError, match=fault) as error:
        open_roads(path)
    assert "\n" not in str(error.value) and str(error.value).startswith(str(path))
    assert not list(tmp_path.glob("*.roads"))


def test_a_cut_extract_is_damaged(city_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.osm.pbf"
    data = city_file.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="is no OpenStreetMap extract, or is damaged"):
        open_roads(path)


def test_without_osmium(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "osmium", None)
    with pytest.raises(MissingLibrary, match=r"pip install 'warptour\[roads\]'"):
        open_roads(file)
