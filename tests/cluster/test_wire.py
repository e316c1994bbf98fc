"""Messages survive the way through bytes, arrays of any size included."""

from __future__ import annotations

import json
import math
import os
import pickle
import sys
import threading
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warptour as wt
from warptour.cluster import messages
from warptour.cluster.links.link import UnreadableError
from warptour.cluster.links.mpi import Farewell
from warptour.cluster.links.wire import LENGTHS, header, pack, read, size_of, sizes_in, unpack, write
from warptour.cluster.messages import (
    Arrival,
    Beat,
    Done,
    Failed,
    Found,
    Halt,
    Hello,
    LoadRows,
    Meet,
    Quit,
    ScannedRows,
    ScanRows,
    Signalled,
    Task,
    Unreadable,
)  # fmt: skip
from warptour.model.errors import UsageError
from warptour.papers.scans.runner import BestMove, Order
from warptour.strategies.registry import STRATEGIES


def through_a_pipe(message: object) -> object:
    ends = os.pipe()
    with os.fdopen(ends[0], "rb", 0) as inward, os.fdopen(ends[1], "wb", 0) as outward:
        writer = threading.Thread(target=write, args=(outward, pack(message)))
        writer.start()
        parts = read(inward)
        writer.join()
    return unpack(parts)


@pytest.mark.parametrize("n", [0, 1, 1000, 300_000])
def test_arrays_arrive_equal_and_writable(n: int) -> None:
    sent = {"tour": np.arange(n, dtype=np.int32), "xy": np.ones((n, 2)), "word": "x"}
    got = through_a_pipe(sent)
    assert isinstance(got, dict)
    assert got["word"] == "x"
    for key in ("tour", "xy"):
        np.testing.assert_array_equal(got[key], sent[key])
        assert got[key].flags.writeable
        assert got[key].flags.aligned


def test_large_arrays_are_beside_the_data_and_not_copied() -> None:
    tour = np.arange(100_000, dtype=np.int32)
    small, large = pack(tour)
    assert size_of(small) < 1000
    assert np.shares_memory(np.frombuffer(large, np.int32), tour)
    assert sizes_in(header([small, large]) + b"more") == [size_of(small), tour.nbytes]


def test_a_strided_array_arrives() -> None:
    sent = np.arange(200_000).reshape(1000, 200)[::2, ::3]
    np.testing.assert_array_equal(through_a_pipe(sent), sent)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "message", [lambda: None, {1, 2}, np.array([object()]), Path(), open, Task], ids=lambda one: type(one).__name__
)
def test_what_is_no_data_is_refused_in_one_line(message: object) -> None:
    with pytest.raises(UsageError, match=r"cannot be sent to another process: \w+ is neither data nor a dataclass"):
        pack(message)


TOUR, ROUTES = np.arange(9, dtype=np.int32), [np.arange(3), np.arange(2000), np.empty(0, np.int32)]
PROBLEMS = [
    wt.generate("uniform", 9, 1),
    wt.TSP.from_matrix([[0, 1, 2], [3, 0, 4], [5, 6, 0]]),
    wt.generate("vrp", 9, 1),
]
MESSAGES: list[object] = [
    *(Task(3, problem, wt.Windows(), ROUTES, 2**64 - 1, 4, "cpu", meet_every=5.0) for problem in PROBLEMS),
    *(Task(3, PROBLEMS[0], STRATEGIES[name](), TOUR, 1, 4, "cpu", seconds=1.5) for name in STRATEGIES),
    Halt(1), Quit(), Arrival(1, TOUR, 2.5), Arrival(1, None, None), Beat(1, 2, 3, np.int64(4)),
    Found(1, ROUTES, 10**18, 2, 3), Meet(1, None, None, 2, 3),
    Done(1, TOUR, np.float64(0.1), 2, 3, 0.5, "cpu", last=TOUR),
    Failed(1, "why \ud800\n", True), LoadRows(1, PROBLEMS[0], wt.Descent(), "2-opt", 1, "cpu"),
    ScanRows(1, 2, Order(0, 9, TOUR, ((1, 5), (2, 3, 4)), 1.0, 0.5)),
    ScannedRows(1, 2, BestMove(-math.inf, 3, True, ((1.5, 2),), 0.1)),
    Hello("1", "2", "host", 4, (0, 1)), Signalled(15), Unreadable("what"),
    Farewell(wt.solve(PROBLEMS[0], iterations=1), None), Farewell(None, wt.InputError("what", "file", 7)),
    Farewell({"a": (1, [None, True]), "b": b"\0bytes"}, KeyError("x")),
]  # fmt: skip


def same(one: Any, other: Any) -> bool:
    """Whether two values are of the same types and equal, arrays and errors included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, BaseException):
        return str(one) == str(other) and same(vars(one), vars(other))
    if is_dataclass(one):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_every_message_arrives_as_it_was_sent(message: object) -> None:
    assert same(through_a_pipe(message), message)


def test_every_kind_of_message_is_among_these() -> None:
    kinds = {
        kind for kind in vars(messages).values() if isinstance(kind, type) and kind.__module__ == messages.__name__
    }
    assert kinds <= set(map(type, MESSAGES))


def crafted(tree: object) -> list[bytes]:
    """A message that nobody would send."""
    text = json.dumps(tree).encode()
    return [LENGTHS.pack(len(text), 2) + text + b"[]"]


class Trap:
    """Tells on stderr if it was made."""

    def __reduce__(self) -> Any:
        return os.system, ("echo trapped >&2",)


@pytest.mark.parametrize(
    "parts",
    [
        [b""], [b"nonsense"], [LENGTHS.pack(10**18, 0)], [pickle.dumps(Trap())], [pickle.dumps(Halt(1))], [],
        crafted({"class": "os:system", "fields": {}}),
        crafted({"class": "subprocess:Popen", "fields": {"args": "echo trapped >&2"}}),
        crafted({"class": "warptour.cluster.messages:Halt", "fields": {"numbers": 1}}),
        crafted({"class": "warptour.cluster.messages:os", "fields": {}}),
        crafted({"class": "antigravity:geohash", "fields": {}}),
        crafted({"error": "os:system", "args": {"tuple": ["echo trapped >&2"]}, "facts": {"dict": []}}),
        crafted({"array": 3, "scalar": False}), crafted({"what": 1}),
        [LENGTHS.pack(2, 14) + b"[]" + b'[["|O", [1]]]' + b" " + bytes(8)],
        [LENGTHS.pack(2, 20) + b"[]" + b'[["<i4", [100000]]] '],
    ],
    ids=range(16),
)  # fmt: skip
def test_garbage_is_told_and_nothing_of_it_is_run(parts: list[bytes], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnreadableError):
        unpack(parts)
    assert capfd.readouterr().err == "" and "antigravity" not in sys.modules


def test_modules_are_imported_only_for_a_sender_that_may_name_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "from dataclasses import dataclass\n@dataclass\nclass Own:\n    word: str\n"
    (tmp_path / "module_of_a_user.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    sent = crafted({"class": "module_of_a_user:Own", "fields": {"word": "x"}})
    with pytest.raises(UnreadableError, match="module_of_a_user"):
        unpack(sent)
    assert "module_of_a_user" not in sys.modules
    own: Any = unpack(sent, imports=True)
    assert own.word == "x" and unpack(sent) == own, "it is loaded now"
    del sys.modules["module_of_a_user"]


def test_the_end_of_a_pipe_in_the_midst_of_a_message_is_noticed() -> None:
    ends = os.pipe()
    with os.fdopen(ends[0], "rb", 0) as inward:
        with os.fdopen(ends[1], "wb", 0) as outward:
            outward.write(header([b"whole"]) + b"ha")
        with pytest.raises(EOFError):
            read(inward)
