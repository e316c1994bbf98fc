"""The server of the view: its port, its token, the browser, and its end. The one file that imports uvicorn."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from warptour.io.streets import RoadOptions
from warptour.model.errors import MissingLibrary, UsageError
from warptour.view.app import application
from warptour.view.connections import AT_ONCE, Bounded, most_connections
from warptour.view.guard import EVERYWHERE, Guard
from warptour.view.problems import NO_ROADS
from warptour.view.session import Session

TOKEN_BYTES = 24
"""Random bytes in the token of an address: 192 bits cannot be guessed."""
DOOR = """<!DOCTYPE html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>warptour</title>
<a href="{address}">warptour</a>
"""
"""A private file that leads to the page: the arguments of a browser can be read by everyone on the machine."""
WARNING = (
    "--host {host}: everyone who can reach this machine and knows the address below can start runs here and see what "
    "is uploaded; the connection is not encrypted"
)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    return host in ("127.0.0.1", "localhost", "::1")


class View:
    """A server that listens; ``run`` serves until ``stop``.

    Attributes
    ----------
    address : str
        With the token, for the browser.
    session : Session
    """

    def __init__(self, session: Session, host: str = "127.0.0.1", port: int = 0) -> None:
        try:
            import uvicorn
            from uvicorn.protocols.http.h11_impl import H11Protocol
        except ImportError:
            raise MissingLibrary("the view is served by Starlette and uvicorn: pip install 'warptour[web]'") from None
        app = application(session)
        self.session = session
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        self._socket = _listen(host, port)
        shown = "127.0.0.1" if host in EVERYWHERE else f"[{host}]" if ":" in host else host
        self.port: int = self._socket.getsockname()[1]
        self.address = f"http://{shown}:{self.port}/{self.token}/"
        most = most_connections()
        protocol = type("Protocol", (Bounded, H11Protocol), {"most": most})
        config = uvicorn.Config(
            Guard(app, self.token, host),
            loop="asyncio",
            http=protocol,
            backlog=max(1, most // AT_ONCE),
            log_level="error",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server: Any = uvicorn.Server(config)
        self._server.capture_signals = nullcontext  # type: ignore[method-assign, assignment]  # signals are the program's

    def run(self) -> None:
        """Serve until :meth:`stop`; then end all runs and remove their files."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.session.close()
            self._socket.close()

    def stop(self) -> None:
        """End the server soon; safe to call from a signal handler or another thread."""
        self.session.closed = True
        self._server.should_exit = True


def serve(
    source: str | None,
    host: str,
    port: int,
    browser: bool,
    on_start: Callable[[Callable[[], None]], None],
    roads: RoadOptions = NO_ROADS,
) -> None:
    """Open ``source`` and serve the view until told to stop.

    Parameters
    ----------
    source : str or None
        A problem or a trace, as the command line names it.
    host, port : str, int
        Where to listen; port 0 is any that is free.
    browser : bool
        Whether to open the page in the user's browser.
    on_start : callable
        Called with what stops the server.
    roads : RoadOptions
        The streets that problems are planned and drawn along.
    """
    session = Session(roads)
    try:
        if source is not None:
            session.open(source)
        view = View(session, host, port)
    except BaseException:
        session.close()
        raise
    on_start(view.stop)
    if not is_loopback(host):
        print(f"warptour: {WARNING.format(host=host)}", file=sys.stderr, flush=True)
    print(f"{view.address}  (Ctrl-C ends it)", flush=True)
    if browser and _has_screen():
        door = session.folder.write("open.html", DOOR.format(address=view.address).encode())
        threading.Thread(target=webbrowser.open, args=(door.as_uri(),), daemon=True).start()
    view.run()


def _has_screen() -> bool:
    """Return whether a browser would have a window; one in the terminal would be in the way."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


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
