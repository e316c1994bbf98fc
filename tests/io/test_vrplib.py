"""VRPLIB as PyVRP reads it: windows, durations, vehicles, prizes, groups; the rest is refused by name."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warptour.io import read, read_solution, write_problem, write_solution
from warptour.model.errors import InputError, UsageError
from warptour.model.fleet import Alternatives, Fleet
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

GOOD = (
    "NAME: v\nTYPE: VRPTW\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nVEHICLES: 2\nCAPACITY: 10\n"  # 6 lines
    "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\n"  # 7 to 10
    "DEMAND_SECTION\n1 0\n2 4\n3 5\n"  # 11 to 14
    "TIME_WINDOW_SECTION\n1 0 40\n2 5 9\n3 0 30\n"  # 15 to 18
    "DEPOT_SECTION\n1\n-1\nEOF\n"  # 19 to 22
)


def problem_in(path: Path, text: str = GOOD) -> VRP:
    path.write_text(text)
    problem = read(path)
    assert isinstance(problem, VRP)
    return problem


def with_lines(*lines: str) -> str:
    """The file with lines after that of the vehicles."""
    return GOOD.replace("CAPACITY", "\n".join([*lines, "CAPACITY"]))


def with_section(name: str, *rows: str) -> str:
    return GOOD.replace("DEPOT_SECTION", "\n".join([name, *rows, "DEPOT_SECTION"]), 1)


def test_windows_and_services(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.vrp", with_lines("SERVICE_TIME: 2"))
    assert problem.windows is not None
    assert [*problem.windows] == [[(0, 40)], [(5, 9)], [(0, 30)]]
    assert problem.service_times.tolist() == [0, 2, 2] and problem.vehicles == 2
    assert problem.check([np.array([1, 2])]).feasible
    (late,) = problem.check([np.array([2, 1])]).violations
    assert "2 late; its hours are 5-9" in late, "served from 4 to 6, and at 11 at the next"


def test_several_windows(tmp_path: Path) -> None:
    gaps = with_section("TIME_WINDOW_GAP_SECTION", "3 4 6", "3 10 20.5", "2 6 7")
    problem = problem_in(tmp_path / "a.vrp", gaps)
    assert problem.windows is not None
    assert [*problem.windows] == [[(0, 40)], [(5, 6), (7, 9)], [(0, 4), (6, 10), (20.5, 30)]]


def test_releases(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.vrp", with_section("RELEASE_TIME_SECTION", "1 0", "2 0", "3 7"))
    assert problem.releases is not None and problem.releases.tolist() == [0, 0, 7]
    (late,) = problem.check([np.array([1, 2])]).violations
    assert "serves customer 2 1 late" in late, "which is 3 away and closes at 9"
    assert problem.check([np.array([1]), np.array([2])]).feasible
    write_problem(tmp_path / "b.vrp", problem)
    again = problem_in(tmp_path / "b.vrp", (tmp_path / "b.vrp").read_text())
    assert again.releases is not None and again.releases.tolist() == [0, 0, 7]
    scaled = read(tmp_path / "b.vrp", rounding="dimacs")
    assert isinstance(scaled, VRP) and scaled.releases is not None and scaled.releases.tolist() == [0, 0, 70]


@pytest.mark.parametrize("word", ["1125899906842625", "9223372036854775807", "1e30"])
def test_a_closing_beyond_all_times_is_none(tmp_path: Path, word: str) -> None:
    problem = problem_in(tmp_path / "a.vrp", GOOD.replace("3 0 30", f"3 0 {word}"))
    assert problem.windows is not None and problem.windows.closes.tolist() == [40, 9, math.inf]


def test_node_1_is_the_depot_unless_the_file_says(tmp_path: Path) -> None:
    assert problem_in(tmp_path / "a.vrp", GOOD.replace("DEPOT_SECTION\n1\n-1\n", "")).depot == 0


FIELDS = {
    "VEHICLES_MAX_DURATION: 30": ("max_duration", 30),
    "VEHICLES_MAX_DISTANCE: 30.5": ("max_distance", 30.5),
    "VEHICLES_FIXED_COST: 7": ("fixed_cost", 7),
    "VEHICLES_UNIT_DISTANCE_COST: 1": ("fixed_cost", 0),
    "VEHICLES_UNIT_DURATION_COST: 3": ("hour_cost", 3),
    "DISTANCE: 29": ("max_distance", 29),
    "VEHICLES_FIXED_COST_SECTION\n1 8\n2 8": ("fixed_cost", 8),
    "VEHICLES_MAX_DURATION_SECTION\n1 31\n2 31": ("max_duration", 31),
    "VEHICLES_DEPOT_SECTION\n1 1\n2 1": ("depot", 0),
}


@pytest.mark.parametrize("lines", FIELDS)
def test_what_all_vehicles_have(tmp_path: Path, lines: str) -> None:
    problem = problem_in(tmp_path / "a.vrp", with_lines(lines))
    name, value = FIELDS[lines]
    assert getattr(problem, name) == value
    capacities = with_section("CAPACITY_SECTION", "1 11", "2 11").replace("CAPACITY: 10\n", "")
    assert problem_in(tmp_path / "a.vrp", capacities).capacity == 11


def test_durations_without_windows_are_distances(tmp_path: Path) -> None:
    text = with_lines("VEHICLES_MAX_DURATION: 30", "DISTANCE: 31", "SERVICE_TIME: 2").replace(
        "TYPE: VRPTW", "TYPE: VRP"
    )
    begin, end = text.index("TIME_WINDOW_SECTION"), text.index("DEPOT_SECTION")
    problem = problem_in(tmp_path / "a.vrp", text[:begin] + text[end:])
    assert (problem.max_duration, problem.max_distance, problem.windows) == (None, 30, None)
    assert problem.used(problem.limits[0], np.array([1, 2])) == 3 + 5 + 4 + 2 * 2


REFUSED = {
    "backhauls": (with_section("BACKHAUL_SECTION", "1 0"), 20, "BACKHAUL_SECTION has 1 lines, but DIMENSION is 3"),
    "release": (with_section("RELEASE_TIME_SECTION", "1 0", "2 -1", "3 0"), 21, "has the release time -1"),
    "release-of-all": (with_lines("RELEASE_TIME: 5"), 6, "RELEASE_TIME: one release time for all"),
    "reloads-few": (with_section("VEHICLES_RELOAD_DEPOT_SECTION", "1 1"), 19, "has 1 lines, but there are 2 vehicles"),
    "reload-elsewhere": (
        with_section("VEHICLES_RELOAD_DEPOT_SECTION", "1 1", "2 3"),
        21,
        "3 is not in DEPOT_SECTION",
    ),
    "depot-of-vehicles": (
        with_section("VEHICLES_DEPOT_SECTION", "1 2", "2 2"),
        20,
        "is 2, which is not in DEPOT_SECTION",
    ),
    "depot-twice": (GOOD.replace("\n1\n-1\n", "\n1\n1\n-1\n"), 19, "DEPOT_SECTION names a node twice"),
    "depot-loads": (GOOD.replace("\n1\n-1\n", "\n1\n2\n-1\n"), 13, "the depot has the demand 4; it must be 0"),
    "prizes-few": (with_section("PRIZE_SECTION", "1 0"), 20, "PRIZE_SECTION has 1 lines, but DIMENSION is 3"),
    "prize-negative": (with_section("PRIZE_SECTION", "1 0", "2 -3", "3 0"), 21, "node 2 has the prize -3; it must"),
    "allowed-few": (with_section("VEHICLES_ALLOWED_CLIENTS_SECTION", "1 2 3"), 19, "has 1 lines, but there are 2"),
    "allowed-node": (with_section("VEHICLES_ALLOWED_CLIENTS_SECTION", "1 2", "2 4"), 21, "4 is not a node"),
    "allowed-order": (with_section("VEHICLES_ALLOWED_CLIENTS_SECTION", "2 2", "1 3"), 20, "'2' stands where 1 should"),
    "group-twice": (with_section("MUTUALLY_EXCLUSIVE_GROUP_SECTION", "1 2 3", "2 2"), 21, "node 2 is in two groups"),
    "group-depot": (with_section("MUTUALLY_EXCLUSIVE_GROUP_SECTION", "1 1 3"), 20, "node 1 is a depot"),
    "group-empty": (with_section("MUTUALLY_EXCLUSIVE_GROUP_SECTION", "1"), 20, "there are no nodes in this line"),
    "group-word": (with_section("MUTUALLY_EXCLUSIVE_GROUP_SECTION", "1 2.5 3"), 20, "'2.5' is not a number"),
    "capacities": (
        with_section("CAPACITY_SECTION", "1 9", "2 0").replace("CAPACITY: 10\n", ""),
        20,
        "CAPACITY_SECTION: vehicle 2 has 0; it must be above 0",
    ),
    "distance-of-a-fleet": (with_lines("DISTANCE: 9", "VEHICLES_UNIT_DISTANCE_COST: 2"), 6, "for vehicles that are al"),
    "capacity-twice": (with_section("CAPACITY_SECTION", "1 9", "2 9"), 19, "contradicts CAPACITY; keep one"),
    "fixed-twice": (with_lines("FIXED_COST: 1", "VEHICLES_FIXED_COST: 1"), 7, "contradicts FIXED_COST; keep one"),
    "duration-zero": (with_lines("VEHICLES_MAX_DURATION: 0"), 6, "VEHICLES_MAX_DURATION is 0; it must be above 0"),
    "fixed-negative": (with_lines("VEHICLES_FIXED_COST: -1"), 6, "VEHICLES_FIXED_COST is -1; it must be at least 0"),
    "vehicles-missing": (
        with_section("VEHICLES_FIXED_COST_SECTION", "1 9"),
        20,
        "has 1 lines, but there are 2 vehicles",
    ),
    "vehicles-many": (with_section("VEHICLES_FIXED_COST_SECTION", "1 9", "2 9", "3 9"), 22, "but there are 2 vehicles"),
    "vehicles-order": (
        with_section("VEHICLES_FIXED_COST_SECTION", "2 9", "1 9"),
        20,
        "vehicle 2 stands where vehicle 1",
    ),
    "no-windows": (GOOD.replace("TIME_WINDOW_SECTION\n1 0 40\n2 5 9\n3 0 30\n", ""), 18, "a VRPTW needs one"),
    "window-reversed": (GOOD.replace("2 5 9", "2 9 5"), 17, "node 2 closes at 5, before it opens at 9"),
    "window-negative": (GOOD.replace("2 5 9", "2 -5 9"), 17, "node 2 opens at -5; it must be at least 0"),
    "window-late": (
        GOOD.replace("2 5 9", "2 1e20 1e21"),
        17,
        "node 2 opens at 1e.20; it must be at least 0 and at most",
    ),
    "window-missing": (GOOD.replace("3 0 30\n", ""), 17, "TIME_WINDOW_SECTION has 2 lines, but DIMENSION is 3"),
    "window-half": (
        GOOD.replace("2 5 9", "2 5"),
        17,
        "2 numbers in a line of TIME_WINDOW_SECTION; a line is 'node opens",
    ),
    "window-word": (GOOD.replace("2 5 9", "2 05:00 9"), 17, "'05:00' is not a number"),
    "gap-outside": (
        with_section("TIME_WINDOW_GAP_SECTION", "2 4 7"),
        20,
        "the gap from 4 to 7 is not within the window of",
    ),
    "gap-reversed": (with_section("TIME_WINDOW_GAP_SECTION", "2 7 6"), 20, "the gap from 7 to 6 is not within"),
    "gap-order": (
        with_section("TIME_WINDOW_GAP_SECTION", "3 8 9", "3 2 4"),
        21,
        "the gap from 2 to 4 is not .* or not in order",
    ),
    "gap-node": (with_section("TIME_WINDOW_GAP_SECTION", "4 8 9"), 20, "4 is not a node"),
    "gap-again": (with_section("TIME_WINDOW_GAP_SECTION", "3 8 9", "2 6 7", "3 10 12"), 22, "not for the first time"),
    "gaps-alone": (
        GOOD.replace("TIME_WINDOW_SECTION\n1 0 40\n", "TIME_WINDOW_GAP_SECTION\n").replace("TYPE: VRPTW\n", ""),
        14,
        "TIME_WINDOW_GAP_SECTION needs a TIME_WINDOW_SECTION",
    ),
    "of-a-tour": (GOOD.replace("TYPE: VRPTW", "TYPE: TSP"), 6, "belongs to vehicle problems"),
    "tours-with-windows": (GOOD.replace("VRPTW", "TSPTW"), 2, "tours with time windows are not supported"),
    "open-routes": (GOOD.replace("VRPTW", "OVRP"), 2, "TYPE 'OVRP': it is unknown"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_supported_is_one_line(tmp_path: Path, case: str) -> None:
    text, line, message = REFUSED[case]
    assert text != GOOD
    path = tmp_path / "bad.vrp"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:{line}: ") and str(caught.value).isprintable()


def fleet_in(path: Path, text: str) -> Fleet:
    fleet = problem_in(path, text).fleet
    assert fleet is not None
    return fleet


def test_vehicles_that_differ_are_a_fleet(tmp_path: Path) -> None:
    text = with_section("CAPACITY_SECTION", "1 9", "2 8").replace("CAPACITY: 10\n", "VEHICLES_FIXED_COST: 7\n")
    first, second = fleet_in(tmp_path / "a.vrp", text).types
    assert (first.capacities, second.capacities, first.fixed_cost, first.count) == ((9,), (8,), 7, 1)
    assert (second.start, second.end) == (0, 0)


def test_neighbouring_vehicles_with_equal_rows_are_one_type(tmp_path: Path) -> None:
    text = with_lines("VEHICLES_FIXED_COST_SECTION", "1 9", "2 9", "3 8", "4 9", "5 9").replace(
        "VEHICLES: 2", "VEHICLES: 5"
    )
    fleet = fleet_in(tmp_path / "a.vrp", text)
    assert [(each.count, each.fixed_cost) for each in fleet.types] == [(2, 9), (1, 8), (2, 9)]


def test_a_price_of_distances_makes_a_fleet_of_one_type(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.vrp", with_lines("VEHICLES_UNIT_DISTANCE_COST: 2", "VEHICLES_MAX_DISTANCE: 30"))
    assert problem.fleet is not None
    (vehicles,) = problem.fleet.types
    assert (vehicles.distance_cost, vehicles.max_distance, vehicles.count) == (2, 30, 2)
    assert problem.cost([np.array([1, 2])]) == 2 * (3 + 5 + 4)


def test_vehicles_of_several_depots(tmp_path: Path) -> None:
    text = (
        GOOD.replace("\n1\n-1\n", "\n1\n2\n-1\n")
        .replace("2 4\n", "2 0\n")
        .replace("CAPACITY", "VEHICLES_DEPOT_SECTION\n1 2\n2 1\nCAPACITY")
    )
    problem = problem_in(tmp_path / "a.vrp", text)
    assert problem.fleet is not None and problem.depots == (0, 1) and problem.customers.tolist() == [2]
    assert [each.start for each in problem.fleet.types] == [1, 0]
    assert problem.cost([np.array([2])]) == 10 and problem.cost([np.array([], int), np.array([2])]) == 8


def test_a_customer_without_prize_must_be_served(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.vrp", with_section("PRIZE_SECTION", "1 0", "2 6", "3 0"))
    assert problem.required.tolist() == [False, False, True]
    assert problem.check([np.array([2])]).feasible and problem.cost([np.array([2])]) == 8 + 6
    assert not problem.check([np.array([1])]).feasible


def test_of_a_group_one_is_visited(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.vrp", with_section("MUTUALLY_EXCLUSIVE_GROUP_SECTION", "1 2 3"))
    assert problem.alternatives == (Alternatives((1, 2)),)
    assert problem.check([np.array([2])]).feasible
    assert problem.check([np.array([1, 2])]).violations == ("of the alternatives 2, 3, 2 are served",)


def test_vehicles_for_certain_customers(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.vrp", with_section("VEHICLES_ALLOWED_CLIENTS_SECTION", "1 2", "2 2 3"))
    assert problem.fleet is not None and problem.fleet.allowed is not None
    assert problem.fleet.allowed.tolist() == [[True, True], [True, True], [False, True]]
    assert problem.check([np.array([2]), np.array([1])]).violations == ("vehicle 1 may not serve customer 3",)


def test_vehicles_that_reload(tmp_path: Path) -> None:
    text = with_section("VEHICLES_RELOAD_DEPOT_SECTION", "1 1", "2 1")
    problem = problem_in(tmp_path / "a.vrp", text)
    assert problem.fleet is not None and problem.docks == (0,)
    assert [(each.count, each.max_trips, each.reloads) for each in problem.fleet.types] == [(2, None, (0,))]
    limited = text.replace("DEPOT_SECTION\n1\n-1", "VEHICLES_MAX_RELOADS_SECTION\n1 1\n2 0\nDEPOT_SECTION\n1\n-1")
    problem = problem_in(tmp_path / "b.vrp", limited)
    assert problem.fleet is not None and [each.max_trips for each in problem.fleet.types] == [2, 1]


@pytest.mark.parametrize(
    ("folder", "rounding"),
    [
        ("hfvrp", "exact"),
        ("mdvrptw", "exact"),
        ("sdvrptw", "exact"),
        ("pcvrptw", "dimacs"),
        ("gvrp", None),
        ("vrpb", None),
        ("mtvrptwr", "dimacs"),
    ],
)
def test_every_published_solution_has_its_published_cost(
    tmp_path: Path, rich: Path, folder: str, rounding: Any
) -> None:
    with open(rich / folder / "best.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(list((rich / folder).glob("*.vrp"))) == 6
    for row in rows:
        path = rich / folder / f"{row['name']}.vrp"
        problem = read(path, rounding=rounding)
        assert isinstance(problem, VRP)
        routes = read_solution(path.with_suffix(".sol"), problem)
        report = problem.check(routes)  # type: ignore[arg-type]
        assert report.feasible, (path, report)
        assert report.cost == int(row["cost"]), path
        assert sum(len(route) > 0 for route in routes) == int(row["vehicles"])
        write_solution(tmp_path / "again.sol", problem, routes)
        again = read_solution(tmp_path / "again.sol", problem)
        assert [*map(list, again)][: len(routes)] == [*map(list, routes)]


def test_solomons_text_as_vrplib(tmp_path: Path, rich: Path) -> None:
    for name in ("C101", "RC208"):
        problem = read(rich / "solomon" / f"{name}.txt")
        write_problem(tmp_path / "a.vrp", problem)
        again = read(tmp_path / "a.vrp", rounding="dimacs")
        assert isinstance(again, VRP)
        routes = read_solution(rich / "solomon" / f"{name}.sol", again)
        assert again.check(routes).feasible  # type: ignore[arg-type]
        scaled = read(rich / "solomon" / f"{name}.txt", rounding="dimacs")
        assert again.cost(routes) == scaled.cost(routes) == scaled.best_known  # type: ignore[arg-type]


def test_the_first_customer_of_a_solution_is_node_2(tmp_path: Path) -> None:
    problem = problem_in(tmp_path / "a.vrp")
    write_solution(tmp_path / "a.sol", problem, [np.array([2]), np.array([1])])
    assert (tmp_path / "a.sol").read_text() == "Route #1: 2\nRoute #2: 1\nCost 14\n"


@pytest.mark.parametrize(
    ("fields", "message"),
    [({"open": True}, "open routes"), ({"late_cost": 1}, "cost of lateness"), ({"max_wait": 1}, "limit on waits")],
)
def test_what_vrplib_cannot_say_is_not_written(tmp_path: Path, fields: dict[str, object], message: str) -> None:
    problem = VRP.from_points([(0, 0), (1, 0)], demands=[0, 1], capacity=1)
    timed = VRP(
        "t", problem.metric, problem.points, demands=problem.demands, capacity=1,
        windows=TimeWindows.of([None, (0, 9)], 2),
        **fields,  # type: ignore[arg-type]
    )  # fmt: skip
    with pytest.raises(UsageError, match=message):
        write_problem(tmp_path / "a.vrp", timed)
    with pytest.raises(UsageError, match=r"time windows are written as \.vrp"):
        write_problem(tmp_path / "a.csv", timed)
    assert not [*tmp_path.iterdir()]
