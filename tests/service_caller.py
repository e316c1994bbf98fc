"""A client of the service that speaks HTTP."""

from __future__ import annotations

import http.client
import json
import time
from dataclasses import dataclass
from typing import Any

PATIENCE = 300.0
"""Seconds after which something is taken to hang: many times what it needs, since other work may have the machine."""


@dataclass(frozen=True)
class Reply:
    """An answer of a server."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Caller:
    """Speaks HTTP to a service."""

    def __init__(self, address: str) -> None:
        self.port = int(address.rpartition(":")[2])

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """Ask; underscores in names of headers are dashes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            connection.request(method, path, data, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()

    def wait(self, id: str, *states: str) -> Any:
        """Return a job once it is in one of ``states``."""
        end = time.monotonic() + PATIENCE
        while (job := self("GET", f"/jobs/{id}").json)["state"] not in states:
            assert time.monotonic() < end, job
            time.sleep(0.05)
        return job
