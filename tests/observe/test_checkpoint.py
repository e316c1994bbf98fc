"""A checkpoint brings back what was saved, and refuses what it is not."""

import numpy as np
import pytest

from warptour.model.clock import Clock
from warptour.model.errors import InputError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows
from warptour.observe import checkpoint as module
from warptour.observe.checkpoint import Checkpoint, fingerprint, load_checkpoint
from warptour.observe.events import Ended, Improved, State, Tick

POINTS = np.random.default_rng(1).integers(0, 100, (12, 2))


def tsp(**options):
    return TSP("twelve", METRICS["EUC_2D"], POINTS, **options)


def vrp(**options):
    demands = np.array([0, *[1] * 11])
    return VRP("twelve", METRICS["EUC_2D"], POINTS, demands=demands, capacity=4, **options)


def spans(of_1):
    """TimeWindows of twelve nodes: those of node 1, and the same span at all others."""
    return TimeWindows.of([(0, 99), of_1, *[(0, 99)] * 10], 12)


def timed(**options):
    return vrp(**{"windows": spans((1, 99))} | options)


def test_a_tour_comes_back(tmp_path):
    problem, path, tour = tsp(), tmp_path / "a.ckpt", np.arange(12, dtype=np.int32)[::-1]
    keep = Checkpoint(path, problem, seed=7, seconds=100.0, iterations=1000)
    keep(Improved(State(2.0, problem.cost(tour), 30, 0), tour))
    saved = load_checkpoint(path, problem)
    assert saved.solution.tolist() == tour.tolist()
    assert (saved.cost, saved.seed, saved.seconds, saved.iterations) == (problem.cost(tour), 7, 102.0, 1030)


def test_routes_come_back(tmp_path):
    problem, path = vrp(), tmp_path / "a.ckpt"
    routes = [np.array(r, np.int32) for r in ([1, 2, 3, 4], [5, 6, 7], [8, 9, 10, 11])]
    keep = Checkpoint(path, problem)
    keep(Improved(State(2.0, problem.cost(routes), 30, 0), routes))
    assert [route.tolist() for route in load_checkpoint(path, problem).solution] == [r.tolist() for r in routes]


def test_saving_waits_between_improvements_but_not_at_the_end(tmp_path, monkeypatch):
    for pause in ("MIN_PAUSE", "MAX_PAUSE"):
        monkeypatch.setattr(module, pause, 1e9)
    problem, path, tour = tsp(), tmp_path / "a.ckpt", np.arange(12, dtype=np.int32)
    keep = Checkpoint(path, problem)
    keep(Improved(State(0.0, 9, 1, 0), tour))
    first = path.stat().st_mtime_ns
    keep(Improved(State(0.1, 8, 2, 0), tour[::-1]))
    keep(Tick(State(0.2, 8, 3, 0)))
    assert path.stat().st_mtime_ns == first
    keep(Ended(State(0.3, 8, 4, 0)))
    assert load_checkpoint(path, problem).solution.tolist() == tour[::-1].tolist()


def test_a_full_disk_keeps_the_old_file_and_ends_nothing(tmp_path, monkeypatch):
    problem, path, tour = tsp(), tmp_path / "a.ckpt", np.arange(12, dtype=np.int32)
    keep = Checkpoint(path, problem)
    keep(Improved(State(0.0, 9, 1, 0), tour))
    before = path.read_bytes()

    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.np, "savez", full)
    keep._stale = True
    with pytest.warns(RuntimeWarning, match="No space left"):
        keep.save(State(1.0, 8, 1, 0))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.ckpt"]


@pytest.mark.parametrize("damage", [b"", b"not a zip file", b"PK\x03\x04 cut short"])
def test_a_damaged_file_is_refused(tmp_path, damage):
    (tmp_path / "a.ckpt").write_bytes(damage)
    with pytest.raises(InputError, match="not a checkpoint"):
        load_checkpoint(tmp_path / "a.ckpt", tsp())


def test_a_truncated_checkpoint_is_refused(tmp_path):
    problem, path = tsp(), tmp_path / "a.ckpt"
    Checkpoint(path, problem)(Improved(State(0.0, 9, 1, 0), np.arange(12, dtype=np.int32)))
    whole = path.read_bytes()
    for size in range(0, len(whole), 97):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError):
            load_checkpoint(path, problem)


def test_another_problem_is_refused(tmp_path):
    path = tmp_path / "a.ckpt"
    Checkpoint(path, tsp())(Improved(State(0.0, 9, 1, 0), np.arange(12, dtype=np.int32)))
    for other in (tsp(open=True), tsp(fixed_edges=[[0, 5]]), vrp()):
        with pytest.raises(InputError, match="another problem"):
            load_checkpoint(path, other)


def test_a_missing_file_and_an_unwritable_place_are_named(tmp_path):
    with pytest.raises(InputError, match="no such checkpoint"):
        load_checkpoint(tmp_path / "none", tsp())
    with pytest.raises(InputError, match="cannot write"):
        Checkpoint(tmp_path / "nowhere" / "a.ckpt", tsp())


def test_the_fingerprint_sees_everything_but_the_name():
    same = TSP("renamed", METRICS["EUC_2D"], POINTS.astype(float))
    assert fingerprint(same) == fingerprint(tsp())
    variants = [
        tsp(),
        tsp(open=True),
        tsp(open=True, first=1),
        tsp().rounded("none"),
        vrp(),
        vrp(vehicles=5),
        vrp(max_distance=1e6),
        vrp(fixed_cost=3),
        vrp(open=True),
        timed(),
        timed(max_duration=50),
        timed(open=True),
        timed(hour_cost=1),
        timed(late_cost=1),
        timed(late_cost=2),
        timed(max_wait=9),
        timed(service_times=np.arange(12.0)),
        timed(windows=spans((2, 98))),
        timed(windows=spans([(1, 50), (60, 99)])),
        timed(windows=spans([(1, 50), (61, 99)])),
        timed(windows=None, max_duration=None, clock=Clock(pace=2.0)),
        timed(windows=spans((1, 99)), clock=Clock(pace=2.0)),
        timed(windows=spans((1, 99)), clock=Clock(pace=2.0, depart=7.0)),
        timed(windows=spans((1, 99)), clock=Clock(pace=2.0, services=np.arange(12.0))),
    ]
    marks = [fingerprint(problem) for problem in variants]
    assert marks[-4] == fingerprint(vrp()), "a clock without limits changes nothing"
    del marks[-4]
    assert len(set(marks)) == len(marks)


def test_routes_with_windows_come_back_and_are_refused_with_others(tmp_path):
    path, routes = tmp_path / "a.ckpt", [np.array(r, np.int32) for r in ([1, 2, 3, 4], [5, 6, 7], [8, 9, 10, 11])]
    problem = timed(windows=TimeWindows.of([(0, 999)] * 12, 12))
    keep = Checkpoint(path, problem)
    keep(Improved(State(2.0, problem.cost(routes), 30, 0), routes))
    assert [route.tolist() for route in load_checkpoint(path, problem).solution] == [r.tolist() for r in routes]
    for other in (vrp(), timed(windows=TimeWindows.of([(0, 998)] * 12, 12))):
        with pytest.raises(InputError, match="another problem"):
            load_checkpoint(path, other)
