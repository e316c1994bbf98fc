"""Traces and tours that are damaged: the server says so in one line, and keeps nothing of them."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from warptour.observe.tour_frames import TourFile
from warptour.observe.tours import MAGIC
from warptour.observe.trace_lines import TraceLines

ODD = [None, True, -1, 1.5, 1e300, 10**400, "x", "\ud800", [], ["a"], {}, {"a": 1}]
BEGIN = b'{"event": "begin", "t": 0, "version": 2, "name": "a", "n": 5}\n'
LINES = {
    b'{"t": 1, "cost": %s}' % (b"9" * 4000): "a.jsonl:2: a trace has finite numbers",
    b'{"t": 1e999, "cost": 1}': "a.jsonl:2: a trace has finite numbers",
    b'{"t": 1, "cost": NaN}': "a.jsonl:2: a trace has finite numbers",
    b'{"t": 1, "cost": %s}' % (b"9" * 5000): "a.jsonl:2: a line of a trace is",
    b'{"event": "note", "t": 1, "text": "\\ud800"}': "a.jsonl:2: a trace has Unicode text",
    b'{"event": "note", "t": 1, "text": "", "\\udfff": 0}': "a.jsonl:2: a trace has Unicode text",
    b'{"event": "note", "t": 1, "text": "", "a": %s}' % (b"[" * 30 + b"]" * 30): "a.jsonl:2: a trace has at most 20",
    b'{"event": "note", "t": 1, "text": "", "a": %s}' % (b"[" * 10**5 + b"]" * 10**5): "a.jsonl:2: a line of a trace",
}


@pytest.fixture(scope="module", params=["uniform", "vrp", "named"])
def kept(request, tmp_path_factory):
    """The bytes of a trace and its tours."""
    path = tmp_path_factory.mktemp("kept") / "a.jsonl"
    places = np.random.default_rng(1).random((9, 2)) * 20
    named = wt.TSP("named", wt.METRICS["GREAT_CIRCLE"], places, labels=tuple("abcdefghi"))
    problem = named if request.param == "named" else wt.generate(request.param, 12, 1)
    wt.solve(problem, iterations=300, threads=1, trace=path, tours=True)
    return path.read_bytes(), Path(f"{path}.tours").read_bytes()


def assert_refused(client, trace, tours, line):
    """Assert that an upload is refused with a line, and that nothing of it is kept."""
    files = {"file": client.upload("a.jsonl", trace)}
    files |= {} if tours is None else {"tours": client.upload("a.jsonl.tours", tours)}
    reply = client("POST", "api/traces", files)
    assert reply.status == 400 and reply.json["error"].startswith(line)
    assert client.get("api/session")["traces"] == []


def with_header(tours, **changes):
    """Return tours with another header."""
    size = struct.unpack_from("<I", tours, len(MAGIC))[0]
    rest = tours[16 + size + -size % 8 :]
    header = json.dumps(json.loads(tours[16 : 16 + size]) | changes).encode()
    return MAGIC + struct.pack("<II", len(header), 0) + header + bytes(-len(header) % 8) + rest


@pytest.mark.parametrize(("line", "refusal"), LINES.items())
def test_a_line_that_cannot_be_shown_is_refused(client, line, refusal):
    assert_refused(client, BEGIN + line + b"\n", None, refusal)


def test_escapes_that_are_unicode_are_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(BEGIN + b'{"event": "note", "t": 1, "text": "\\u00e9 \\ud83d\\ude00"}\n')
    trace = TraceLines(path)
    assert trace.grow() == 2 and trace.error is None and trace.lines[1]["text"] == "é 😀"


@pytest.mark.parametrize("field", ["name", "kind", "n", "metric", "open", "best_known", "depot", "capacity", "arrays"])
def test_a_header_of_tours_is_sound_or_refused(client, kept, field):
    trace, tours = kept
    for value in ODD:
        data = with_header(tours, **{field: value})
        files = {"file": client.upload("a.jsonl", trace), "tours": client.upload("a.jsonl.tours", data)}
        reply = client("POST", "api/traces", files)
        if reply.status == 400:
            assert reply.json["error"] == "a.jsonl.tours: these are no tours of warptour, or they are damaged"
        else:
            id = reply.json["id"]
            for path in ("coordinates", "nodes/0", "tours/0", "tours/0/routes", "tours/0/export?format=csv"):
                assert client("GET", f"api/traces/{id}/{path}").status in (200, 400, 404), (field, value, path)
            assert client("DELETE", f"api/traces/{id}").status == 200
        assert client.get("api/session")["traces"] == []


@pytest.mark.parametrize("field", ["name", "norm", "rounding", "dimensions", "divisor"])
def test_a_metric_of_tours_is_one_of_ours(client, kept, field):
    trace, tours = kept
    size = struct.unpack_from("<I", tours, len(MAGIC))[0]
    metric = json.loads(tours[16 : 16 + size])["metric"]
    for value in ODD:
        if value != metric[field] and (field, value) != ("name", "x"):
            data = with_header(tours, metric=metric | {field: value})
            assert_refused(client, trace, data, "a.jsonl.tours: these are no tours of warptour")


def test_a_tour_that_visits_a_city_twice_or_not_at_all_is_damaged(client, tmp_path):
    problem = wt.generate("uniform", 12, 1)
    wt.solve(problem, iterations=300, threads=1, trace=tmp_path / "a.jsonl", tours=True)
    tours = bytearray((tmp_path / "a.jsonl.tours").read_bytes())
    first = TourFile(tmp_path / "a.jsonl.tours")
    first.grow()
    at = first.frames[0].at
    tours[at : at + 4] = tours[at + 4 : at + 8]
    files = [
        client.upload("a.jsonl", (tmp_path / "a.jsonl").read_bytes()),
        client.upload("a.jsonl.tours", bytes(tours)),
    ]
    id = client.post("api/traces", dict(zip(("file", "tours"), files, strict=True)))["id"]
    for path in ("tours/0", "tours/0/routes", "tours/0/export?format=csv"):
        reply = client("GET", f"api/traces/{id}/{path}")
        assert reply.status == 400 and reply.json["error"] == "a.jsonl.tours: tour 1 is damaged"
    client("DELETE", f"api/traces/{id}")
