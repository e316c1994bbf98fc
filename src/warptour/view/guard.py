"""What every request must have before anything else looks at it: the token, a Host and an Origin of this server."""

from __future__ import annotations

import ipaddress
import json
import re
import secrets
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

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
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})
EVERYWHERE: Final = frozenset({"0.0.0.0", "::", ""})
HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")


class Guard:
    """An ASGI application that answers strangers itself and hands other requests on, with the token off their path.

    Parameters
    ----------
    app : App
    token : str
        First part of every path.
    host : str
        Address that the server listens on. A page of another site that resolves to this machine has another Host:
        names are refused but for those of this machine, while on all addresses any numeric one is accepted.
    """

    def __init__(self, app: App, token: str, host: str) -> None:
        self.app = app
        self.token = token
        self.everywhere = host in EVERYWHERE
        self.names = LOOPBACK | {f"[{host}]" if ":" in host else host.lower()}
        if self.everywhere:
            self.names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or hand on one request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        _, _, rest = scope["path"].partition("/")
        token, slash, path = rest.partition("/")
        host = headers.get("host", "")
        if not self._is_ours(host):
            await _answer(send, 403, "this server is asked under a name that is not its own")
        elif not secrets.compare_digest(token.encode(), self.token.encode()):
            await _answer(send, 404, "open the address that warptour view printed, with its token")
        elif not _same_origin(headers, host):
            await _answer(send, 403, "requests come from the page of this server only")
        elif not slash:
            await _answer(send, 307, "the page is one level below", {"location": f"/{self.token}/"})
        else:
            inner = {**scope, "path": f"/{path}", "raw_path": f"/{path}".encode(), "root_path": ""}
            await self.app(inner, receive, _with_headers(send))

    def _is_ours(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        match = HOST.fullmatch(host)
        if match is None:
            return False
        name = match[1].lower()
        return name in self.names or (self.everywhere and _is_address(name))


def _same_origin(headers: dict[str, str], host: str) -> bool:
    """Return whether a request comes from the server's own page, or is the page itself, opened from anywhere."""
    origin = headers.get("origin")
    if origin is not None and origin.lower().partition("://")[2] != host.lower():
        return False
    site = headers.get("sec-fetch-site", "none")
    return site in ("same-origin", "none") or (headers.get("sec-fetch-mode") == "navigate" and origin is None)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


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
