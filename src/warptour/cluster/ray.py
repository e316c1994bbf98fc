"""Members that are actors of Ray: of a running cluster, or of one that is started here for the run."""

from __future__ import annotations

import logging
import math
import os
import signal
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any

import numpy as np

from warptour.cluster.crew import TIMEOUT_SECONDS, Crew
from warptour.cluster.link import Link, LostError, sleep_on
from warptour.cluster.member import serve
from warptour.cluster.wire import Part, pack, room, size_of, unpack
from warptour.kernels.cores import usable_cores
from warptour.model.errors import MissingLibrary, UsageError

TAKE_SECONDS = 5.0
"""How long an actor holds a request for messages when it has none."""

REHIRE_SECONDS = 5.0
"""How long a new actor may take to run: a worker process and its imports; longer if no node has room for it."""

CALLS = 4
"""Threads for the calls of an actor: one holds the request for messages."""


class Seat:
    """What runs in an actor: a thread that serves, and its messages, which the coordinator puts in and takes out."""

    name = "coordinator"

    def __init__(self) -> None:
        self.wake: Callable[[], object] = sleep_on
        self.sent = self.received = 0
        self._lock = Lock()
        self._early: dict[int, list[Part]] = {}
        self._next = 0
        self._inbox = SimpleQueue[list[Part]]()
        self._outbox = SimpleQueue[list[Part]]()
        Thread(target=serve, args=(self,), daemon=True).start()

    def ready(self) -> bool:
        """Return True: the actor runs."""
        return True

    def put(self, number: int, *parts: Part) -> None:
        """Take a message of the coordinator; calls of an actor with several threads may overtake each other."""
        with self._lock:
            self._early[number] = list(parts)
            while (now := self._early.pop(self._next, None)) is not None:
                self._next += 1
                self._inbox.put(now)

    def take(self) -> list[list[Part]]:
        """Return the messages for the coordinator, after some seconds none."""
        try:
            taken = [self._outbox.get(timeout=TAKE_SECONDS)]
        except Empty:
            return []
        while not self._outbox.empty():
            taken.append(self._outbox.get())
        return taken

    def send(self, message: object) -> None:
        """Send a message to the coordinator."""
        parts = pack(message)
        self.sent += sum(map(size_of, parts))
        self._outbox.put(_carried(parts))

    def receive(self, seconds: float) -> object | None:
        """Return the next message, or None."""
        try:
            parts = self._inbox.get(timeout=seconds) if seconds > 0 else self._inbox.get_nowait()
        except Empty:
            return None
        self.received += sum(map(size_of, parts))
        return unpack(_own(parts))

    def close(self) -> None:
        """The actor ends by its coordinator."""


class ActorLink:
    """The link to an actor; a thread waits for its messages."""

    def __init__(self, name: str, actor: Any) -> None:
        self.name = name
        self.wake: Callable[[], object] = sleep_on
        self.sent = self.received = 0
        self.actor = actor
        self._number = 0
        self._closed = False
        self._inbox = SimpleQueue[list[Part] | str]()
        Thread(target=self._take, name=f"warptour-{name}", daemon=True).start()

    def send(self, message: object) -> None:
        """Send a message, without waiting until it was received."""
        parts = pack(message)
        self.sent += sum(map(size_of, parts))
        self.actor.put.remote(self._number, *_carried(parts))
        self._number += 1

    def receive(self, seconds: float) -> object | None:
        """Return the next message, or None."""
        try:
            parts = self._inbox.get(timeout=seconds) if seconds > 0 else self._inbox.get_nowait()
        except Empty:
            return None
        if isinstance(parts, str):
            self._inbox.put(parts)
            raise LostError(parts)
        self.received += sum(map(size_of, parts))
        return unpack(_own(parts))

    def close(self) -> None:
        """End the actor."""
        self._closed = True
        library().kill(self.actor)

    def _take(self) -> None:
        ray = library()
        try:
            while not self._closed:
                for parts in ray.get(self.actor.take.remote()):
                    self._inbox.put(parts)
                    self.wake()
        except Exception as error:
            self._inbox.put(f"{self.name}: {_reason(error)}")
            self.wake()


def open_ray(address: str, threads: int | None, timeout: float = TIMEOUT_SECONDS) -> Crew:
    """Return a crew of actors: one on every node, or with ``threads`` as many as all nodes have room for.

    Parameters
    ----------
    address : str
        Of a running Ray, ``HOST:6379`` or ``ray://HOST:10001``. If empty: what ``RAY_ADDRESS`` says, or the Ray that
        runs on this machine, or one that is started for this run.
    threads, timeout
        As for :class:`~warptour.cluster.crew.Crew`.
    """
    ray = library()
    ours = not ray.is_initialized()
    if ours:
        _connect(address)
    try:
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        cores = [int(node.get("CPU", 0)) for node in nodes]
        each = threads or min([count for count in cores if count], default=0)
        seats = [count // each if each else 0 for count in cores]
        if not sum(seats):
            raise UsageError(f"no node of Ray has {each or 1} CPUs; they have {', '.join(map(str, cores)) or 'none'}")
        gpus = min(node.get("GPU", 0.0) / count for node, count in zip(nodes, seats, strict=True) if count)
        options = {
            "num_cpus": each,
            "num_gpus": math.floor(gpus) if gpus >= 1 else math.floor(gpus * 100) / 100,
            "max_concurrency": CALLS,
            "scheduling_strategy": "SPREAD",
        }
        actors = ray.remote(Seat).options(**options)

        def rehire(rank: int) -> ActorLink:
            actor = actors.remote()
            try:
                ray.get(actor.ready.remote(), timeout=REHIRE_SECONDS)
            except Exception as error:
                ray.kill(actor)
                raise LostError(f"actor {rank}: {_reason(error)}") from None
            return ActorLink(f"actor {rank}", actor)

        links: list[Link] = [ActorLink(f"actor {rank}", actors.remote()) for rank in range(sum(seats))]
    except BaseException:
        if ours:
            ray.shutdown()
        raise
    return Crew(links, rehire, timeout, threads=each, release=ray.shutdown if ours else None)


def library() -> Any:
    """Return Ray."""
    try:
        import ray
    except ImportError:
        raise MissingLibrary("--cluster ray needs Ray: pip install 'warptour[ray]'") from None
    return ray


def _connect(address: str) -> None:
    """Join a Ray, or start one; signals stay what they were."""
    ray = library()
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        ray.init(address or os.environ.get("RAY_ADDRESS") or "auto", **quiet)
    except Exception as error:
        if address or os.environ.get("RAY_ADDRESS"):
            where = address or os.environ["RAY_ADDRESS"]
            raise UsageError(f"there is no Ray at {where}: {_reason(error)}") from None
        ray.init("local", num_cpus=usable_cores(), include_dashboard=False, **quiet)
    finally:
        if threading.current_thread() is threading.main_thread():
            for number, handler in kept.items():
                signal.signal(number, handler)


def _carried(parts: list[Part]) -> list[Part]:
    """Return parts as Ray carries them: arrays go through its shared memory."""
    return [parts[0], *(np.frombuffer(part, np.uint8) for part in parts[1:])]


def _own(parts: list[Part]) -> list[Part]:
    """Return parts in memory of their own: Ray's is read-only."""
    mine = [parts[0]]
    for part in parts[1:]:
        mine.append(room(size_of(part)))
        mine[-1][:] = memoryview(part)
    return mine


def _reason(error: Exception) -> str:
    text = str(error)
    if "No module named 'warptour'" in text:
        return "warptour is not installed where Ray starts its actors"
    lines = text.strip().splitlines() or [type(error).__name__]
    return lines[0].strip() if type(error).__name__ != "ActorDiedError" else "its actor has died"
