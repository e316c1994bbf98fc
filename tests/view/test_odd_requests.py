"""Requests that no page sends: each is refused in one line, with a status that says whose fault it is."""

from __future__ import annotations

import pytest

from warptour.view import runs, session
from warptour.view.app import ROUTES
from warptour.web.refusal import Refusal

ODD = [None, True, 0, -1, 1.5, 10**400, "", "x", "\ud800", "\0", "x" * 5000, [], [[]], [[["a"]]], {}, {"a": {}}]
GENERATED = {"generate": {"kind": "uniform", "n": 10, "seed": 1}}
HEADERS = {
    "Origin": "http://[",
    "Sec_Fetch_Site": "\xff",
    "Content_Type": "\xff;=",
    "Cookie": "a" * 5000,
    "Range": "bytes=-",
    "Transfer_Encoding": "nonsense",
    "Expect": "100-continue",
}
FIELDS = {
    "api/problems": ["file", "options", "generate"],
    "api/traces": ["file", "tours"],
    "api/runs": (
        "problem strategy settings device threads seconds iterations target seed start start_file bound cluster".split()
    ),
}
OPTIONS = "rounding latlon open from to capacity max_distance service_time vehicles fixed_cost depot columns ignore x"


def assert_answered(reply):
    """Assert that a request was answered, or refused in one line."""
    assert reply.status < 500, reply.body
    if reply.status >= 400:
        assert set(reply.json) == {"error"} and reply.json["error"].isprintable()


@pytest.fixture(autouse=True)
def no_runs(monkeypatch):
    """Refuse runs that would be started."""

    def refuse(*given):
        raise Refusal(409, "it would be started")

    monkeypatch.setattr(session, "Run", refuse)


@pytest.fixture
def stops(client):
    """Ids of an uploaded file and a problem."""
    return client.upload("a.csv", b"name,x,y\na,1,2\nb,3,4\nc,9,1\n"), client.post("api/problems", GENERATED)["id"]


@pytest.mark.parametrize(("path", "field"), [(path, field) for path in FIELDS for field in FIELDS[path]])
def test_a_field_of_another_type_is_refused(client, stops, path, field):
    good = {"api/runs": {"problem": stops[1]}, "api/traces": {"file": stops[0]}}.get(path, {"file": stops[0]})
    for value in ODD:
        assert_answered(client("POST", path, good | {field: value}))


@pytest.mark.parametrize("name", OPTIONS.split())
def test_an_option_of_another_type_is_refused(client, stops, name):
    for value in ODD:
        assert_answered(client("POST", "api/problems", {"file": stops[0], "options": {name: value}}))


def test_parts_of_an_instance_and_settings_of_another_type_are_refused(client, stops):
    for value in ODD:
        for name in ("kind", "n", "seed"):
            wanted = {"generate": GENERATED["generate"] | {name: value}}
            assert_answered(client("POST", "api/problems", wanted))
        assert_answered(client("POST", "api/runs", {"problem": stops[1], "settings": {"nearest": value}}))
    reply = client("POST", "api/problems", {"generate": {"kind": []}})
    assert reply.status == 400 and reply.json["error"] == "a kind is a short text"


@pytest.mark.parametrize(("method", "path"), sorted({(method, path) for method, path, _ in ROUTES}))
def test_odd_ids_numbers_and_headers_are_answered(client, method, path):
    path = path.lstrip("/")
    for odd in ("x", "t1", "%00", "%ff", "%ED%A0%80", "-1", "9" * 5000, "1.5", "..%2f", "%C2%B2"):
        where = path.replace("{id}", odd).replace("{k}", odd)
        assert_answered(client(method, f"{where}?after={odd}&format={odd}"))
    for header, value in HEADERS.items():
        assert client(method, path, **{header: value}).status < 500, header


@pytest.mark.parametrize("name", ["😀" * 300, "𝔸" * 300 + "." + "𝔸" * 300, "%00", "%ff", "a/" * 400, "." * 300, "CON"])
def test_any_name_of_a_file_is_kept(client, name):
    assert client.upload(name, b"x")


def test_a_cluster_has_a_process_for_each_core_at_most(client, stops, monkeypatch):
    monkeypatch.setattr(runs, "usable_cores", lambda: 3)
    many, enough = (client("POST", "api/runs", {"problem": stops[1], "cluster": f"local:{n}"}) for n in (40, 3))
    assert many.status == 400 and many.json["error"].endswith("at most a process for each core: local:3")
    assert enough.status == 409
