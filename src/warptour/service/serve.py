"""The service put together: its folder, its token, its port and its end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from warptour.io.files import lock_alone
from warptour.model.errors import InputError, UsageError
from warptour.service.app import Service
from warptour.service.gate import Gate
from warptour.service.limits import ServiceLimits
from warptour.service.queue import JobQueue
from warptour.service.store import JobStore
from warptour.web.hosts import HERE
from warptour.web.listener import Listener

MOST: Final = 1024
"""Maximum number of connections."""
TOKEN: Final = "WARPTOUR_TOKEN"
"""Variable of the environment with the token: arguments can be read by everyone on the machine."""
LEAST_TOKEN: Final = 16
"""Letters of a token."""


class Serving:
    """A service that listens; :meth:`run` serves until :meth:`stop`.

    ``folder``: of its jobs; one service at a time has it
    ``host``, ``port``: where to listen; port 0 is any that is free
    ``token``: that requests bear; empty if none is needed
    ``words``: options of ``solve`` for all jobs
    """

    def __init__(
        self, folder: Path, host: str, port: int, token: str, limits: ServiceLimits, words: Sequence[str]
    ) -> None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise InputError(f"cannot have jobs: {error.strerror}", str(folder)) from None
        try:
            lock_alone(self._lock)
        except OSError as error:
            raise InputError(f"has the jobs of another service: {error.strerror}", str(folder)) from None
        self._store = JobStore(folder / "jobs.sqlite")
        self.queue = JobQueue(self._store, folder, limits, words)
        app = Service(self.queue).application(self._begun)
        self._listener = Listener("the service", Gate(app, token, host), host, port, MOST, lifespan=True)
        self.address = self._listener.address
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Task[None] | None = None

    def run(self) -> None:
        """Serve until :meth:`stop`."""
        try:
            self._listener.run()
        finally:
            self._store.close()
            os.close(self._lock)

    def stop(self) -> None:
        """End the service once all jobs that run have ended with their best; safe to call from a signal handler."""
        if self._loop is None:
            self._listener.stop()
        else:
            self._loop.call_soon_threadsafe(self._end)

    def _begun(self) -> None:
        self._loop = asyncio.get_running_loop()

    def _end(self) -> None:
        self._closing = asyncio.create_task(self._close())

    async def _close(self) -> None:
        await self.queue.close()
        self._listener.stop()


def token_from(file: str | None, host: str) -> str:
    """Return the token of a service, from a file or the environment; empty if it needs none."""
    token = os.environ.get(TOKEN, "")
    if file is not None:
        try:
            token = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError) as error:
            raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file) from None
    if not token and host not in HERE:
        raise UsageError(f"--host {host} reaches beyond this machine, so it needs --token-file FILE or {TOKEN}")
    if token and (len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable()):
        raise UsageError(f"a token has at least {LEAST_TOKEN} letters and digits")
    return token


def serve(
    folder: Path,
    host: str,
    port: int,
    token: str,
    limits: ServiceLimits,
    words: Sequence[str],
    on_start: Callable[[Callable[[], None]], Any],
) -> None:
    """Serve until told to stop; ``on_start`` is called with what stops it. The rest is as for :class:`Serving`."""
    serving = Serving(folder, host, port, token, limits, words)
    on_start(serving.stop)
    print(f"{serving.address}  (POST problems there, GET /docs; Ctrl-C ends it)", flush=True)
    serving.run()
