"""The sidecar of a trace: what is written is read back, while it grows, cut off anywhere, or damaged."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warptour as wt
from warptour.model.clock import Clock
from warptour.model.errors import InputError
from warptour.model.windows import TimeWindows
from warptour.observe import tours as sidecar
from warptour.observe.events import Ended, Improved, State, Tick
from warptour.observe.tour_frames import TourFile, as_routes
from warptour.observe.tours import CHANGE, WHOLE, Tours, from_runs, runs_of, tours_path


@pytest.fixture(scope="module", autouse=True)
def no_clock():
    """However long writing takes here, tours are due after the shortest pause."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sidecar, "SHARE", 1e9)
        yield


def found(at, cost, solution):
    return Improved(State(at, cost, 1, 1), solution)


def write(path, problem, solutions, pause=1.0):
    with Tours(path, problem) as tours:
        for number, solution in enumerate(solutions):
            tours(found(number * pause, problem.cost(solution), solution))
        tours(Ended(State(len(solutions) * pause, 1, 1, 1)))
    return tours


def opened(path):
    file = TourFile(path)
    file.grow()
    return file


@given(st.data())
def test_an_order_is_runs_of_another(data):
    n = data.draw(st.integers(1, 30))
    before = np.array(data.draw(st.permutations(range(n))), np.int32)
    after = before.copy()
    for _ in range(data.draw(st.integers(0, 3))):
        i, j = sorted(data.draw(st.tuples(st.integers(0, n), st.integers(0, n))))
        after[i:j] = after[i:j][::-1]
    after = np.roll(after, data.draw(st.integers(0, n)))
    assert (from_runs(before, runs_of(before, after, n)) == after).all()


def test_a_reversal_is_three_runs_however_long_the_tour():
    before = np.random.default_rng(1).permutation(10_000).astype(np.int32)
    after = before.copy()
    after[100:9_000] = after[100:9_000][::-1]
    assert runs_of(before, after, 10_000).tolist() == [0, 100, 8_999, -8_900, 9_000, 1_000]


def test_tours_are_read_back_in_any_order(tmp_path):
    problem = wt.generate("clustered", 200, 3)
    rng = np.random.default_rng(0)
    solutions = [rng.permutation(200).astype(np.int32)]
    for _ in range(60):
        i, j = np.sort(rng.integers(0, 201, 2))
        tour = solutions[-1].copy()
        tour[i:j] = tour[i:j][::-1]
        solutions.append(np.roll(tour, 7))
    write(tmp_path / "a.tours", problem, solutions)
    file = opened(tmp_path / "a.tours")
    assert file.error is None and len(file.frames) == len(solutions)
    assert {frame.kind for frame in file.frames} == {WHOLE, CHANGE}
    assert sum(frame.kind == WHOLE for frame in file.frames) < 15
    for number in [*range(len(solutions)), 3, 60, 17]:
        lengths, order = file.solution(number)
        assert len(lengths) == 0 and (order == solutions[number]).all()
        assert file.frames[number].cost == problem.cost(order)
    again = file.problem()
    assert isinstance(again, wt.TSP) and again.name == problem.name
    assert again.cost(solutions[-1]) == problem.cost(solutions[-1])


def test_routes_come_back_with_their_problem(tmp_path):
    problem = replace(wt.generate("vrp", 30, 1), labels=tuple(f"stop <{k}>" for k in range(30)), max_distance=9999.5)
    first = [np.arange(1, 15, dtype=np.int32), np.arange(15, 30, dtype=np.int32)]
    second = [np.arange(20, 30, dtype=np.int32), np.arange(15, 20, dtype=np.int32), np.arange(1, 15, dtype=np.int32)]
    write(tmp_path / "a.tours", problem, [first, second])
    file = opened(tmp_path / "a.tours")
    lengths, order = file.solution(1)
    assert [route.tolist() for route in as_routes(lengths, order)] == [route.tolist() for route in second]
    again = file.problem()
    assert isinstance(again, wt.VRP)
    assert again.cost(second) == problem.cost(second) and again.labels == problem.labels
    assert (again.capacity, again.max_distance, again.depot) == (problem.capacity, 9999.5, problem.depot)
    assert (again.demands == problem.demands).all()


def timed(n=12, **options):
    spans = [(0, 9000), [(1, 50), (60, 2000.5)], None, *[(k, 8000) for k in range(n - 3)]]
    fields = {
        "windows": TimeWindows.of(spans, n),
        "max_duration": 7000,
        "hour_cost": 0.5,
        "late_cost": 2,
        "max_wait": 99,
    }
    return replace(wt.generate("vrp", n, 1), **fields | options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"open": True, "late_cost": None},
        {"clock": Clock(np.arange(12.0), 0.25, depart=30.0)},
        {"windows": None, "late_cost": None, "max_wait": None, "max_duration": None, "clock": Clock(pace=3.0)},
    ],
    ids=["windows", "open", "clock", "hours"],
)
def test_times_come_back_with_their_problem(tmp_path, options):
    problem = timed(**options)
    routes = [np.arange(1, 7, dtype=np.int32), np.arange(7, 12, dtype=np.int32)]
    write(tmp_path / "a.tours", problem, [routes])
    again = opened(tmp_path / "a.tours").problem()
    assert again.cost(routes) == problem.cost(routes)
    assert again.check(routes) == problem.check(routes)
    for day, other in zip(again.days(routes), problem.days(routes), strict=True):
        assert day.starts.tolist() == other.starts.tolist()
    for name in ("max_duration", "hour_cost", "late_cost", "max_wait", "open"):
        assert getattr(again, name) == getattr(problem, name)


def test_times_over_a_matrix_are_not_in_the_file(tmp_path):
    durations = np.full((12, 12), 60.0)
    write(tmp_path / "a.tours", timed(clock=Clock(durations=durations)), [[np.arange(1, 12, dtype=np.int32)]])
    again = opened(tmp_path / "a.tours").problem()
    assert (again.windows, again.max_duration, again.clock) == (None, None, None)


def test_files_of_versions_without_times_are_read(tmp_path):
    problem = replace(wt.generate("vrp", 12, 1), vehicles=9)
    facts, arrays = sidecar.problem_facts(problem), sidecar.problem_arrays(problem)
    old = {"name", "kind", "n", "metric", "best_known", "open", "depot", "capacity", "max_distance", "vehicles"}
    assert set(facts) == old | {"fixed_cost"} and [*arrays] == ["points", "demands", "service_times"]
    assert facts["open"] is False, "the file of a problem without times is what it was"


def test_windows_that_are_none_are_damage(tmp_path):
    problem = timed()
    arrays = sidecar.problem_arrays(problem)
    broken = {
        "opens": np.full(12, 9999.0), "closes": np.full(12, np.nan), "gaps": np.full((1, 2), np.inf),
        "ends": np.arange(12)[::-1].copy(),
    }  # fmt: skip
    for name, array in broken.items():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sidecar, "problem_arrays", lambda _, name=name, array=array: arrays | {name: array})
            write(tmp_path / "a.tours", problem, [[np.arange(1, 12, dtype=np.int32)]])
        assert "no tours of warptour" in str(opened(tmp_path / "a.tours").error), name


def test_a_matrix_has_tours_and_no_problem(tmp_path):
    problem = wt.TSP.from_matrix(np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]]))
    write(tmp_path / "a.tours", problem, [np.array([2, 0, 1], np.int32)])
    file = opened(tmp_path / "a.tours")
    assert file.solution(0)[1].tolist() == [2, 0, 1]
    assert file.problem() is None and len(file.points) == 0


def test_a_file_that_grows_byte_by_byte_is_never_wrong(tmp_path):
    problem = wt.generate("uniform", 20, 1)
    solutions = [np.roll(np.arange(20, dtype=np.int32), k)[:: (-1) ** k] for k in range(4)]
    write(tmp_path / "whole.tours", problem, solutions)
    data = (tmp_path / "whole.tours").read_bytes()
    growing = tmp_path / "growing.tours"
    file, frames = TourFile(growing), 0
    assert file.grow() == 0
    for size in range(0, len(data) + 1, 4):
        growing.write_bytes(data[:size])
        frames += file.grow()
        assert file.error is None and len(file.frames) == frames
    assert frames == 4 and (file.solution(3)[1] == solutions[3]).all()


@given(st.integers(0, 2**16), st.binary(min_size=1, max_size=8), st.booleans())
def test_damage_is_reported_and_never_crashes(at, junk, has_times):
    problem = timed(clock=Clock(np.arange(12.0), 0.25)) if has_times else wt.generate("vrp", 12, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.tours"
        routes = [np.arange(1, 12, dtype=np.int32)]
        write(path, problem, [routes, [routes[0][::-1].copy()]])
        data = bytearray(path.read_bytes())
        at %= len(data)
        data[at : at + len(junk)] = junk
        path.write_bytes(data)
        file = opened(path)
        for number in range(len(file.frames)):
            with suppress(InputError):
                lengths, order = file.solution(number)
                assert lengths.sum() == len(order) and order.min(initial=0) >= 0 and order.max(initial=0) < 12
        if file.error is not None:
            assert "no tours of warptour" in str(file.error)


def test_what_is_no_sidecar_is_said_to_be_none(tmp_path):
    (tmp_path / "a.tours").write_bytes(b"hello, this is a text of some length")
    file = opened(tmp_path / "a.tours")
    assert "no tours of warptour" in str(file.error)


def test_tours_are_a_few_a_second_and_the_last_is_always_there(tmp_path):
    problem = wt.generate("uniform", 50, 1)
    rng = np.random.default_rng(1)
    with Tours(tmp_path / "a.tours", problem) as tours:
        for number in range(1000):
            latest = rng.permutation(50).astype(np.int32)
            tours(found(number / 1000, 1, latest))
            tours(Tick(State(number / 1000, 1, 1, 1)))
        tours(Ended(State(1.0, 1, 1, 1)))
    file = opened(tmp_path / "a.tours")
    assert 1 < len(file.frames) <= 6
    assert (file.solution(len(file.frames) - 1)[1] == latest).all()


def test_a_file_keeps_to_its_limit_with_room_for_the_last(tmp_path, monkeypatch):
    monkeypatch.setattr(sidecar, "LIMIT", 20_000)
    problem = wt.generate("uniform", 100, 1)
    rng = np.random.default_rng(1)
    solutions = [rng.permutation(100).astype(np.int32) for _ in range(400)]
    write(tmp_path / "a.tours", problem, solutions, pause=0.3)
    file = opened(tmp_path / "a.tours")
    assert (tmp_path / "a.tours").stat().st_size <= 20_000
    assert file.facts is not None and file.facts["limit"] == 20_000
    assert (file.solution(len(file.frames) - 1)[1] == solutions[-1]).all()
    pauses = np.diff([frame.seconds for frame in file.frames])
    assert pauses[-5:-1].mean() > 3 * pauses[:5].mean()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_ends_the_tours_and_nothing_else():
    problem = wt.generate("uniform", 50, 1)
    with pytest.warns(RuntimeWarning, match="the tours end here"):
        tours = Tours("/dev/full", problem)
    with tours:
        tours(found(0.5, 1, np.arange(50, dtype=np.int32)))
        tours(Ended(State(1.0, 1, 1, 1)))
    assert not tours.complete


@pytest.mark.parametrize("kind", ["uniform", "vrp"])
def test_a_run_keeps_its_tours_beside_its_trace(tmp_path, kind):
    problem = wt.generate(kind, 60, 1)
    path = tmp_path / "run.jsonl"
    result = wt.solve(problem, iterations=2000, threads=1, trace=path, tours=True)
    file = opened(tours_path(path))
    lengths, order = file.solution(len(file.frames) - 1)
    assert problem.cost(as_routes(lengths, order)) == result.cost == file.frames[-1].cost
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    begin, end = lines[0], lines[-1]
    assert begin["event"] == "begin" and begin["tours"] is True
    assert (begin["kind"], begin["n"], begin["seed"], begin["threads"]) == (problem.kind, 60, 0, 1)
    assert begin["strategy"] == result.strategy and begin["iterations"] == 2000 and begin["seconds"] is None
    assert end["event"] == "end" and end["cost"] == result.cost
    assert any(line["event"] == "step" and line["number"] >= 1 for line in lines)


def test_tours_need_a_trace():
    with pytest.raises(wt.UsageError, match="beside a trace"):
        wt.solve(wt.generate("uniform", 10, 1), iterations=1, tours=True)


def test_an_order_of_other_nodes_is_no_runs():
    before, after = (np.array(order, np.int32) for order in ([0, 1, 2, 3], [0, 1, 5, 3]))
    assert runs_of(before, after, 6) is None
