"""Files of distances and travel times for each type of vehicles."""

import numpy as np
import pytest

import warptour as wt

STOPS = "name,x,y,demand\nDepot,0,0,0\nMill,3,4,1\nPort,6,8,1\n"
FLEET = "name,count,capacity,fixed_cost\nvan,1,2,0\ntruck,1,2,0\nbike,1,1,0\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stops.csv").write_text(STOPS)
    (tmp_path / "fleet.csv").write_text(FLEET)
    for at, name in enumerate(("van", "truck"), 1):
        np.save(tmp_path / f"{name}.npy", at * (10 - 10 * np.eye(3)).astype(int))
    np.save(tmp_path / "half.npy", 2.5 - 2.5 * np.eye(3))
    np.save(tmp_path / "small.npy", np.ones((2, 2)))
    return tmp_path


def costs(problem):
    """The cost of a trip to the Mill by each vehicle."""
    nobody = [np.empty(0, int)] * len(problem.fleet.kinds)
    return [
        problem.cost([*nobody[:at], np.array([1]), *nobody[at + 1 :]]) for at in range(len(problem.fleet.kinds))
    ]  # fmt: skip


def test_each_type_has_its_distances_and_others_the_first(folder):
    problem = wt.read("stops.csv", fleet="fleet.csv", matrix="van=van.npy,truck=truck.npy")
    assert costs(problem) == [20, 40, 20]
    found = wt.solve(problem, iterations=100)
    assert found.cost == 30 and [trip.vehicle for trip in found.trips] == ["van"]
    assert costs(wt.read("stops.csv", fleet="fleet.csv", matrix="truck=truck.npy, bike=half.npy")) == [40, 40, 5]


def test_travel_times_follow_distances_or_have_files(folder):
    paced = wt.read("stops.csv", fleet="fleet.csv", matrix="van=van.npy,truck=truck.npy", unit="km", speed=10)
    assert [trip.times.travel.sum() for trip in wt.solve(paced, iterations=50).trips] == [3 * 3600]
    timed = wt.read(
        "stops.csv", fleet="fleet.csv", matrix="van.npy", durations="van=truck.npy,truck=van.npy", max_hours=0.01
    )  # 36 s
    assert timed.check([np.array([1, 2]), [], []]).violations
    assert timed.check([[], np.array([1, 2]), []]).feasible


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"matrix": "van=van.npy", "capacity": 2}, "--matrix van=... is for types of vehicles; --fleet describes them"),
        ({"matrix": "van=van.npy,", "fleet": "fleet.csv"}, "--matrix takes FILE or van=FILE,truck=FILE, not ''"),
        ({"matrix": "van=van.npy,van=half.npy", "fleet": "fleet.csv"}, "--matrix has two files for 'van'"),
        (
            {"matrix": "car=van.npy", "fleet": "fleet.csv"},
            "no type of vehicles is called so; there are van, truck, bike",
        ),
        ({"matrix": "van=van.npy,truck=small.npy", "fleet": "fleet.csv"}, "small.npy: has 2 x 2 distances"),
        ({"durations": "van=gone.npy", "fleet": "fleet.csv"}, "gone.npy: "),
    ],
)
def test_bad_input_is_one_line(folder, options, fault):
    with pytest.raises(wt.WarptourError) as error:
        wt.read("stops.csv", **options)
    assert fault in str(error.value) and "\n" not in str(error.value)
