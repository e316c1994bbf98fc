"""Mutated files never give a traceback, a hang or a flood: each is read, or refused in one line."""

from __future__ import annotations

import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warptour.io import generate, read, read_solution, write_problem, write_solution
from warptour.model.errors import WarptourError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

ROUNDS_PER_EXAMPLE = 6
"""Mutations of a file for each random problem of other fuzzers: `--examples` asks for more."""

TOKENS = [
    b"-1",
    b"0",
    b"1e309",
    b"nan",
    b"inf",
    b"99999999999999999999",
    b"-9223372036854775809",
    b"1e",
    b"\xff",
    b"\0",
    b"EOF",
    b":",
    b",",
    b'"',
    b"DIMENSION : 1000000000000",
    b"NODE_COORD_SECTION",
    b"EDGE_WEIGHT_TYPE : GEO",
    b"EDGE_WEIGHT_TYPE : EXPLICIT",
    b"DEPOT_SECTION",
    b"EDGE_WEIGHT_FORMAT : UPPER_ROW",
    b"\n",
    b"\r",
    b"\n\n",
    b" ",
    b"\t",
    b"1.5.2",
    b"0x1",
    b"1_0",
    b"\xc3\xa9",
    b"Route #1:",
    b"lat,lon",
    b"VEHICLE",
    b"CUSTOMER",
    b"VEHICLES_MAX_DURATION : 9",
    b"TIME_WINDOW_SECTION",
    b"TIME_WINDOW_GAP_SECTION",
    b"CAPACITY_SECTION",
    b"08:00-12:00, 14-18",
    b"22:00",
    b"24:30",
    b"2026-05-01 08:00",
    b"from,to",
    b"PRIZE_SECTION",
    b"VEHICLES_ALLOWED_CLIENTS_SECTION",
    b"MUTUALLY_EXCLUSIVE_GROUP_SECTION",
    b"not |",
]


def mutated(content: bytes, random: np.random.Generator) -> bytes:
    """Flip, delete, duplicate, swap, insert or cut, a few times over."""
    data = bytearray(content)
    for _ in range(int(random.integers(1, 5))):
        if not data:
            break
        a, b = sorted(int(x) for x in random.integers(0, len(data), 2))
        b = min(b, a + int(random.integers(1, 60)))
        kind = int(random.integers(9))
        if kind == 0:
            data[a] = int(random.integers(256))
        elif kind == 1:
            data[a] ^= 1 << int(random.integers(8))
        elif kind == 2:
            del data[a:b]
        elif kind == 3:
            data[b:b] = data[a:b] * int(random.integers(1, 4))
        elif kind == 4:
            c = int(random.integers(0, len(data)))
            data[a:b], data[c : c + b - a] = data[c : c + b - a], data[a:b]
        elif kind == 5:
            del data[a:]
        elif kind == 6:
            data[a:a] = TOKENS[int(random.integers(len(TOKENS)))]
        else:  # by whole lines, or words
            pieces = data.split(b"\n" if kind == 7 else b" ")
            i, j = (int(x) for x in random.integers(0, len(pieces), 2))
            action = int(random.integers(3))
            if action == 0:
                pieces[i], pieces[j] = pieces[j], pieces[i]
            elif action == 1:
                del pieces[i]
            else:
                pieces[i] = bytearray(TOKENS[int(random.integers(len(TOKENS)))])
            data = bytearray((b"\n" if kind == 7 else b" ").join(pieces))
    return bytes(data)


def seeds(folder: Path) -> dict[str, bytes]:
    """Valid problems of each kind of file."""
    tsp, vrp = generate("uniform", 12, 1), generate("vrp", 8, 1)
    assert isinstance(tsp, TSP) and isinstance(vrp, VRP)
    nodes = np.arange(12)
    matrix = TSP.from_matrix(tsp.distances(nodes[:, None], nodes[None, :]), fixed_edges=np.array([[0, 1], [4, 7]]))
    write_problem(folder / "points.tsp", tsp)
    write_problem(folder / "matrix.tsp", matrix)
    write_problem(folder / "routes.vrp", vrp)
    write_problem(folder / "plain.csv", tsp)
    write_problem(folder / "routes.csv", vrp)
    write_problem(folder / "points.npy", tsp)
    some = [(0, 90), [(1, 20), (30, 70.5)], None, *[(k, 80) for k in range(6)]]
    timed = replace(vrp, windows=TimeWindows.of(some[: vrp.n], vrp.n), max_duration=75, hour_cost=2)
    write_problem(folder / "windows.vrp", timed)
    rows = [f"{k} {x:g} {y:g} {k} {k} {50 + k} 2" for k, (x, y) in enumerate(vrp.points.tolist())]
    heading = "T\n\nVEHICLE\nNUMBER CAPACITY\n3 200\n\nCUSTOMER\nCUST NO. XCOORD. YCOORD. DEMAND READY DUE SERVICE\n"
    (folder / "solomon.txt").write_text("\n".join([heading, *rows, ""]))
    tasks = [
        "0 0 0 0 0 99 0 0 0",
        "1 1 1 3 0 90 2 0 2",
        "2 1 2 -3 0 90 2 1 0",
        "3 2 1 4 0 90 2 0 4",
        "4 2 2 -4 9 90 0 3 0",
    ]
    (folder / "tasks.txt").write_text("\n".join(["2 9 1", *tasks, ""]))
    (folder / "bounds.csv").write_text(
        "name,lat,lon,demand,from,to\nD,47.1,15.4,,07:00,17:00\nA,47.2,15.4,2,8,9:30\nB,47.1,15.5,1,,12 Uhr\n"
    )
    (folder / "hours.csv").write_text(
        "Name;Lat;Lon;Menge;Öffnungszeiten;Service (min)\nD;47,1;15,4;;7-17;\nA;47,2;15,4;2;8-12, 14-18;5\n"
        "B;47,1;15,5;1;ab 13 Uhr;7\nC;47,3;15,5;1;ganztägig;8\n",
        encoding="utf-8",
    )
    (folder / "quoted.csv").write_text('name;lat;lon;demand\n"a; b";1,5;2;\nc;3;4,25;7\n"d\ne";5;6;1\n')
    (folder / "fleet.vrp").write_text(
        "NAME: f\nTYPE: HFVRP\nDIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nVEHICLES: 3\nNODE_COORD_SECTION\n"
        "1 0 0\n2 3 0\n3 0 4\n4 5 5\n5 6 1\nDEMAND_SECTION\n1 0\n2 0\n3 5\n4 2\n5 1\n"
        "CAPACITY_SECTION\n1 9\n2 9\n3 7\n"
        "VEHICLES_FIXED_COST_SECTION\n1 5\n2 5\n3 4\nVEHICLES_DEPOT_SECTION\n1 1\n2 1\n3 2\nPRIZE_SECTION\n1 0\n2 0\n"
        "3 7\n4 0\n5 2.5\nMUTUALLY_EXCLUSIVE_GROUP_SECTION\n1 4 5\nVEHICLES_ALLOWED_CLIENTS_SECTION\n1 3 4\n2 3 5\n"
        "3 4 5\n"
        "DEPOT_SECTION\n1\n2\n-1\nEOF\n"
    )
    (folder / "depots.txt").write_text(
        "2 1 3 2\n20 5\n0 9\n1 3 4 1 2 1 2 1 2\n2 0 8 0 3 1 2 1 2\n3 6 0 2 4 1 2 1 2\n4 0 0 0 0 0 0\n5 6 8 0 0 0 0\n"
    )
    (folder / "choices.csv").write_text(
        "name,x,y,demand_kg,pallets,skills,vehicles,prize,alternatives,together,apart\nD,0,0,,,,,,,,\n"
        'A,1,0,2,1,crane,,,,k,"p,q"\nF,0,3,1,1,,,,,k,\nG,2,3,1,1,,,,,,"q"\n'
        'B,2,0,1,1,"ramp | crane",not van,,x,,p\nC,3,0,1,0,,truck,,x,,\nE,4,1,1,2,not ramp,,2.5,,,\n'
    )
    names = (
        "points.tsp",
        "matrix.tsp",
        "routes.vrp",
        "plain.csv",
        "routes.csv",
        "quoted.csv",
        "points.npy",
        "windows.vrp",
        "solomon.txt",
        "tasks.txt",
        "bounds.csv",
        "hours.csv",
        "fleet.vrp",
        "depots.txt",
        "choices.csv",
    )
    return {name: (folder / name).read_bytes() for name in names}


FLEET = 'name,capacity_kg,capacity_pallets,skills\nvan,9,4,\ntruck,20,9,"crane, ramp"\nbus,9,9,crane\n'


@pytest.mark.filterwarnings("ignore::warptour.InputWarning")
def test_fleets(tmp_path: Path, examples: int) -> None:
    written = (
        b"name,count,capacity,start,end,shift_from,shift_to,max_hours,max_km,cost_km,skills\n"
        b'van,3,9,D,E,08:00,16:30,8,120,0.5,\ntruck,any,20,,none,,,9,,,"crane, ramp"\n'
    )
    (tmp_path / "stops.csv").write_text("name,x (km),y (km),demand\nD,0,0,\nA,0,10,1\nB,10,0,2\nE,5,5,\n")
    random, fine = np.random.default_rng(3), 0
    for _ in range(ROUNDS_PER_EXAMPLE * examples):
        changed = mutated(written, random)
        (tmp_path / "fleet.csv").write_bytes(changed)
        fine += attempt(lambda: read(tmp_path / "stops.csv", fleet=tmp_path / "fleet.csv", speed=30.0), changed)
    assert 0 < fine < ROUNDS_PER_EXAMPLE * examples


def attempt(call, content: bytes) -> bool:
    """Call; return whether it was fine, and see that a refusal is one printable line and took little time."""
    start = time.thread_time()
    try:
        call()
        fine = True
    except WarptourError as error:
        text = str(error)
        assert text and text.isprintable() and len(text) < 1000, (text, content)
        fine = False
    assert time.thread_time() - start < 100, content
    return fine


@pytest.mark.filterwarnings("ignore::warptour.InputWarning")
@pytest.mark.parametrize("seed", range(15))
def test_problems(tmp_path: Path, seed: int, examples: int) -> None:
    name, content = list(seeds(tmp_path).items())[seed]
    random = np.random.default_rng(seed)
    path = tmp_path / f"fuzz{Path(name).suffix}"
    options: dict[str, Any] = {"capacity": 50.0} if name.endswith(".csv") and name != "plain.csv" else {}
    if name in ("bounds.csv", "hours.csv"):
        options |= {"speed": 30.0}
    if name == "choices.csv":
        (tmp_path / "fleet.csv").write_text(FLEET)
        options = {"fleet": tmp_path / "fleet.csv"}
    path.write_bytes(content)
    assert attempt(lambda: read(path, **options), content)
    fine = 0
    tracemalloc.start()
    try:
        for _ in range(ROUNDS_PER_EXAMPLE * examples):
            changed = mutated(content, random)
            path.write_bytes(changed)
            fine += attempt(lambda: read(path, **options), changed)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    assert fine < ROUNDS_PER_EXAMPLE * examples


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("suffix", [".tour", ".sol", ".csv", ".geojson"])
def test_solutions(tmp_path: Path, suffix: str, strict: bool, examples: int) -> None:
    problem = generate("vrp" if suffix == ".sol" else "uniform", 10, 1)
    solution = [np.array([1, 2, 3]), np.array([4, 5, 6, 7, 8, 9])] if isinstance(problem, VRP) else np.arange(10)
    path = tmp_path / f"fuzz{suffix}"
    write_solution(path, problem, solution)
    content = path.read_bytes()
    random = np.random.default_rng(len(suffix))
    fine = 0
    for _ in range(ROUNDS_PER_EXAMPLE * examples):
        changed = mutated(content, random)
        path.write_bytes(changed)

        def judge() -> None:
            report = problem.check(read_solution(path, problem, strict=strict))  # type: ignore[arg-type]
            assert report.feasible or not strict or isinstance(problem, VRP)

        fine += attempt(judge, changed)
    assert 0 < fine < ROUNDS_PER_EXAMPLE * examples


@pytest.mark.filterwarnings("ignore::warptour.InputWarning")
@pytest.mark.parametrize("suffix", [".tsp", ".vrp", ".txt", ".csv", ".npy"])
def test_noise(tmp_path: Path, suffix: str) -> None:
    random = np.random.default_rng(5)
    path = tmp_path / f"noise{suffix}"
    for length in (1, 2, 10, 100, 1000, 100_000):
        for top in (256, 128, 32):
            content = random.integers(0, top, length).astype(np.uint8).tobytes()
            path.write_bytes(content)
            attempt(lambda: read(path), content)
