"""Clients that say nothing, say half of it, or are too many: the server goes on serving, and writes nothing."""

from __future__ import annotations

import select
import socket
import time
from contextlib import ExitStack

import pytest

from warptour.view import serve as serving
from warptour.view.session import Session
from warptour.web import connections

PATIENCE = 60.0
GENERATED = {"generate": {"kind": "uniform", "n": 5, "seed": 1}}


@pytest.fixture
def hasty(monkeypatch, serve, client_of):
    """A server that waits for its clients for a fifth of a second, and a client."""
    monkeypatch.setattr(connections, "CLIENT_SECONDS", 0.2)
    view = serve()
    return view, client_of(view.address)


def is_closed(connection):
    """Return whether the server has closed a connection."""
    if not select.select([connection], [], [], 0.02)[0]:
        return False
    try:
        return connection.recv(2**16) == b""
    except ConnectionError:
        return True


def wait_until_closed(connection, trickle=b""):
    """Send a byte now and then until the server closes the connection."""
    end = time.monotonic() + PATIENCE
    while not is_closed(connection):
        assert time.monotonic() < end, "the connection stays open"
        if trickle:
            try:
                connection.send(trickle)
            except ConnectionError:
                return


def connect(client):
    return socket.create_connection(("127.0.0.1", client.port), PATIENCE)


@pytest.mark.parametrize("sent", ["", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "])
@pytest.mark.parametrize("trickle", [b"", b"a"])
def test_a_request_that_is_never_complete_is_closed(hasty, sent, trickle):
    with connect(hasty[1]) as connection:
        connection.sendall(sent.encode())
        wait_until_closed(connection, trickle)


@pytest.mark.parametrize("path", ["{token}/api/problems", "{token}/api/files?name=a.tsp", "wrong/api/files"])
def test_a_body_that_is_never_complete_is_closed_and_leaves_no_file(hasty, path):
    view, client = hasty
    head = f"POST /{path.format(token=client.token)} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{{"
    with connect(client) as connection:
        connection.sendall(head.encode())
        wait_until_closed(connection, b"1" if path.startswith("wrong") else b"")
    end = time.monotonic() + PATIENCE
    while [path.name for path in view.session.folder.path.iterdir()] != ["lock"]:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_an_answer_may_take_longer_than_a_request(hasty, monkeypatch):
    monkeypatch.setattr(Session, "devices", lambda self: time.sleep(0.6) or {"devices": []})
    with hasty[1].stream("api/events") as news:
        next(news)
        assert hasty[1].get("api/devices") == {"devices": []}
        hasty[1].post("api/runs", {"problem": hasty[1].post("api/problems", GENERATED)["id"], "iterations": 1})
        assert next(news)["runs"]


def test_a_connection_above_the_limit_takes_the_place_of_one_that_waits(serve, client_of, monkeypatch):
    monkeypatch.setattr(serving, "MOST", 4)
    client = client_of(serve().address)
    with ExitStack() as opened, client.stream("api/events") as news:
        next(news)
        idle = [opened.enter_context(connect(client)) for _ in range(20)]
        assert client.get("api/session")["runs"] == []
        for connection in idle[:15]:
            wait_until_closed(connection)
        client.post("api/problems", GENERATED)


def test_a_connection_above_the_limit_is_refused_where_all_are_answered(serve, client_of, monkeypatch):
    monkeypatch.setattr(serving, "MOST", 1)
    client = client_of(serve().address)
    with client.stream("api/events") as news:
        next(news)
        with connect(client) as connection:
            wait_until_closed(connection)
