"""What the service answers."""

from __future__ import annotations

import json
import re
import socket
import time

import pytest

from warptour.service.openapi import description


def served(answer):
    return sorted(step["id"] for route in answer["routes"] for step in route["steps"] if step["type"] == "job")


def test_a_problem_is_planned_while_its_client_waits(serve, problem):
    serving, call = serve()
    done = call("POST", "/?seconds=0.2&seed=3", problem())
    assert done.status == 200 and done.headers["content-type"] == "application/json"
    assert served(done.json) == [1, 2, 3] and done.json["summary"]["cost"] == 800
    assert call("GET", "/jobs").json == []  # nobody can ask for it any more
    assert not (serving.queue.folder / "1").exists()


def test_a_job_is_planned_later_and_kept(serve, problem):
    serving, call = serve()
    accepted = call("POST", "/jobs?seconds=0.2", problem())
    assert accepted.status == 202 and accepted.headers["location"] == f"/jobs/{accepted.json['id']}"
    job = call.wait(accepted.json["id"], "done", "failed")
    assert job["state"] == "done" and job["attempts"] == 1 and job["arrived"] <= job["began"] <= job["ended"]
    assert served(call("GET", job["answer"]).json) == [1, 2, 3]
    assert [each["id"] for each in call("GET", "/jobs").json] == [job["id"]]
    assert list(serving.queue.folder.glob(f"{job['id']}*")) == []
    assert call("DELETE", f"/jobs/{job['id']}").status == 204
    assert call("GET", f"/jobs/{job['id']}").status == call("GET", job["answer"]).status == 404


def test_progress_is_a_stream_of_events(serve, problem):
    _, call = serve()
    job = call("POST", "/jobs?seconds=1", problem(40)).json
    text = call("GET", f"/jobs/{job['id']}", Accept="text/event-stream").body.decode()
    events = re.findall(r"event: (\w+)\ndata: (.*)\n\n", text)
    costs = [json.loads(data)["cost"] for name, data in events if name == "improvement"]
    assert costs and costs == sorted(costs, reverse=True)
    name, data = events[-1]
    assert name == "end" and json.loads(data)["state"] == "done"


def test_a_job_is_stopped_with_its_best_or_removed(serve, problem):
    _, call = serve()
    first = call("POST", "/jobs?seconds=3000", problem(40)).json["id"]
    second = call("POST", "/jobs?seconds=3000", problem(40)).json["id"]
    assert call("GET", f"/jobs/{second}").json["state"] == "waiting"
    assert call("GET", f"/jobs/{second}/answer").status == 409
    wait_for_solution(call, first)
    assert call("POST", f"/jobs/{first}/stop").status == 202
    assert call.wait(first, "done", "failed")["state"] == "done"
    assert served(call("GET", f"/jobs/{first}/answer").json) == list(range(1, 41))
    call.wait(second, "running")
    assert call("DELETE", f"/jobs/{second}").status == 204
    assert call("GET", f"/jobs/{second}").status == 404


def wait_for_solution(call, id):
    """Listen to the events of a job until it has a first solution."""
    head = f"GET /jobs/{id} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
    with socket.create_connection(("127.0.0.1", call.port), timeout=300) as connection:
        connection.sendall(head.encode())
        read = b""
        while b"improvement" not in read:
            part = connection.recv(2**16)
            assert part
            read += part


def test_a_client_that_goes_takes_its_job_along(serve, problem):
    serving, call = serve()
    body = json.dumps(problem()).encode()
    connection = socket.create_connection(("127.0.0.1", call.port))
    head = f"POST /?seconds=3000 HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    connection.sendall(head.encode() + body)
    while not call("GET", "/health").json["running"]:
        time.sleep(0.02)
    connection.close()
    deadline = time.monotonic() + 300
    while call("GET", "/health").json["running"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert serving.queue.store.counts() == {"waiting": 0, "running": 0, "done": 0, "failed": 0}


def test_faults_of_a_request_are_one_line(serve, problem):
    _, call = serve(max_megabytes=0.01, max_seconds=60)
    for body, path, status, line in (
        (b"{", "/", 400, "the body is no JSON"),
        (b"[" * 5000, "/jobs", 400, "the body is no JSON"),
        (b"[1]", "/jobs", 400, "the body is no JSON object"),
        (b" " * 10_001, "/", 413, "a request has at most 0.01 MB"),
        ({}, "/?second=1", 400, "there is no parameter second: give seconds or seed"),
        ({}, "/?seconds=1&seconds=2", 400, "seconds is given twice"),
        ({}, "/?seconds=soon", 400, "seconds is number, not 'soon'"),
        ({}, "/?seconds=61", 400, "seconds are above 0 and at most 60"),
        ({}, "/?seconds=nan", 400, "seconds are above 0 and at most 60"),
        ({}, "/?seed=1.5", 400, "seed is integer, not '1.5'"),
        (problem(vehicles=[]), "/", 400, "vehicles"),
    ):
        refused = call("POST", path, body)
        assert (refused.status, refused.json["code"]) == (status, 2) and line in refused.json["error"], refused
    failed = call("POST", "/jobs", problem(vehicles=[])).json["id"]
    job = call.wait(failed, "done", "failed")
    assert job["state"] == "failed" and "vehicles" in job["message"] and job["answer"] is None
    assert call("GET", f"/jobs/{failed}/answer").json["error"] == job["message"]
    assert call("GET", "/jobs/nobody").json["error"] == "there is no such job"
    assert call("GET", "/nothing/").status == 404 and call("PUT", "/jobs").status == 405


def test_too_many_are_refused_for_now(serve, problem):
    _, call = serve(max_waiting=1)
    ids = [call("POST", "/jobs?seconds=3000", problem()).json["id"] for _ in range(2)]
    refused = call("POST", "/jobs", problem())
    assert refused.status == 503 and refused.headers["retry-after"] == "1"
    assert refused.json["error"] == "1 jobs wait already"
    for id in ids:
        call("DELETE", f"/jobs/{id}")


def test_jobs_run_side_by_side_and_the_oldest_answers_go(serve, problem):
    _, call = serve(jobs=2, keep=1)
    ids = [call("POST", "/jobs?seconds=1", problem()).json["id"] for _ in range(3)]
    assert [call("GET", f"/jobs/{id}").json["state"] for id in ids] == ["running", "running", "waiting"]
    call.wait(ids[-1], "done", "failed")
    while call("GET", "/health").json["running"]:
        time.sleep(0.02)
    assert [call("GET", f"/jobs/{id}").status for id in ids].count(200) == 1


def test_health_metrics_and_the_description(serve, problem):
    _, call = serve()
    call("POST", "/?seconds=0.2", problem())
    call("POST", "/", b"x")
    assert call("GET", "/health").json.items() >= {"status": "ok", "waiting": 0, "running": 0}.items()
    told = call("GET", "/metrics")
    lines = told.body.decode().splitlines()
    assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in (
        'warptour_jobs{state="running"} 0',
        'warptour_jobs_ended_total{state="done"} 1',
        'warptour_job_seconds_bucket{le="+Inf"} 1',
        'warptour_requests_total{status="400"} 1',
    ):
        assert line in lines
    described = call("GET", "/openapi.json").json
    assert described == json.loads(json.dumps(description())) and described["openapi"] == "3.1.0"
    page = call("GET", "/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert all(path in page.body.decode() for path in described["paths"])
    assert "http" not in page.body.decode().replace("<!DOCTYPE html>", "")  # nothing from the network


@pytest.mark.parametrize("path", ["/", "/jobs", "/health", "/docs"])
def test_pages_of_other_sites_are_not_answered(serve, path):
    _, call = serve()
    assert call("GET", path, Host="evil.example").status == 403
    assert call("POST", path, b"{}", Origin="http://evil.example").status == 403


def test_a_token_is_asked_for(serve, problem):
    token = "0123456789abcdef"
    _, call = serve(token=token)
    for headers in ({}, {"Authorization": "Bearer 0123456789abcdeF"}, {"Authorization": token}):
        refused = call("POST", "/?seconds=0.2", problem(), **headers)
        assert refused.status == 401 and refused.headers["www-authenticate"] == "Bearer"
    assert call("POST", "/?seconds=0.2", problem(), Authorization=f"Bearer {token}").status == 200
    assert call("GET", "/health").status == 200 and call("GET", "/metrics").status == 401
