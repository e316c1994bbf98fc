"""Two-way loads in tables of stops and in VRPLIB's files."""

from __future__ import annotations

from pathlib import Path

import pytest

import warptour as wt
from warptour.io import read_solution, write_problem, write_solution
from warptour.model.vehicles import VRP

HEADER = "name,x,y,demand,pickup"
ROWS = ["D,0,0,,", "A,1,2,3,1", "B,4,4,,2", "C,5,1,2,"]
WORDS = ["pickup", "Pickups", "Abholmenge", "Retoure", "ramassage", "recogida", "ritiro", "Returns (kg)"]
VRPLIB = """NAME : two
TYPE : VRPB
DIMENSION : 4
CAPACITY : 5
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 0 0
2 3 0
3 4 0
4 0 5
DEMAND_SECTION
1 0
2 3
3 0
4 2
BACKHAUL_SECTION
1 0
2 0
3 4
4 0
DEPOT_SECTION
1
-1
EOF
"""


def table(folder: Path, header: str = HEADER, rows: list[str] = ROWS) -> Path:
    path = folder / "stops.csv"
    path.write_text("\n".join([header, *rows, ""]))
    return path


def collected(path: Path, **options: object) -> tuple[VRP, list[list[int]]]:
    """Return a problem, and what is picked up at its nodes."""
    problem = wt.read(path, **({"capacity": 5} | options))
    assert isinstance(problem, VRP) and problem.pickups is not None and not problem.warnings
    return problem, problem.pickups.tolist()


@pytest.mark.parametrize("word", WORDS)
def test_amounts_below_a_header_of_pickups(tmp_path: Path, word: str) -> None:
    problem, pickups = collected(table(tmp_path, HEADER.replace("pickup", word)))
    assert problem.demands.tolist() == [0, 3, 0, 2] and pickups == [[0], [1], [2], [0]]


def test_the_user_names_the_column(tmp_path: Path) -> None:
    path = table(tmp_path, HEADER.replace("pickup", "Leergut"))
    assert collected(path, columns={"pickup": "Leergut"})[1] == [[0], [1], [2], [0]]


@pytest.mark.parametrize("header", ["type", "Stop type", "Art"])
def test_rows_called_pickups_give_their_demand(tmp_path: Path, header: str) -> None:
    rows = ["D,0,0,,depot", "A,1,2,3,delivery", "B,4,4,2,Abholung", "C,5,1,2,pickup"]
    problem, pickups = collected(table(tmp_path, f"name,x,y,demand,{header}", rows))
    assert problem.demands.tolist() == [0, 3, 0, 0] and pickups == [[0], [0], [2], [2]]


def test_several_loads_have_columns_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "fleet.csv").write_text("name,count,capacity_kg,capacity_pallets\nvan,2,50,4\n")
    rows = ["D,0,0,,,,", "A,1,2,30,1,0,2", "B,4,4,20,3,5,"]
    path = table(tmp_path, "name,x,y,demand_kg,demand_pallets,pickup_kg,pickup_pallets", rows)
    assert collected(path, capacity=None, fleet=tmp_path / "fleet.csv")[1] == [[0, 0], [0, 2], [5, 0]]
    path = table(tmp_path, "name,x,y,demand_kg,demand_pallets,pickup,pickup_pallets", rows)
    with pytest.raises(
        wt.InputError, match="'pickup' does not say which of the loads kg, pallets it is; call it pickup_kg"
    ):
        wt.read(path, fleet=tmp_path / "fleet.csv")


@pytest.mark.parametrize(
    ("header", "rows", "message"),
    [
        (HEADER, ["E,1,1,1,-2"], "stops.csv:6: 'pickup' is -2; it must be at least 0; or --ignore pickup"),
        (HEADER, ["E,1,1,1,many"], "stops.csv:6: pickup of 'E' is 'many'; it must be a number"),
        (
            HEADER + ",returns",
            ["E,1,1,1,1,1"],
            "stops.csv:1: the columns 'pickup' and 'returns' both say what is picked up",
        ),
        (HEADER.replace("pickup", "Abholung"), None, "'Abholung' (pickups) is not one of amounts; --ignore Abholung"),
    ],
)
def test_a_bad_pickup_is_one_line(tmp_path: Path, header: str, rows: list[str] | None, message: str) -> None:
    rows = ["D,0,0,,", "A,1,2,3,ja", "B,4,4,1,nein"] if rows is None else [*ROWS, *rows]
    with pytest.raises(wt.InputError) as caught:
        collected(table(tmp_path, header, rows))
    assert message in str(caught.value) and str(caught.value).isprintable()


def test_a_depot_gives_nothing(tmp_path: Path) -> None:
    with pytest.raises(wt.InputError, match=r"node 1 \('D', row 2\) is a depot; goods for the depot are picked up at"):
        collected(table(tmp_path, rows=["D,0,0,,3", *ROWS[1:]]))


def test_an_order_needs_pickups(tmp_path: Path) -> None:
    assert collected(table(tmp_path), backhauls="last")[0].backhauls == "last"
    with pytest.raises(wt.UsageError, match="--backhauls takes last or after-deliveries, not 'first'"):
        collected(table(tmp_path), backhauls="first")
    with pytest.raises(wt.UsageError, match="has no pickups, which --backhauls puts in order"):
        wt.read(table(tmp_path, "name,x,y,demand", ["D,0,0,", "A,1,2,3"]), capacity=5, backhauls="last")


def test_a_plan_goes_out_and_is_judged_again(tmp_path: Path) -> None:
    problem, _ = collected(table(tmp_path))
    result = wt.solve(problem, iterations=500, threads=1)
    for name in ("plan.csv", "plan.sol", "plan.geojson"):
        write_solution(tmp_path / name, problem, result.routes, result.cost)
        assert problem.check(read_solution(tmp_path / name, problem)).feasible
    assert (tmp_path / "plan.csv").read_text().startswith("name,x,y,demand,pickup,route,")


def test_vrplib_has_a_section_of_backhauls(tmp_path: Path) -> None:
    path, again = tmp_path / "two.vrp", tmp_path / "again.vrp"
    for kind, rule in (("VRPB", "after-deliveries"), ("VRPSPD", None), ("CVRP", None)):
        path.write_text(VRPLIB.replace("VRPB", kind))
        problem, pickups = collected(path, capacity=None)
        assert problem.demands.tolist() == [0, 3, 0, 2] and pickups == [[0], [0], [4], [0]]
        write_problem(again, problem)
        assert collected(again, capacity=None)[1] == pickups
        assert {collected(each, capacity=None)[0].backhauls for each in (path, again)} == {rule}
    assert wt.solve(wt.read(again), iterations=100).cost == wt.solve(wt.read(path), iterations=100).cost
    with pytest.raises(wt.UsageError, match="no word for routes of pickups alone beside deliveries that come first"):
        write_problem(again, collected(path, capacity=None, backhauls="last")[0])


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (("3 4\n4 0\nDEPOT", "3 -4\n4 0\nDEPOT"), 19, "node 3 has the demand -4; it must be at least 0"),
        (("BACKHAUL_SECTION\n1 0", "BACKHAUL_SECTION\n1 2"), 17, "the depot has the pickup 2; it must be 0"),
        (("3 4\n4 0\nDEPOT", "3 x\n4 0\nDEPOT"), 19, "'x'"),
    ],
)
def test_a_bad_section_is_one_line(tmp_path: Path, change: tuple[str, str], line: int, message: str) -> None:
    path = tmp_path / "two.vrp"
    path.write_text(VRPLIB.replace(*change))
    with pytest.raises(wt.InputError) as caught:
        wt.read(path)
    assert str(caught.value).startswith(f"{path}:{line}: ") and message in str(caught.value)
