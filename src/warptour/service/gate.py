"""Whom the service answers: who has its token or, on this machine alone, who asks for it by its name."""

from __future__ import annotations

import json
import secrets
from typing import Final

from warptour.web.asgi import App, Receive, Scope, Send, headers_of
from warptour.web.hosts import Hosts, is_same_origin

OPEN: Final = frozenset({"/health"})
"""What needs no token: those who watch over a service have none."""


class Gate:
    """An ASGI application that answers strangers itself and hands other requests on.

    ``token``: that requests bear; empty if none is needed
    ``host``: address that the server listens on
    """

    def __init__(self, app: App, token: str, host: str) -> None:
        self.app = app
        self.token = token
        self.hosts = Hosts(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or hand on one request."""
        refused = self._refused(scope) if scope["type"] == "http" else None
        if refused is None:
            await self.app(scope, receive, send)
            return
        status, line = refused
        body = json.dumps({"code": 2, "error": line}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        headers += [(b"www-authenticate", b"Bearer")] if status == 401 else []
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and the line for a stranger."""
        headers = headers_of(scope)
        if self.token:
            given = headers.get("authorization", "")
            if scope["path"] in OPEN or secrets.compare_digest(given.encode(), f"Bearer {self.token}".encode()):
                return None
            return 401, "requests have the header Authorization: Bearer TOKEN"
        host = headers.get("host", "")
        if not self.hosts.include(host):
            return 403, "this server is asked under a name that is not its own"
        if not is_same_origin(headers, host):
            return 403, "pages of other sites are not answered"
        return None
