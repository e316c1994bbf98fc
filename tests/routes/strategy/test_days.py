"""Several days: each stop on one of its days, judged by all ways to divide stops among vehicles and days."""

from __future__ import annotations

import math
from itertools import pairwise, permutations, product
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from warptour.model.vehicles import VRP

DAYS = ("Mon", "Tue", "Wed")
OPENS, CLOSES = 0, 90


class Week:
    """Six stops with hours of the day and days, and a driver or two."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 3])
        self.points = rng.integers(0, 15, (7, 2)).tolist()
        self.demands = [0, *rng.integers(1, 4, 6).tolist()]
        starts = rng.integers(0, 50, 7).tolist()
        self.windows = [(OPENS, CLOSES), *((at, at + 30) if rng.integers(2) else (OPENS, CLOSES) for at in starts[1:])]
        driven = DAYS[: 2 + seed % 2]
        self.days = [DAYS] + [
            tuple(day for day in driven if rng.integers(3)) or DAYS[:1] if rng.integers(3) else DAYS for _ in range(6)
        ]
        self.vehicles = {"van": (int(rng.integers(4, 8)), driven, int(rng.integers(0, 20)))}
        if seed % 2:
            self.vehicles["truck"] = (9, DAYS[1:], 25)

    def files(self, folder: Path) -> VRP:
        rows = ["name,x,y,demand,opens (min),closes (min),days"]
        for number, (point, days) in enumerate(zip(self.points, self.days, strict=True)):
            opens, closes = self.windows[number]
            cells = ["" if days == DAYS else " + ".join(days).lower()] if number else [""]
            rows.append(
                ",".join(map(str, [f"stop {number}", *point, self.demands[number] or "", opens, closes, *cells]))
            )
        (folder / "stops.csv").write_text("\n".join(rows))
        fleet = ["name,capacity,days,fixed_cost"]
        fleet += [f"{name},{most},{'; '.join(days)},{fixed}" for name, (most, days, fixed) in self.vehicles.items()]
        (folder / "fleet.csv").write_text("\n".join(fleet))
        problem = wt.read(folder / "stops.csv", fleet=folder / "fleet.csv", speed=60, unit="km")
        assert isinstance(problem, VRP)
        return problem

    def types(self) -> list[tuple[str, str, int, int]]:
        """Return name, day, capacity and fixed cost of each vehicle on each of its days."""
        given = self.vehicles.items()
        return [(name, day, most, fixed) for day in DAYS for name, (most, days, fixed) in given if day in days]

    def length(self, route: tuple[int, ...]) -> float:
        """Return the length of a route that keeps all hours, infinite if none does."""
        path, time, length = (0, *route, 0), float(OPENS), 0.0
        for a, b in pairwise(path):
            leg = math.hypot(*np.subtract(self.points[a], self.points[b]).tolist())
            time, length = max(time + leg, self.windows[b][0]), length + leg
            if time > self.windows[b][1]:
                return math.inf
        return length

    def best(self) -> float:
        """Return the least cost of all plans."""
        types, lengths = self.types(), dict[frozenset[int], float]()
        for size in range(1, 7):
            for route in permutations(range(1, 7), size):
                lengths[frozenset(route)] = min(self.length(route), lengths.get(frozenset(route), math.inf))
        least = math.inf
        allowed = [[k for k, (_, day, *_) in enumerate(types) if day in self.days[node]] for node in range(1, 7)]
        for homes in product(*allowed):
            cost = 0.0
            for kind, (_, _, most, fixed) in enumerate(types):
                own = frozenset(node for node, home in enumerate(homes, 1) if home == kind)
                if own:
                    fits = sum(self.demands[node] for node in own) <= most
                    cost += fixed + lengths[own] if fits else math.inf
            least = min(least, cost)
        return least


@pytest.mark.parametrize("seed", range(16))
def test_few_stops_are_planned_best_on_their_days(seed: int, tmp_path: Path) -> None:
    week = Week(seed)
    problem, best = week.files(tmp_path), week.best()
    for strategy in (None, wt.RouteImprovement()):
        if math.isinf(best):
            with pytest.raises((wt.NothingFound, wt.InfeasibleError)):
                wt.solve(problem, strategy, iterations=1000, threads=1)
            continue
        result = wt.solve(problem, strategy, iterations=8000, threads=1)
        assert result.cost == pytest.approx(best)
        for trip in result.trips:
            assert all(trip.day in week.days[node] for node in trip.nodes[trip.stops])
            name, day, *_ = week.types()[trip.number - 1]
            assert (trip.vehicle, trip.day) == (f"{name} {day}", day)


def test_the_check_names_a_stop_on_a_wrong_day() -> None:
    stops = [wt.Customer(1, 0, 1, days=("Mon",)), wt.Customer(2, 0, 1, days=("Tue",)), wt.Customer(3, 0, 1)]
    vehicles = [wt.VehicleType(count=1, capacities=(3,), name="van", day=day) for day in ("Mon", "Tue")]
    problem = wt.fleet_problem([wt.Depot()], stops, vehicles)
    assert problem.fleet is not None and problem.fleet.days == ("Mon", "Tue")
    assert problem.check([np.array([1, 3]), np.array([2])]).feasible
    assert problem.check([np.array([1, 2, 3])]).violations == ("vehicle 1 (van Mon) may not serve customer 2",)
    assert wt.solve(problem).unused == {}


def test_days_that_make_no_sense_are_refused() -> None:
    van = wt.VehicleType(count=1, capacities=(3,), name="van", day="Mon")
    stop = wt.Customer(1, 0, 1)
    with pytest.raises(
        wt.InputError, match="customer 1 may be served on 'Sun', and no type of vehicles drives on that"
    ):
        wt.fleet_problem([wt.Depot()], [wt.Customer(1, 0, 1, days=("Sun",))], [van])
    with pytest.raises(wt.InputError, match="vehicle type 'type 2' has no day, and others have: Mon"):
        wt.fleet_problem([wt.Depot()], [stop], [van, wt.VehicleType(capacities=(3,))])
    with pytest.raises(wt.InputError, match="its day is 1; it is a word, such as 'Mon'"):
        wt.fleet_problem([wt.Depot()], [stop], [wt.VehicleType(capacities=(3,), day=1)])  # type: ignore[arg-type]
    problem = wt.fleet_problem([wt.Depot()], [stop, stop], [van])
    with pytest.raises(wt.UsageError, match=r"a plan under way .* does not go with several days yet"):
        wt.solve(
            problem,
            locked={
                "now": 3,
                "vehicles": [
                    {"stops": [2], "time": 3},
                ],
            },
        )


WRONG = {
    ("stops", "days", "Sun"): "stops.csv:3: 'days' is 'Sun'; no vehicle drives on 'Sun'; they drive on mon, tue",
    ("fleet", "days", "Mon, mon"): "fleet.csv:2: days of 'van' is 'Mon, mon'; a day is in it twice",
    ("fleet", "days", ""): "fleet.csv:2: days of 'van' is ''; other vehicles drive on Tue",
}


@pytest.mark.parametrize("given", WRONG)
def test_bad_days_are_one_line(given: tuple[str, str, str], tmp_path: Path) -> None:
    which, _, cell = given
    stop, van = (cell if which == name else "Mon" for name in ("stops", "fleet"))
    (tmp_path / "stops.csv").write_text(f"name,x,y,demand,days\nD,0,0,,\nA,1,1,1,{stop}\nB,2,1,1,\n")
    (tmp_path / "fleet.csv").write_text(f'name,capacity,days\nvan,3,"{van}"\ncar,3,Tue\n')
    with pytest.raises(wt.InputError) as caught:
        wt.read(tmp_path / "stops.csv", fleet=tmp_path / "fleet.csv")
    assert WRONG[given] in str(caught.value)


@pytest.mark.parametrize("word", ["Day", "Wochentag", "jours", "Días", "giorni", "Liefertage"])
def test_days_are_known_in_several_languages(word: str, tmp_path: Path) -> None:
    (tmp_path / "stops.csv").write_text(f"name,x,y,demand,{word}\nD,0,0,,\nA,1,1,1,not Mon\nB,2,1,1,\n")
    (tmp_path / "fleet.csv").write_text('Name,Kapazität,Tage\nvan,3,"Mon; Tue"\n')
    problem = wt.read(tmp_path / "stops.csv", fleet=tmp_path / "fleet.csv")
    assert problem.fleet.allowed.tolist() == [[True, True], [False, True], [True, True]]


def test_days_of_stops_without_those_of_vehicles_are_refused(tmp_path: Path) -> None:
    (tmp_path / "stops.csv").write_text("name,x,y,demand,days\nD,0,0,,\nA,1,1,1,Mon\nB,2,1,1,\n")
    (tmp_path / "fleet.csv").write_text("name,capacity\nvan,3\n")
    with pytest.raises(wt.InputError, match=r"stops\.csv:1: days of stops need those of vehicles: a column days of"):
        wt.read(tmp_path / "stops.csv", fleet=tmp_path / "fleet.csv")
    with pytest.raises(wt.InputError, match=r"the column 'days' \(days\) is not used without a fleet"):
        wt.read(tmp_path / "stops.csv", capacity=3)
