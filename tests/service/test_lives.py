"""What a service leaves when it ends, and what the next one makes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from service_caller import Caller
from warptour.model.errors import InputError, UsageError
from warptour.observe.child import program
from warptour.service.limits import ServiceLimits
from warptour.service.serve import Serving, token_from
from warptour.service.store import MAX_ATTEMPTS, JobStore


@pytest.fixture
def process(tmp_path):
    """Call it for a service in a process of its own and its caller."""
    for library in ("starlette", "uvicorn"):
        pytest.importorskip(library)
    begun = []

    def process(*words):
        command = program("serve", "--folder", str(tmp_path / "jobs"), "--port", "0", "--jobs", "1", *words)
        begun.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return begun[-1], Caller(begun[-1].stdout.readline().split()[0])

    yield process
    for each in begun:
        each.kill()
        each.communicate()


def wait_until(call, state, count):
    end = time.monotonic() + 300
    while call("GET", "/health").json[state] != count:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_service_that_is_asked_to_end_answers_with_the_best_so_far(process, problem):
    service, call = process()
    answers = []
    for _ in range(2):
        asking = threading.Thread(target=lambda: answers.append(call("POST", "/?seconds=3000", problem(40))))
        asking.start()
        wait_until(call, "running", 1)
    later = call("POST", "/jobs?seconds=0.2", problem()).json["id"]
    wait_until(call, "waiting", 2)
    time.sleep(2)  # so that there is a solution
    service.send_signal(signal.SIGTERM)
    assert service.wait(300) == 128 + signal.SIGTERM
    asking.join()
    assert sorted(answer.status for answer in answers) in ([200, 503], [503, 503])
    _, call = process()
    job = call.wait(later, "done", "failed")
    assert (job["state"], job["attempts"]) == ("done", 1)


def test_jobs_survive_a_service_that_is_killed(process, problem):
    service, call = process()
    running = call("POST", "/jobs?seconds=1", problem(40)).json["id"]
    waiting = call("POST", "/jobs?seconds=0.2", problem()).json["id"]
    wait_until(call, "running", 1)
    service.kill()
    service.wait()
    _, call = process()
    job = call.wait(running, "done", "failed")
    assert (job["state"], job["attempts"]) == ("done", 2)
    assert call.wait(waiting, "done", "failed")["state"] == "done"


def test_a_job_that_crashes_is_lost_alone(serve, problem):
    _, call = serve(max_memory=0.05)
    for _ in range(2):
        crashed = call("POST", "/?seconds=0.2", problem())
        assert crashed.status in (500, 507) and crashed.json["code"] == 1 and crashed.json["error"]
    assert call("GET", "/health").status == 200


def test_a_killed_solver_says_so(serve, problem):
    serving, call = serve()
    id = call("POST", "/jobs?seconds=3000", problem()).json["id"]
    while id not in serving.queue._running or serving.queue._running[id]._process is None:
        time.sleep(0.02)
    serving.queue._running[id].kill()
    assert call.wait(id, "done", "failed")["message"] == "the solver was killed by SIGKILL"


@pytest.mark.heavy
def test_jobs_search_on_ray(serve, problem):
    ray = pytest.importorskip("ray")
    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(place or "." for place in sys.path)}}
    ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    try:
        _, call = serve("--cluster", f"ray:{ray.get_runtime_context().gcs_address}")
        answer = call("POST", "/?seconds=2", problem(40))
        assert answer.status == 200 and answer.json["summary"]["unassigned"] == 0
    finally:
        ray.shutdown()


def test_a_job_that_takes_the_service_along_is_given_up(tmp_path):
    store = JobStore(tmp_path / "jobs.sqlite")
    id = store.add(b"{}", {}, held=False)
    held = store.add(b"{}", {}, held=True)
    for attempt in range(MAX_ATTEMPTS):
        job, request = store.begin()
        assert (job.id, job.attempts, request) == (id, attempt + 1, b"{}")
        lost = store.recover()
    assert lost == [id] and store.begin() is None
    assert store.job(id).state == "failed" and str(MAX_ATTEMPTS) in store.job(id).message
    assert store.job(held) is None
    store.close()


def test_one_service_has_a_folder(tmp_path):
    pytest.importorskip("uvicorn")
    first = Serving(tmp_path, "127.0.0.1", 0, "", ServiceLimits(), [])
    with pytest.raises(InputError, match="has the jobs of another service"):
        Serving(tmp_path, "127.0.0.1", 0, "", ServiceLimits(), [])
    first.stop()
    first.run()


def test_files_that_are_no_jobs_are_refused(tmp_path):
    (tmp_path / "text").write_text("no database, and long enough for its head" * 9)
    with pytest.raises(InputError, match="it is no file of jobs"):
        JobStore(tmp_path / "text")
    store = JobStore(tmp_path / "new")
    store._database.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(InputError, match="is of version 99"):
        JobStore(tmp_path / "new")


def test_beyond_this_machine_a_token_is_needed(tmp_path, monkeypatch):
    monkeypatch.delenv("WARPTOUR_TOKEN", raising=False)
    assert token_from(None, "127.0.0.1") == ""
    with pytest.raises(UsageError, match="reaches beyond this machine"):
        token_from(None, "0.0.0.0")
    (tmp_path / "token").write_text("0123456789abcdef\n")
    assert token_from(str(tmp_path / "token"), "0.0.0.0") == "0123456789abcdef"
    (tmp_path / "token").write_text("short")
    with pytest.raises(UsageError, match="at least 16"):
        token_from(str(tmp_path / "token"), "127.0.0.1")
    with pytest.raises(InputError, match="cannot be read"):
        token_from(str(tmp_path / "nothing"), "127.0.0.1")
    monkeypatch.setenv("WARPTOUR_TOKEN", "fedcba9876543210")
    assert token_from(None, "0.0.0.0") == "fedcba9876543210"


def test_limits_that_contradict_each_other():
    with pytest.raises(UsageError, match="is above max_seconds"):
        ServiceLimits(seconds=10, max_seconds=5)
    assert ServiceLimits(jobs=3).at_once == 3 and ServiceLimits(max_memory=2).memory_bytes == 2_000_000_000
