"""What the program prints and writes for other programs is what ``warptour/schemas`` says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warptour as wt

jsonschema = pytest.importorskip("jsonschema")

SCHEMAS = {path.stem: json.loads(path.read_text("utf-8")) for path in Path(wt.__file__).parent.glob("schemas/*.json")}
DATA = Path(wt.__file__).parent / "data"
FAST = ("--iterations", "300", "--threads", "1")

PROBLEMS = {
    "tour": ("uniform:60:1",),
    "tour, by a paper": ("uniform:60:1", "--strategy", "vns"),
    "tour, bounded": ("uniform:30:1", "--bound"),
    "tour, exact": ("uniform:8:1",),
    "path with names and hours": ("stops.csv", "--from", "Depot", "--speed", "30", "--depart", "08:00"),
    "vehicles": ("customers.csv", "--capacity", "100"),
    "hours": ("deliveries.csv", "--capacity", "1200", "--speed", "30", "--max-hours", "8"),
    "windows": ("windows:40:1",),
    "fleet": ("deliveries.csv", "--fleet", "fleet.csv", "--speed", "30"),
    "even routes": ("deliveries.csv", "--fleet", "fleet.csv", "--speed", "30", "--balance", "hours"),
    "shipments and groups": ("orders.csv", "--capacity", "4"),
    "several trips": ("deliveries.csv", "--fleet", "trips.csv", "--speed", "30"),
    "breaks": ("deliveries.csv", "--fleet", "breaks.csv", "--speed", "30"),
    "matrices of vehicles": ("orders.csv", "--fleet", "own.csv", "--matrix", "van=van.npy,truck=truck.npy"),
}


def valid(value: Any, schema: str, definition: str = "") -> None:
    """Fail with what the schema, or one of its definitions, does not allow."""
    whole = SCHEMAS[schema]
    chosen = {"$ref": f"#/$defs/{definition}", "$defs": whole["$defs"]} if definition else whole
    faults = [error.message for error in jsonschema.Draft202012Validator(chosen).iter_errors(value)]
    assert faults == []


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    rows = ["name,x,y,demand,shipment", "Depot,0,0,,", "Baker,1,2,3,A", "Cafe,5,1,,A", "Press,2,2,1,B", "Shop,7,7,,B"]
    (tmp_path / "orders.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "trips.csv").write_text("name,count,capacity,max trips\nvan,4,500,3\n")
    (tmp_path / "breaks.csv").write_text(
        "name,count,capacity,shift,breaks\nvan,6,1200,07:00-19:00,30 min 11:30-13:30\n"
    )
    (tmp_path / "own.csv").write_text("name,count,capacity\nvan,2,4\ntruck,1,9\n")
    table = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    np.save(tmp_path / "van.npy", table)
    np.save(tmp_path / "truck.npy", 2 * table)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS.keys() == {"answer", "trace", "checkpoint", "reports"}


@pytest.mark.parametrize("words", PROBLEMS.values(), ids=list(PROBLEMS))
def test_answers_traces_and_checkpoints(call: Callable[..., Any], words: tuple[str, ...], tmp_path: Path) -> None:
    problem, *options = words
    kept = ("--trace", "run.jsonl", "--checkpoint", "run.npz", "--json")
    found = call("solve", *words, *FAST, *kept)
    assert found.code == 0
    valid(found.json, "answer")
    assert list(found.json) == list(SCHEMAS["answer"]["properties"])
    lines = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        valid(line, "trace", line["event"])
        valid(line, "trace")
    assert {"begin", "improvement", "end"} <= {line["event"] for line in lines}
    with np.load(tmp_path / "run.npz") as archive:
        valid(json.loads(str(archive["about"])), "checkpoint")
    if (
        "--bound" not in options
        and "--strategy" not in options
        and "--from" not in options
        and "--balance" not in options
    ):
        described = call("info", problem, *options, "--json")
        valid(described.json, "reports", "info")


def test_reports_of_other_commands(call: Callable[..., Any]) -> None:
    call("solve", "stops.csv", *FAST, "-o", "order.csv")
    valid(call("check", "stops.csv", "order.csv", "--json").json, "reports", "check")
    valid(call("bound", "uniform:30:1", "--seconds", "0.1", "--json").json, "reports", "bound")
    valid(call("doctor", "--json").json, "reports", "doctor")
    valid(call("devices", "--json").json, "reports", "devices")
    valid(call("bench", "starts", "--quick", "--device", "cpu", "--json").json, "reports", "bench")


def test_what_is_not_an_answer_is_refused(call: Callable[..., Any]) -> None:
    """Else valid answers would prove nothing."""
    answer = call("solve", "customers.csv", "--capacity", "100", *FAST, "--json").json
    for changed in (
        answer | {"cost": None},
        answer | {"kind": "tsp"},
        answer | {"more": 1},
        answer | {"solution": [[0]]},
        {key: value for key, value in answer.items() if key != "trips"},
    ):
        with pytest.raises(AssertionError):
            valid(changed, "answer")
    with pytest.raises(AssertionError):
        valid({"event": "improvement", "t": 1.0, "cost": 5}, "trace")
