"""Points and tours as NumPy arrays, and instances that are generated, mapped and written in pieces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from warptour.io import arrays, check_output, generate, read, read_solution, write_solution
from warptour.io.solution import check_solution
from warptour.io.write import write_problem
from warptour.model import memory
from warptour.model.errors import InputError, UnsupportedError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP

SQUARE = TSP("square", METRICS["EUCLIDEAN"], np.array([[0, 0], [0, 1], [1, 1], [1, 0.0]]))


def test_what_does_not_fit_into_memory_is_not_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 8e9)
    with pytest.raises(UnsupportedError, match=r"uniform:1000000000: .* 500,000,000 would fit"):
        generate("uniform", 1_000_000_000)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16, ">f8"])
@pytest.mark.parametrize("mapped", [0, 1 << 30])
def test_points_of_any_type_are_read_mapped_or_not(
    dtype: str, mapped: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "MAPPED_BYTES", mapped)
    points = np.arange(20).reshape(10, 2).astype(dtype)
    np.save(tmp_path / "points.npy", points)
    problem = read(tmp_path / "points.npy")
    assert problem.points.dtype == np.float64 and (problem.points == points).all()
    assert not problem.points.flags.writeable
    assert problem.cost(np.arange(10)) == pytest.approx(36 * np.sqrt(2))


def test_points_are_written_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "WRITTEN_ROWS", 3)
    problem = generate("uniform", 10, 1)
    write_problem(tmp_path / "points.npy", problem)
    assert (np.load(tmp_path / "points.npy") == problem.points).all()


def test_a_tour_is_written_as_an_array_from_zero_and_read_back(tmp_path: Path) -> None:
    path, tour = tmp_path / "tour.npy", np.array([2, 3, 0, 1])
    write_solution(path, SQUARE, tour)
    written = np.load(path)
    assert written.dtype == np.int32 and written.tolist() == tour.tolist()
    assert read_solution(path, SQUARE).tolist() == tour.tolist()
    report = check_solution(path, SQUARE)
    assert report.feasible and report.cost == 4


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([0, 1, 2, 2]), "2 is visited for the second time"),
        (np.array([0, 1, 2, 4]), r"4 is not one of the cities 0\.\.3"),
        (np.array([0, 1, 2]), "visits 3 of 4 cities"),
        (np.array([0, 1, 2, -(2**40)]), "is not one of the cities"),
        (np.array([0, 1, 2, 2**63], np.uint64), "is not one of the cities"),
        (np.array([0.0, 1, 2, 3]), "holds float64"),
        (np.array([[0, 1, 2, 3]]), "integers of shape"),
    ],
)
def test_an_array_that_is_no_tour_is_refused(tmp_path: Path, array: np.ndarray, message: str) -> None:
    np.save(tmp_path / "tour.npy", array)
    with pytest.raises(InputError, match=message):
        read_solution(tmp_path / "tour.npy", SQUARE)


def test_routes_are_not_written_as_an_array(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"routes are written as \.sol"):
        check_output(tmp_path / "routes.npy", generate("vrp", 10, 1))
