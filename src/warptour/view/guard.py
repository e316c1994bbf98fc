"""What every request must have before anything else looks at it: the token, a Host and an Origin of this server."""

from __future__ import annotations

import json
import secrets
from typing import Final

from warptour.web.asgi import App, Message, Receive, Scope, Send, headers_of
from warptour.web.hosts import Hosts, is_same_origin

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """An ASGI application that answers strangers itself and hands other requests on, with the token off their path.

    ``token``: first part of every path
    ``host``: address that the server listens on
    """

    def __init__(self, app: App, token: str, host: str) -> None:
        self.app = app
        self.token = token
        self.hosts = Hosts(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or hand on one request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        headers = headers_of(scope)
        _, _, rest = scope["path"].partition("/")
        token, slash, path = rest.partition("/")
        host = headers.get("host", "")
        if not self.hosts.include(host):
            await _answer(send, 403, "this server is asked under a name that is not its own")
        elif not secrets.compare_digest(token.encode(), self.token.encode()):
            await _answer(send, 404, "open the address that warptour view printed, with its token")
        elif not is_same_origin(headers, host):
            await _answer(send, 403, "requests come from the page of this server only")
        elif not slash:
            await _answer(send, 307, "the page is one level below", {"location": f"/{self.token}/"})
        else:
            inner = {**scope, "path": f"/{path}", "raw_path": f"/{path}".encode(), "root_path": ""}
            await self.app(inner, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            given = [(name, value) for name, value in message.get("headers", []) if name.decode() not in HEADERS]
            message = {**message, "headers": [*given, *own]}
        await send(message)

    return sending


async def _answer(send: Send, status: int, line: str, headers: dict[str, str] | None = None) -> None:
    body = json.dumps({"error": line}).encode()
    sending = _with_headers(send)
    fields = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    rows = [(name.encode(), value.encode()) for name, value in fields.items()]
    await sending({"type": "http.response.start", "status": status, "headers": rows})
    await sending({"type": "http.response.body", "body": body})
