"""Options, generated instances, and best known values."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from warptour.io import KINDS, demo_problem, generate, read, write_problem
from warptour.io.files import write_atomic
from warptour.model.errors import UsageError
from warptour.model.infeasibility import prove_infeasible
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [2, 3, 10, 99, 1000])
def test_a_seed_gives_one_instance(kind: str, n: int) -> None:
    a, b, c = generate(kind, n, 7), read(f"{kind}:{n}:7"), generate(kind, n, 8)
    assert a.n == n and a.name == f"{kind}-{n}-7"
    np.testing.assert_array_equal(a.points, b.points)
    assert n < 10 or not np.array_equal(a.points, c.points)
    assert a.metric.name == "EUC_2D"
    assert np.array_equal(a.points, np.floor(a.points))
    if isinstance(a, VRP):
        prove_infeasible(a)
        assert a.demands[1:].min() >= 1


def test_generated_values_do_not_drift() -> None:
    """Measurements refer to these instances, so they must stay the same."""
    sums = {kind: int(generate(kind, 1000, 1).points.sum()) for kind in KINDS}
    assert sums == {
        "uniform": 987209995,
        "clustered": 1013080354,
        "grid": 3053200,
        "drilling": 50545004,
        "picture": 1014644306,
        "vlsi": 349958,
        "roads": 1095605960,
        "vrp": 987072,
        "towns": 1004072699,
        "windows": 9794291,
    }


def test_the_kinds_look_as_they_should() -> None:
    uniform = generate("uniform", 10_000, 1).points
    assert uniform.min() >= 0 and uniform.max() < 1_000_000
    assert abs(uniform.mean() - 500_000) < 10_000
    grid = generate("grid", 100, 1).points
    assert sorted(map(tuple, grid.tolist())) == [(100.0 * x, 100.0 * y) for x in range(10) for y in range(10)]
    drilling = generate("drilling", 5000, 1).points
    assert 0 < 5000 - len(np.unique(drilling, axis=0)) < 500


def test_the_bundled_instance_is_what_its_comment_says() -> None:
    problem = demo_problem()
    assert (problem.name, problem.n) == ("demo1000", 1000)
    np.testing.assert_array_equal(problem.points, generate("clustered", 1000, 7).points)


@pytest.mark.parametrize(
    ("kind", "n", "seed"), [("cube", 5, 1), ("uniform", 0, 1), ("uniform", 10**12, 1), ("grid", 5, -1), ("vrp", 1, 1)]
)
def test_senseless_requests(kind: str, n: int, seed: int) -> None:
    with pytest.raises(UsageError):
        generate(kind, n, seed)


def test_a_file_goes_before_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read("uniform:5:1").n == 5


def test_rounding_is_the_metrics_own_unless_said(tmp_path: Path) -> None:
    write_problem(tmp_path / "a.tsp", TSP("a", read("uniform:2:1").metric, np.array([[0, 0], [1, 1]])))
    tour = np.arange(2)
    for rounding, cost in ((None, 2), ("nearest", 2), ("ceil", 4), ("floor", 2), ("none", 2 * 2**0.5)):
        problem = read(tmp_path / "a.tsp", rounding=rounding)  # type: ignore[arg-type]
        assert isinstance(problem, TSP)
        assert problem.cost(tour) == pytest.approx(cost)


def test_best_known_values_hold_for_their_rounding(tmp_path: Path) -> None:
    write_problem(tmp_path / "a.vrp", generate("vrp", 10, 1))
    write_problem(tmp_path / "b.tsp", generate("uniform", 10, 1))
    (tmp_path / "best.csv").write_text("name,customers,rounding,best\na,9,none,12.5\n")
    assert read(tmp_path / "a.vrp").best_known is None
    assert read(tmp_path / "a.vrp", rounding="none").best_known == 12.5
    assert read(tmp_path / "a.vrp", rounding="none", capacity=1000).best_known is None
    (tmp_path / "best.csv").write_text("name,customers,rounding,best\na,9,nearest integer,12\n")
    assert read(tmp_path / "a.vrp").best_known == 12
    assert read(tmp_path / "a.vrp", rounding="none").best_known is None
    (tmp_path / "best.csv").write_text("name,n,weights,best\nb,10,EUC_2D,77\n")
    assert read(tmp_path / "b.tsp").best_known == 77
    assert read(tmp_path / "b.tsp", rounding="nearest").best_known == 77
    assert read(tmp_path / "b.tsp", rounding="ceil").best_known is None
    (tmp_path / "best.csv").write_text("name,n,best\nb,11,77\n")
    assert read(tmp_path / "b.tsp").best_known is None, "another instance of that name"


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\0\0", b"a,b\n1,2\n", b"name,best\nb,cheap\n", b'name,best\n"b\n', b"name,best\nb,inf\n"]
)
def test_a_best_csv_of_something_else_is_no_error(tmp_path: Path, content: bytes) -> None:
    write_problem(tmp_path / "b.tsp", generate("uniform", 10, 1))
    (tmp_path / "best.csv").write_bytes(content)
    assert read(tmp_path / "b.tsp").best_known is None


def test_options_replace_what_a_file_says(tmp_path: Path) -> None:
    write_problem(tmp_path / "a.vrp", generate("vrp", 10, 1))
    problem = read(tmp_path / "a.vrp", capacity=999, max_distance=5000, service_time=2, vehicles=4, fixed_cost=1.5)
    assert isinstance(problem, VRP)
    assert (problem.capacity, problem.max_distance, problem.vehicles, problem.fixed_cost) == (999, 5000, 4, 1.5)
    assert problem.service_times.tolist() == [0] + [2] * 9


def test_reading_loads_nothing_heavy() -> None:
    code = "import sys, warptour.io; print(sorted({'scipy', 'pandas', 'matplotlib', 'rich'} & set(sys.modules)))"
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_a_best_csv_that_is_no_file_is_passed_over(tmp_path: Path) -> None:
    write_problem(tmp_path / "a.tsp", generate("uniform", 5, 1))
    best = tmp_path / "best.csv"
    best.write_text("name,n,best\na,5,77\n")
    assert read(tmp_path / "a.tsp").best_known == 77
    best.unlink()
    os.mkfifo(best)
    assert read(tmp_path / "a.tsp").best_known is None
    best.unlink()
    for target in ("/dev/zero", "/dev/tty", str(tmp_path), "best.csv"):
        best.symlink_to(target)
        assert read(tmp_path / "a.tsp").best_known is None
        best.unlink()


def test_an_endless_best_csv_is_not_read_to_its_end(tmp_path: Path) -> None:
    write_problem(tmp_path / "a.tsp", generate("uniform", 5, 1))
    with open(tmp_path / "best.csv", "wb") as file:
        file.truncate(1 << 36)  # takes no room on the disk
    assert read(tmp_path / "a.tsp").best_known is None


def test_a_file_is_whole_or_absent(tmp_path: Path) -> None:
    path = tmp_path / "a.tour"
    path.write_text("old")

    def broken():
        yield b"new"
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        write_atomic(path, broken())
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.tour"]
    (tmp_path / "link.tour").symlink_to(path)
    write_atomic(tmp_path / "link.tour", [b"new"])
    assert path.read_text() == "new" and (tmp_path / "link.tour").is_symlink()


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    problem = generate("uniform", 5, 1)
    for path in (tmp_path / "none" / "a.tsp", tmp_path / "folder.tsp", Path("a\0.tsp")):
        if path.name == "folder.tsp":
            path.mkdir()
        with pytest.raises(UsageError, match="cannot write"):
            write_problem(path, problem)
    with pytest.raises(UsageError, match=r"has the suffix '.txt'; a TSP is written as .tsp, .atsp, .csv, .npy"):
        write_problem(tmp_path / "a.txt", problem)
    with pytest.raises(UsageError, match="no suffix"):
        write_problem(tmp_path / "a", problem)
