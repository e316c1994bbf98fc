"""Times as other programs read them: routes that are feasible in their integers are feasible."""

from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from timed_problems import timed_problem
from warptour.compare.handover import tables_file
from warptour.compare.timetable import scale_of
from warptour.model.clock import Clock
from warptour.model.metric import METRICS
from warptour.model.windows import TimeWindows


def handed(problem, folder, longest=100_000):
    made = tables_file(problem, folder, longest)
    with np.load(made.file) as tables:
        return made, {name: tables[name] for name in tables.files}


def is_kept(tables, route) -> bool:
    """Whether the integers say that a vehicle that leaves at once is at no stop of ``route`` too late."""
    vehicle = tables["types"][0]
    now, at = vehicle["opens"], 0
    for place in [*route, 0]:
        now += tables["services"][at] + tables["durations"][0, at, place]
        windows = tables["windows"][tables["window_nodes"] == place]
        starts = [max(now, opens) for opens, closes in windows if now <= closes]
        if not starts:
            return place == 0 and vehicle["end"] == len(tables["demands"])
        now, at = min(starts), place
    return True


def unrounded(seed):
    """Times that are no integers in any unit; a depot that is not the first node, where vehicles are loaded."""
    rng = np.random.default_rng(seed)
    points = rng.random((7, 2)) * (1.0, 17.0)
    opens = rng.random(7) * 15
    closes = opens + rng.random(7) * 5
    opens[2], closes[2] = 0.4, 60.3
    windows = [[(a, b), (b + 5.5, b + 7)] if seed % 2 and at == 4 else (a, b)
               for at, (a, b) in enumerate(zip(opens, closes, strict=True))]  # fmt: skip
    return wt.VRP(
        "case", METRICS["EUCLIDEAN"], points, demands=np.where(np.arange(7) == 2, 0, 1), capacity=9, depot=2,
        windows=TimeWindows.of(windows, 7), service_times=rng.random(7), open=bool(seed % 3 == 0),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_what_is_feasible_in_integers_is_feasible(seed, tmp_path):
    problem = unrounded(seed)
    _, tables = handed(problem, tmp_path)
    rng, order, kept, lost = np.random.default_rng(seed), np.append(2, problem.customers), 0, 0
    for _ in range(300):
        route = rng.permutation(np.arange(1, 7))[: rng.integers(1, 4)]
        day = problem.days([order[route]])[0]
        exact = problem.schedule.is_kept_by(day)
        assert exact or not is_kept(tables, route)
        kept, lost = kept + is_kept(tables, route), lost + (exact and not is_kept(tables, route))
    assert kept > 20 and lost < 3


@pytest.mark.parametrize("seed", range(12))
def test_whole_times_are_handed_over_as_they_are(seed, tmp_path):
    problem = replace(timed_problem(seed, 6), late_cost=None, max_wait=None, max_duration=None)
    made, tables = handed(problem, tmp_path)
    assert made.scale == 1 and made.units.startswith("as in the problem; travel times ")
    rng = np.random.default_rng(seed)
    for _ in range(50):
        route = rng.permutation(np.arange(1, 7))[: rng.integers(1, 4)]
        assert is_kept(tables, route) == problem.schedule.is_kept_by(problem.days([route])[0])


def test_unrounded_times_have_windows_of_whole_times_as_they_are(tmp_path):
    points = np.array([[0, 0], [3, 4.5], [6, 8]])
    problem = wt.VRP(
        "x", METRICS["EUCLIDEAN"], points, demands=[0, 1, 1], capacity=2,
        windows=TimeWindows.of([(0, 100), (7, 7), None], 3), max_duration=50.5,
    )  # fmt: skip
    made, tables = handed(problem, tmp_path)
    assert made.scale == 10_000 and made.units == "times 10000, rounded; travel times likewise, rounded up"
    assert tables["windows"].tolist() == [[0, 1_000_000], [70_000, 70_000], [0, tables["horizon"]]]
    assert tables["types"]["longest"] == 505_000 and tables["distances"][0, 1] == 54_083
    assert tables["durations"][0, 0, 1] == 54_084


def test_times_of_a_table_have_their_own_unit_and_prices_follow(tmp_path):
    durations = np.array([[0, 600.5, 1200], [600, 0, 900], [1200, 900, 0]])
    problem = replace(
        wt.VRP.from_matrix([[0, 4, 8], [4, 0, 6], [8, 6, 0]], demands=[0, 1, 1], capacity=2),
        clock=Clock(np.array([0, 60, 60]), durations=durations), hour_cost=36.0,
    )  # fmt: skip
    made, tables = handed(problem, tmp_path)
    assert made.units == "as in the problem; travel times as in the problem, rounded up"
    assert tables["durations"][0, 0].tolist() == [0, 601, 1200] and tables["types"]["per_time"] == pytest.approx(0.01)
    _, finer = handed(replace(problem, hour_cost=3600.0), tmp_path)
    assert finer["durations"][0, 0].tolist() == [0, 6005, 12000] and finer["types"]["per_time"] == pytest.approx(0.1)


def test_fewer_vehicles_first_is_a_fixed_cost_above_all_distances(tmp_path):
    problem = replace(wt.read("vrp:30:1"), fewest=True, fixed_cost=5)
    _, tables = handed(problem, tmp_path)
    each = problem.cost([[customer] for customer in problem.customers])
    assert tables["types"]["fixed"] == each + 5


def test_scales():
    assert scale_of(9_000, 10_000, exact=False, tens=True) == 1
    assert scale_of(900, 10_000, exact=True, tens=True) == 1
    assert scale_of(900, 10_000, exact=False, tens=True) == 10
    assert scale_of(1000, 10_000, exact=False, tens=True) == 1
    assert scale_of(20_000, 10_000, exact=True, tens=True) == 0.1
    assert scale_of(20_000, 10_000, exact=True, tens=False) == 0.5
