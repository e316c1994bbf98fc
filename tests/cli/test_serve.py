"""``warptour serve`` as its options say it; what it answers is tested in tests/service."""

from __future__ import annotations

import json
import signal
import subprocess
import urllib.request

import pytest

from warptour.observe.child import program


def test_faults_of_options_are_one_line(call, tmp_path, monkeypatch):
    monkeypatch.delenv("WARPTOUR_TOKEN", raising=False)
    (tmp_path / "token").write_text("short")
    (tmp_path / "file").touch()
    for words, line in (
        (
            ["--host", "0.0.0.0"],
            "--host 0.0.0.0 reaches beyond this machine, so it needs --token-file FILE or WARPTOUR_TOKEN",
        ),
        (["--token-file", "token"], "a token has at least 16 letters and digits"),
        (["--token-file", "nothing"], "nothing: cannot be read: No such file or directory"),
        (["--cluster", "mpi"], "--cluster of a service is local:N or ray:ADDRESS, not mpi"),
        (["--cluster", "ray"], "--cluster of a service is local:N or ray:ADDRESS, not ray"),
        (["--cluster", "local:x"], "local:x names no number of processes, 1 to 1024; try local:4"),
        (["--cluster", "rays"], "unknown cluster 'rays'; there are local:4 (processes), mpi, ray and ray:ADDRESS"),
        (["--seconds", "9", "--max-seconds", "5"], "--seconds 9 is above --max-seconds 5"),
        (["--speed", "30", "--osrm", "http://localhost"], "--osrm and --speed contradict each other; give one of them"),
        (["--jobs", "0"], "--jobs is 1 or more, not 0 (see warptour serve --help)"),
    ):
        assert call("serve", *words).fault == line
    pytest.importorskip("starlette")
    assert call("serve", "--port", "70000").fault == "--port is a number from 0 to 65535, not 70000"


def test_a_cluster_that_is_not_there_is_refused_before_jobs_come(call):
    fault = call("serve", "--cluster", "ray:127.0.0.1:1").fault
    assert fault.startswith("there is no Ray at 127.0.0.1:1") or "pip install" in fault


def test_a_folder_that_is_a_file(call, tmp_path):
    (tmp_path / "file").touch()
    assert call("serve", "--folder", "file").fault == f"{tmp_path / 'file'}: cannot have jobs: File exists"


def test_coordinates_are_planned_with_the_speed_of_the_service(tmp_path):
    for library in ("starlette", "uvicorn"):
        pytest.importorskip(library)
    command = program("serve", "--port", "0", "--speed", "36", "--seconds", "0.2")
    places = {
        "vehicles": [{"id": 1, "start": [2.0, 48.0], "end": [2.0, 48.0]}],
        "jobs": [{"id": 1, "location": [2.0, 48.1]}],
    }
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as service:
        address = service.stdout.readline().split()[0]
        with urllib.request.urlopen(address, json.dumps(places).encode(), timeout=300) as reply:
            answer = json.load(reply)
        service.send_signal(signal.SIGINT)
        assert service.wait(300) == 128 + signal.SIGINT
    assert answer["summary"]["duration"] == pytest.approx(2 * 11120 / 10, rel=0.01)  # a tenth of a degree at 10 m/s
    assert (tmp_path / "warptour-jobs" / "jobs.sqlite").exists()
