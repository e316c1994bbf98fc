"""Who may ask the server, and for what: every rule that keeps strangers, paths and leftovers out."""

from __future__ import annotations

import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from warptour.model.errors import UsageError
from warptour.view import app, folder
from warptour.view.folder import Folder, fcntl, plain_name
from warptour.view.guard import POLICY
from warptour.view.serve import View
from warptour.view.session import Session

PATHS = ["", "static/main.js", "api/session", "api/events", "api/traces/t1/tours/0"]


def test_it_listens_on_this_machine_only_unless_told_otherwise(serve):
    view = serve()
    assert view._server._socket.getsockname()[0] == "127.0.0.1"
    assert view.address.startswith(f"http://127.0.0.1:{view.port}/")


def test_the_token_is_long_and_different_each_time(serve):
    tokens = {serve().token, serve().token}
    assert len(tokens) == 2 and all(len(token) >= 32 for token in tokens)


@pytest.mark.parametrize("path", PATHS)
def test_without_the_token_there_is_nothing(client, path):
    for prefix in ("", "wrong/", client.token[:-1] + "/", client.token.swapcase() + "/", "%00/", "é/".encode().hex()):
        reply = client.raw("GET", f"/{prefix}{path}")
        assert reply.status == 404 and reply.json == {
            "error": "open the address that warptour view printed, with its token"
        }


def test_a_token_without_its_slash_leads_to_the_page(client):
    reply = client.raw("GET", f"/{client.token}")
    assert reply.status == 307 and reply.headers["location"] == f"/{client.token}/"
    assert client("GET", "").status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.1.2", "", "a b"]
)
def test_another_host_is_refused(client, host):
    assert client("GET", "api/session", Host=host).status in (400, 403)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "localhost:9999", "LOCALHOST", "[::1]:80"])
def test_names_of_this_machine_are_its_hosts_on_any_port_since_ports_are_forwarded(client, host):
    assert client("GET", "api/session", Host=host).status == 200


def test_on_all_addresses_numbers_are_hosts_and_names_of_others_are_not(serve, client_of):
    client = client_of(serve(host="0.0.0.0").address)
    assert client("GET", "api/session", Host="192.168.1.2:80").status == 200
    assert client("GET", "api/session", Host="[fe80::1]").status == 200
    assert client("GET", "api/session", Host="rebound.example").status == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://[", "file://"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_origin_is_refused(client, method, origin):
    reply = client(method, "api/session" if method == "GET" else "api/problems", Origin=origin)
    assert reply.status == 403 and "error" in reply.json
    assert "access-control-allow-origin" not in reply.headers


def test_its_own_origin_is_not(client):
    assert client("GET", "api/session", Origin=f"http://127.0.0.1:{client.port}").status == 200


def test_browsers_that_say_it_is_another_site_are_believed_except_for_opening_the_page(client):
    assert client("GET", "api/session", Sec_Fetch_Site="cross-site").status == 403
    assert client("GET", "api/session", Sec_Fetch_Site="same-site").status == 403
    assert client("GET", "", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate").status == 200


@pytest.mark.parametrize("path", [*PATHS[:3], "nothing", "api/traces/t9/lines"])
def test_every_answer_forbids_everything_external(client, path):
    for reply in (client("GET", path), client.raw("GET", f"/{path}")):
        assert reply.headers["content-security-policy"] == POLICY
        assert "unsafe" not in POLICY and "http" not in POLICY and "*" not in POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "static/../app.py",
        "static/%2e%2e/app.py",
        "static/..%2fapp.py",
        "static//etc/passwd",
        "../etc/passwd",
        "%2fetc/passwd",
        "static/",
        "api/traces/..%2f..%2fetc%2fpasswd/lines",
        "api/problems/%2fetc%2fpasswd/coordinates",
    ],
)
def test_no_path_leads_out_of_the_page(client, path):
    reply = client("GET", path)
    assert reply.status == 404 and set(reply.json) == {"error"}


@pytest.mark.parametrize("file", ["/etc/passwd", "../x", "", None, 3, ["f1"], {"a": 1}])
def test_a_file_is_an_upload_never_a_path(client, file):
    for path, body in (("api/problems", {"file": file}), ("api/traces", {"file": file})):
        assert client("POST", path, body).status == 404


@pytest.mark.parametrize(
    "wanted",
    [
        {"start": "/etc/passwd"},
        {"start": "../a.tour"},
        {"start_file": "/etc/passwd"},
        {"cluster": "ray:10.0.0.1"},
        {"cluster": "mpi"},
        {"strategy": "/etc/passwd"},
        {"seconds": "1; ls"},
        {"seconds": float("nan")},
        {"device": "a\nb"},
        {"settings": ["a"]},
    ],
)
def test_a_run_opens_no_path_and_reaches_no_other_machine(own_client, wanted):
    problem = own_client.post("api/problems", {"generate": {"kind": "uniform", "n": 10, "seed": 1}})["id"]
    reply = own_client("POST", "api/runs", {"problem": problem, "seconds": 1, **wanted})
    assert reply.status in (400, 404) and "error" in reply.json
    assert own_client.get("api/session")["runs"] == []


def test_options_cannot_become_other_options(client):
    file = client.upload("a.csv", b"name,x,y\n--output=x,1,2\nb,3,4\nc,5,7\n")
    problem = client.post("api/problems", {"file": file, "options": {"from": "--output=x"}})
    run = client.post("api/runs", {"problem": problem["id"], "iterations": 5, "device": "--output=/tmp/owned"})
    assert run["command"] == "warptour solve a.csv --from=--output=x --device=--output=/tmp/owned --iterations 5"
    done = client.wait(run["id"])
    assert done["state"] == "failed" and "--output=/tmp/owned" in done["error"]
    assert not Path("/tmp/owned").exists()


@pytest.mark.parametrize("kind", ["../x", "uniform:5:1\0", None, "/etc/passwd"])
def test_only_known_kinds_are_generated(client, kind):
    assert client("POST", "api/problems", {"generate": {"kind": kind, "n": 5}}).status == 400
    assert client("POST", "api/problems", {"generate": {"kind": "uniform", "n": 10**8}}).status == 400


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("stops.csv", "stops.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\Tour de Köln.xlsx", "Tour_de_Köln.xlsx"),
        (".bashrc", "bashrc"),
        ("--help.tsp", "help.tsp"),
        ("a\0b\n.tsp", "a_b_.tsp"),
        ("/", "file"),
        ("x" * 500 + ".tsp", "x" * 60 + ".tsp"),
    ],
)
def test_of_an_uploaded_name_only_harmless_letters_are_kept(given, kept):
    assert plain_name(given) == kept


def test_uploads_lie_in_a_private_folder_that_is_removed_at_the_end(serve, client_of):
    view = serve()
    client = client_of(view.address)
    client.upload("../../evil.tsp", b"hello")
    private = view.session.folder.path
    [upload] = view.session.files.values()
    assert upload.path.read_bytes() == b"hello" and upload.path.is_relative_to(private)
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    serve.end()
    assert not private.exists()


def test_uploads_have_a_limit_each_and_together(own_client, monkeypatch):
    monkeypatch.setattr(folder, "UPLOAD_BYTES", 1000)
    monkeypatch.setattr(folder, "TOTAL_BYTES", 1500)
    assert own_client("POST", "api/files?name=a.tsp", b"x" * 1000).status == 200
    large = own_client("POST", "api/files?name=b.tsp", b"x" * 1001)
    assert large.status == 413 and "at most" in large.json["error"]
    assert own_client("POST", "api/files?name=c.tsp", b"x" * 501).status == 413
    assert own_client("POST", "api/files?name=d.tsp", b"x" * 500).status == 200


def test_the_folder_of_a_killed_server_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first, abandoned = Folder(), Folder()
    abandoned._lock.close()
    other = tmp_path / f"{folder.PREFIX}not-ours"
    other.mkdir()
    third = Folder()
    assert first.path.exists() and third.path.exists() and not abandoned.path.exists()
    assert other.exists()
    first.remove()
    third.remove()


@pytest.fixture
def between(tmp_path, monkeypatch):
    """Call ``between(flags, action)`` for something that happens once, just before a lock is asked for."""
    if fcntl is None:
        pytest.skip("needs locks of files: other systems refuse to remove open ones")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def schedule(flags, action):
        pending = [action]

        def lock(file, how):
            if how == flags and pending:
                pending.pop()()
            fcntl.flock(file, how)

        constants = {"LOCK_EX": fcntl.LOCK_EX, "LOCK_NB": fcntl.LOCK_NB}
        monkeypatch.setattr(folder, "fcntl", SimpleNamespace(flock=lock, **constants))

    return schedule


def test_a_folder_that_another_server_removes_before_it_is_locked_is_not_used(between, tmp_path):
    between(fcntl.LOCK_EX, folder._remove_abandoned)
    mine = Folder()
    folder._remove_abandoned()
    assert (mine.path / folder.LOCK).exists() and list(tmp_path.iterdir()) == [mine.path]
    mine.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_has_come_in_the_place_of_an_abandoned_one_is_left_alone(between, tmp_path):
    abandoned = tmp_path / f"{folder.PREFIX}a"
    abandoned.mkdir()
    (abandoned / folder.LOCK).touch()

    def replace():
        (abandoned / folder.LOCK).unlink()
        (abandoned / folder.LOCK).touch()

    between(fcntl.LOCK_EX | fcntl.LOCK_NB, replace)
    folder._remove_abandoned()
    assert (abandoned / folder.LOCK).exists()


@pytest.mark.parametrize("body", [b"[" * 100_000, b"{", b"[1]", b'"x"', b"\xff"])
def test_what_is_no_json_object_is_refused(client, body):
    assert client("POST", "api/problems", body, Content_Type="application/json").status == 400


def test_forms_of_other_pages_are_refused(client):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert client("POST", "api/problems", b"{}", Content_Type=kind).status == 415


def test_a_request_has_a_limit(client, monkeypatch):
    monkeypatch.setattr(app, "BODY_BYTES", 100)
    assert client("POST", "api/problems", {"generate": "x" * 200}).status == 413


def test_there_are_no_websockets(client):
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    assert client.raw("GET", f"/{client.token}/api/events/", headers=headers).status == 404


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ({"port": -1}, "--port"),
        ({"port": 65536}, "--port"),
        ({"host": "no such host"}, "cannot listen on no such host:0"),
    ],
)
def test_a_place_to_listen_is_one(place, line):
    pytest.importorskip("starlette", reason="needs Starlette: pip install 'warptour[web]'")
    session = Session()
    with pytest.raises(UsageError, match=line):
        View(session, **place)
    session.close()


def test_a_port_that_is_taken_is_said_to_be(serve):
    view, session = serve(), Session()
    with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1:{view.port}"):
        View(session, port=view.port)
    session.close()


def test_names_are_data(client):
    name = '"><img src=x onerror=alert(1)>'
    file = client.upload("a.csv", f'name,x,y\n"{name.replace(chr(34), chr(34) * 2)}",1,2\nb,3,4\n'.encode())
    problem = client.post("api/problems", {"file": file})["id"]
    reply = client("GET", f"api/problems/{problem}/nodes/0")
    assert reply.json["name"] == name and reply.headers["content-type"] == "application/json"
