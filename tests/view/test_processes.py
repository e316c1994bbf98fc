"""``warptour view`` as a process: what it prints, and that nothing of it remains, however it ends."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

import warptour as wt
from warptour.observe.child import program
from warptour.view import serve
from warptour.view.folder import PREFIX
from warptour.web import leash

PATIENCE = 120


@contextmanager
def view(root, folder, *arguments, browser=None, before=()):
    """Yield a process of the program and the first line that it prints; ``browser`` is a command for its page."""
    command = [*before, *program("view", *([] if browser else ["--no-browser"]), *arguments)]
    pytest.importorskip("starlette", reason="needs Starlette: pip install 'warptour[web]'")
    pytest.importorskip("uvicorn", reason="needs uvicorn: pip install 'warptour[web]'")
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "TMPDIR": str(folder)}
    environment |= {"DISPLAY": ":0", "BROWSER": f"{browser} %s"} if browser else {}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=folder
    )
    with process:
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()


def is_alive(process):
    """Return whether a process of that number runs: not a zombie, which nobody has waited for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    assert condition()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_runs_end_with_the_server_however_it_ends(root, tmp_path, client_of, number):
    with view(root, tmp_path) as (process, line):
        client = client_of(line.split()[0])
        problem = client.post("api/problems", {"generate": {"kind": "uniform", "n": 200, "seed": 1}})["id"]
        client.post("api/runs", {"problem": problem, "seconds": 3600, "threads": 1})
        [folder] = tmp_path.glob(f"{PREFIX}*")
        wait_until(lambda: client.get("api/session")["traces"][0]["frames"])
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
        runs = [int(child) for path in (children, *tasks) for child in path.read_text().split()]
        assert runs and all(map(is_alive, runs))
        process.send_signal(number)
        assert process.wait(PATIENCE) == (-9 if number == signal.SIGKILL else 128 + number)
        wait_until(lambda: not any(map(is_alive, runs)))
        assert folder.exists() == (number == signal.SIGKILL)
        assert process.stderr.read() == ""


def test_modules_beside_the_stops_are_not_run(root, tmp_path, client_of):
    for name in ("numpy", "json", "warptour"):
        (tmp_path / f"{name}.py").write_text("import pathlib\npathlib.Path('poison').touch()\nraise SystemExit(9)\n")
    with view(root, tmp_path) as (_, line):
        client = client_of(line.split()[0])
        assert client.get("api/devices")["devices"]
        problem = client.post("api/problems", {"generate": {"kind": "uniform", "n": 20, "seed": 1}})["id"]
        run = client.post("api/runs", {"problem": problem, "iterations": 5, "threads": 1, "cluster": "local:2"})
        done = client.wait(run["id"])
        assert done["state"] == "ended", done
        assert not (tmp_path / "poison").exists()


def test_other_addresses_have_a_warning_of_one_line(root, tmp_path):
    with view(root, tmp_path, "--host", "0.0.0.0") as (process, line):
        assert line.startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGHUP)
        [warning] = process.stderr.read().splitlines()
        assert warning.startswith("warptour: --host 0.0.0.0: everyone who can reach this machine")


def test_this_machine_alone_needs_no_warning(root, tmp_path):
    with view(root, tmp_path, "uniform:20:1") as (process, line):
        assert line.startswith("http://127.0.0.1:") and line.endswith("/  (Ctrl-C ends it)\n")
        process.terminate()
        assert process.stderr.read() == ""


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script as browser")
def test_the_token_is_no_argument_of_the_browser_but_in_a_file_of_this_user(root, tmp_path):
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f"#!/bin/sh\nprintf '%s' \"$*\" > {seen}.new && mv {seen}.new {seen}\n")
    browser.chmod(0o700)
    with view(root, tmp_path, browser=browser) as (_, line):
        address = line.split()[0]
        wait_until(seen.exists)
        door = Path(url2pathname(urlsplit(seen.read_text()).path))
        assert urlsplit(address).path.strip("/") not in seen.read_text()
        assert f"url={address}" in door.read_text()
        assert (stat.S_IMODE(door.stat().st_mode), stat.S_IMODE(door.parent.stat().st_mode)) == (0o600, 0o700)


@pytest.mark.skipif(os.name == "nt", reason="needs ulimit")
def test_more_connections_than_descriptors_are_no_end(root, tmp_path, client_of):
    few = ["sh", "-c", 'ulimit -n 48 && exec "$@"', "sh"]
    with view(root, tmp_path, before=few) as (process, line), ExitStack() as opened:
        client = client_of(line.split()[0])
        for _ in range(64):
            idle = socket.create_connection(("127.0.0.1", client.port), PATIENCE)
            opened.enter_context(idle).sendall(b"GET / HTTP/1.1\r\nHost:")
        problem = client.post("api/problems", {"generate": {"kind": "uniform", "n": 20, "seed": 1}})["id"]
        run = client.post("api/runs", {"problem": problem, "iterations": 5, "threads": 1})
        assert client.wait(run["id"])["state"] == "ended"
        process.terminate()
        assert process.stderr.read() == ""


def test_what_cannot_be_served_is_one_line(root, tmp_path):
    with view(root, tmp_path, "nothing.tsp") as (process, printed):
        assert printed == "" and process.stderr.read() == "warptour: nothing.tsp: no such file\n"
        assert process.wait(PATIENCE) == 2
        assert list(tmp_path.glob(f"{PREFIX}*")) == []


@pytest.mark.parametrize("library", ["starlette", "uvicorn"])
def test_without_the_libraries_it_says_what_to_install(library, monkeypatch, tmp_path):
    pytest.importorskip(library)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in (library, *(name for name in sys.modules if name.startswith(f"{library}."))):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(wt.MissingLibrary, match=r"pip install 'warptour\[web\]'"):
        serve.serve(None, "127.0.0.1", 0, False, lambda stop: None)
    assert list(tmp_path.iterdir()) == []


def test_a_leash_gives_the_run_time_to_end_with_its_best(root, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(root / "src")}
    words = ["solve", "uniform:100:1", "--seconds", "3600", "--trace", "a.jsonl", "--output", "a.tour", "--quiet"]
    process = subprocess.Popen(
        program(*words, module=leash.__name__),
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=environment, start_new_session=True,
    )  # fmt: skip
    with process:
        wait_until(lambda: (tmp_path / "a.jsonl").exists() and b"improvement" in (tmp_path / "a.jsonl").read_bytes())
        process.stdin.close()
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM
        assert process.stderr.read() == b""
    assert "TOUR_SECTION" in (tmp_path / "a.tour").read_text()
