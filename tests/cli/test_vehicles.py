"""Vehicles as a user meets them: spreadsheets, too few vehicles, files that are wrong."""

import signal

import pytest

import warptour as wt
from warptour.observe.events import Tick
from warptour.observe.interrupt import Interrupt, give_up

GOOD = """NAME : five
TYPE : CVRP
DIMENSION : 5
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 10
NODE_COORD_SECTION
1 0 0
2 0 10
3 10 0
4 10 10
5 5 5
DEMAND_SECTION
1 0
2 3
3 4
4 5
5 2
DEPOT_SECTION
1
-1
EOF
"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("4 5\n", "4 50\n", "customer 4 has the demand 50, above the capacity 10"),
        ("CAPACITY", "DISTANCE : 15\nCAPACITY", "customer 2 alone needs a route of 20, above the limit 15"),
        ("DEPOT_SECTION\n1\n-1\n", "", "there is no DEPOT_SECTION"),
        ("DEPOT_SECTION\n1\n", "DEPOT_SECTION\n1\n2\n", "the depot has the demand 3; it must be 0"),
        ("4 5\n", "4 -5\n", "node 4 has the demand -5; it must be at least 0"),
        ("4 5\n", "", "DEMAND_SECTION has 4 lines, but DIMENSION is 5"),
    ],
)
def test_a_bad_file_gives_one_line_and_exit_2(call, tmp_path, old, new, fault):
    assert old in GOOD
    (tmp_path / "five.vrp").write_text(GOOD.replace(old, new))
    done = call("solve", "five.vrp", "--seconds", "0.1")
    assert done.code == 2
    assert fault in done.fault and "five.vrp" in done.fault


def test_a_spreadsheet_with_semicolons_and_decimal_commas(call, tmp_path):
    rows = "Name;X;Y;Demand\r\nDepot;0,0;0,0;0\r\nA;1,5;2,0;3\r\nB;-1,5;2,0;3,5\r\n"
    (tmp_path / "stops.csv").write_bytes(b"\xef\xbb\xbf" + rows.encode())
    done = call("solve", "stops.csv", "--capacity", "6", "--seconds", "0.1", "--json")
    assert done.code == 0
    assert (done.json["cost"], done.json["routes"]) == (10.0, 2)


def test_ctrl_c_before_anything_fits_gives_the_closest_miss(tmp_path):
    """Three customers of which two cannot share a vehicle, and two vehicles: no search proves it."""
    (tmp_path / "stops.csv").write_text("x,y,demand\n0,0,0\n1,1,3\n2,2,3\n3,1,3\n")
    problem = wt.read(tmp_path / "stops.csv", capacity=5, vehicles=2)

    def press(event):
        if isinstance(event, Tick) and event.state.iterations > 0 and interrupt.received is None:
            signal.raise_signal(signal.SIGINT)

    with Interrupt(signal.SIGINT, action=give_up) as interrupt, pytest.raises(wt.NothingFound) as caught:
        wt.solve(problem, "routes", iterations=10**12, listeners=[press], interrupt=interrupt)
    result = caught.value.result
    assert result is not None and result.interrupted and not result.feasible
    assert result.iterations < 10**12
    assert wt.check(problem, result).violations


def test_few_customers_are_solved_exactly_unless_a_strategy_is_asked_for(call, tmp_path):
    rows = ["0,1243,2254,2205,443", "1243,0,3556,1445,1402", "2254,3556,0,1715,361", "2205,1445,1715,0,648"]
    (tmp_path / "m.csv").write_text("\n".join([*rows, "443,1402,361,648,0"]))
    (tmp_path / "a.csv").write_text("name,demand\nD,\na,1\nb,1\nc,1\nd,1\n")
    given = ["solve", "a.csv", "--matrix", "m.csv", "--capacity", "4", "--max-distance", "4508", "--quiet", "--json"]
    best = call(*given).json
    assert (best["cost"], best["ended"], best["optimal"], best["strategy"]) == (8287, "optimal", True, "exact")
    searched = call(*given, "--set", "nearest=10", "--iterations", "5").json
    assert searched["strategy"] == "routes" and searched["optimal"] is None
    refused = call(*given, "--vehicles", "1")
    assert refused.code == 2 and refused.fault.endswith("keep all limits: all ways to serve them were tried")
