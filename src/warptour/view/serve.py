"""The server of the view: its token, the browser, and its end."""

from __future__ import annotations

import os
import secrets
import sys
import threading
import webbrowser
from collections.abc import Callable

from warptour.io.reading import ReadOptions
from warptour.view.app import application
from warptour.view.guard import Guard
from warptour.view.problems import AS_IT_IS
from warptour.view.session import Session, check_unsaid
from warptour.web.hosts import HERE
from warptour.web.listener import Listener

MOST = 64
"""Maximum number of connections; a page of a browser has at most seven."""
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


class View:
    """A server that listens; ``run`` serves until ``stop``.

    ``address``: with the token, for the browser
    """

    def __init__(self, session: Session, host: str = "127.0.0.1", port: int = 0) -> None:
        self.session = session
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        self._server = Listener("the view", Guard(application(session), self.token, host), host, port, MOST)
        self.port = self._server.port
        self.address = f"{self._server.address}/{self.token}/"

    def run(self) -> None:
        """Serve until :meth:`stop`; then end all runs and remove their files."""
        try:
            self._server.run()
        finally:
            self.session.close()

    def stop(self) -> None:
        """End the server soon; safe to call from a signal handler or another thread."""
        self.session.closed = True
        self._server.stop()


def serve(
    source: str | None,  # a problem or a trace, as the command line names it
    host: str,
    port: int,
    browser: bool,  # whether to open the page in the user's browser
    on_start: Callable[[Callable[[], None]], None],  # called with what stops the server
    given: ReadOptions = AS_IT_IS,  # How ``source`` is read. Its streets are those of uploads, too.
) -> None:
    """Open ``source`` and serve the view until told to stop.

    ``host``, ``port``: where to listen; port 0 is any that is free
    """
    session = Session(given)
    try:
        if source is None:
            check_unsaid(given, "there is no file")
        else:
            session.open(source)
        view = View(session, host, port)
    except BaseException:
        session.close()
        raise
    on_start(view.stop)
    if host not in HERE:
        print(f"warptour: {WARNING.format(host=host)}", file=sys.stderr, flush=True)
    print(f"{view.address}  (Ctrl-C ends it)", flush=True)
    if browser and _has_screen():
        door = session.folder.write("open.html", DOOR.format(address=view.address).encode())
        threading.Thread(target=webbrowser.open, args=(door.as_uri(),), daemon=True).start()
    view.run()


def _has_screen() -> bool:
    """Return whether a browser would have a window; one in the terminal would be in the way."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
