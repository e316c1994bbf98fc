"""Plans with hours on the command line: what is printed, written and refused."""

import csv
import json

import numpy as np
import pytest

STOPS = (
    "name,lat,lon,demand (kg),service (min)\nDepot,47.07,15.44,,\nBaker,47.08,15.45,20,10\n"
    "Miller,47.05,15.42,30,15\nSmith,47.09,15.40,25,20\nCooper,47.02,15.47,15,5\n"
)
PLAN = ["--capacity", "60", "--speed", "30", "--max-hours", "3", "--depart", "08:00", "--seconds", "0.3"]
TOUR = ["--ignore", "demand", "--speed", "30", "--seconds", "0.3"]


@pytest.fixture
def stops(tmp_path):
    (tmp_path / "stops.csv").write_text(STOPS)
    np.save(tmp_path / "roads.npy", np.rint(1000 * np.random.default_rng(1).uniform(1, 9, (5, 5))))
    np.save(tmp_path / "seconds.npy", np.random.default_rng(2).uniform(60, 900, (5, 5)))
    return tmp_path


def test_a_summary_has_hours(call, stops):
    done = call("solve", "stops.csv", *PLAN, "--vehicles", "2")
    assert done.code == 0, done.err
    rows = dict(line.split("  ", 1) for line in done.out.splitlines())
    rows = {name: text.strip() for name, text in rows.items()}
    assert rows["cost"].endswith(" m") and rows["routes"] == "2"
    assert " km, " in rows["total"] and " h, all back at " in rows["total"]
    assert rows["route 1"].count(",") == 4 and " of 60, " in rows["route 1"] and "back at " in rows["route 2"]
    assert "all 2 vehicles" in rows["near limits"]


def test_json_has_exact_times(call, stops):
    done = call("solve", "stops.csv", *PLAN, "--json").json
    assert done["unit"] == "m" and done["minimizes"] == "distance"
    assert done["distance"] == pytest.approx(done["cost"])
    assert done["duration"] == pytest.approx(sum(trip["duration"] for trip in done["trips"]))
    assert done["duration"] == pytest.approx(done["cost"] / 30_000 * 3600 + 50 * 60)
    for trip, nodes in zip(done["trips"], done["solution"], strict=True):
        assert trip["start"] == 8 * 3600 < trip["arrivals"][0] and trip["end"] == trip["start"] + trip["duration"]
        assert len(trip["arrivals"]) == len(trip["departures"]) == len(nodes) and trip["load"] <= 60


def test_spreadsheets_have_times(call, stops):
    assert call("solve", "stops.csv", *PLAN, "-q", "-o", "plan.csv", "-o", "plan.geojson").code == 0
    rows = list(csv.DictReader((stops / "plan.csv").read_text().splitlines()))
    assert list(rows[0])[-4:] == ["duration (min)", "arrival", "departure", "load"]
    assert rows[0]["arrival"] == rows[0]["departure"] == "08:00" and rows[-1]["departure"] == ""
    assert rows[1]["arrival"] < rows[1]["departure"] < rows[2]["arrival"] < "11:01"
    features = json.loads((stops / "plan.geojson").read_text())["features"]
    assert features[0]["properties"]["duration"] > 0 and "08:" in features[-2]["properties"]["arrival"]
    assert call("check", "stops.csv", "plan.csv", *PLAN[:-2]).code == 0
    short = ["0.2" if word == "3" else word for word in PLAN[:-2]]
    late = call("check", "stops.csv", "plan.csv", *short)
    assert late.code == 1 and "h over the limit 0:12 h" in late.out and "route 1 takes " in late.out


def test_without_a_departure_times_are_elapsed(call, stops):
    done = call("solve", "stops.csv", *TOUR, "-o", "tour.csv")
    assert done.code == 0 and " h\n" in done.out and " at " not in done.out.split("problem")[0]
    rows = list(csv.DictReader((stops / "tour.csv").read_text().splitlines()))
    assert list(rows[0])[-3:] == ["duration (min)", "arrival (h:min)", "departure (h:min)"]
    assert rows[0]["arrival (h:min)"] == "0:00" and rows[-1]["arrival (h:min)"] > "0:50"


def test_roads_for_a_tour(call, stops):
    options = ["--matrix", "roads.npy", "--ignore", "demand,service_minutes", "--seconds", "0.3", "-q"]
    found = call("solve", "stops.csv", *options, "--json", "-o", "tour.csv").json
    roads = np.load(stops / "roads.npy")
    tour = np.array(found["solution"]) - 1
    assert found["cost"] == roads[tour, np.roll(tour, -1)].sum() and found["unit"] == "m"
    quick = [*options, "--durations", "seconds.npy", "--minimize", "duration"]
    done = call("solve", "stops.csv", *quick, "--json").json
    assert done["minimizes"] == "duration" and done["duration"] == pytest.approx(done["cost"])
    assert done["distance"] > 1000 and "trips" in done
    assert call("check", "stops.csv", "tour.csv", *options[:4]).out.startswith("cost      ")
    proof = call("bound", "stops.csv", *options[:4], "--seconds", "0.3", "--json").json
    assert proof["lower_bound"] <= found["cost"]


def test_info_says_what_is_known_of_times(call, stops):
    done = call("info", "stops.csv", *PLAN[:-2]).out
    for words in ("at one speed", "3:00 h", "0:50 h", "08:00", "service_minutes is 'service (min)'"):
        assert words in done
    assert call("info", "stops.csv", "--capacity", "60", "--json").json["unit"] == "m"


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--speed", "30", "--durations", "seconds.npy"], "--speed and --durations contradict each other"),
        (["--max-hours", "3"], "a limit in hours (--max-hours) needs travel times"),
        (["--speed", "30", "--depart", "8 am"], "'8 am' is no time of day; write it as 08:00"),
        (["--matrix", "stops.csv"], "has 5 x 4 distances, and stops.csv has 5 stops"),
        (["--speed", "-3"], "the speed is -3.0; it must be above 0"),
    ],
)
def test_a_contradiction_is_one_line(call, stops, options, fault):
    done = call("solve", "stops.csv", "--capacity", "60", *options)
    assert done.code == 2 and fault in done.fault


def test_a_note_at_one_speed(call, stops):
    done = call("solve", "stops.csv", *PLAN, "--minimize", "duration", "--json")
    assert done.code == 0 and "distances are minimised" in done.err and done.json["minimizes"] == "distance"


@pytest.mark.parametrize("option", ["--output", "--trace", "--checkpoint"])
@pytest.mark.parametrize("given", ["stops.csv", "roads.csv", "seconds.csv"])
def test_no_output_replaces_a_file_that_is_read(call, stops, option, given):
    for name in ("roads", "seconds"):
        np.savetxt(stops / f"{name}.csv", np.load(stops / f"{name}.npy"), delimiter=",")
    before = (stops / given).read_bytes()
    roads = ["--matrix", "roads.csv", "--durations", "seconds.csv"]
    done = call("solve", "stops.csv", "--capacity", "60", *roads, option, given)
    assert done.code == 2 and f"{option} {given} would replace the file that is read" in done.err
    assert (stops / given).read_bytes() == before
