"""A server that listens until it is told to stop. The one file that imports uvicorn."""

from __future__ import annotations

import os
import socket
from contextlib import nullcontext
from typing import Any

from warptour.model.errors import MissingLibrary, UsageError
from warptour.web.asgi import MISSING, App
from warptour.web.connections import AT_ONCE, Bounded, most_connections
from warptour.web.hosts import EVERYWHERE, bracketed


class Listener:
    """A port and what answers there; :meth:`run` serves until :meth:`stop`.

    Parameters
    ----------
    what : str
        Its name in messages.
    app : App
    host, port : str, int
        Where to listen; port 0 is any that is free.
    most : int
        Maximum number of connections.
    lifespan : bool
        Whether the application is told of the beginning and the end.

    Attributes
    ----------
    address : str
        ``http://127.0.0.1:8080``.
    """

    def __init__(self, what: str, app: App, host: str, port: int, most: int, lifespan: bool = False) -> None:
        try:
            import uvicorn
            from uvicorn.protocols.http.h11_impl import H11Protocol
        except ImportError:
            raise MissingLibrary(MISSING.format(what=what)) from None
        self._socket = _listen(host, port)
        shown = "127.0.0.1" if host in EVERYWHERE else bracketed(host)
        self.port: int = self._socket.getsockname()[1]
        self.address = f"http://{shown}:{self.port}"
        most = most_connections(most)
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http=type("Protocol", (Bounded, H11Protocol), {"most": most}),
            backlog=max(1, most // AT_ONCE),
            log_level="error",
            access_log=False,
            server_header=False,
            lifespan="on" if lifespan else "off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server: Any = uvicorn.Server(config)
        self._server.capture_signals = nullcontext  # type: ignore[method-assign, assignment]  # signals are the program's

    def run(self) -> None:
        """Serve until :meth:`stop`."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()

    def stop(self) -> None:
        """End the server soon; safe to call from a signal handler or another thread."""
        self._server.should_exit = True


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or raise :class:`UsageError`."""
    if not 0 <= port < 2**16:
        raise UsageError(f"--port is a number from 0 to 65535, not {port}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    if os.name != "nt":  # there it would let others listen on the same port
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port))
        opened.listen()
    except (OSError, UnicodeError) as error:
        opened.close()
        raise UsageError(f"cannot listen on {host}:{port}: {getattr(error, 'strerror', None) or error}") from None
    return opened
