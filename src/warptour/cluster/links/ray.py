"""Crews of actors of Ray: of a running cluster, or of one that is started here for the run."""

from __future__ import annotations

import logging
import math
import os
import signal
import socket
import threading
import time
from typing import Any

from warptour.cluster.crew import TIMEOUT_SECONDS, Crew
from warptour.cluster.links.actors import ActorLink, Seat, library, reason_of
from warptour.cluster.links.link import Link, LostError
from warptour.kernels.cores import usable_cores
from warptour.model.errors import UsageError

ROOM_SECONDS = 2.0
"""How long Ray may take to note that a lost actor has left its cores."""

REACH_SECONDS = 10.0
"""How long a Ray elsewhere may take to answer."""

CALLS = 4
"""Threads for the calls of an actor: one holds the request for messages."""


def open_ray(address: str, threads: int | None, timeout: float = TIMEOUT_SECONDS) -> Crew:
    """Return a crew of as many actors as the nodes have room for.

    ``address``: Of a running Ray, ``HOST:6379`` or ``ray://HOST:10001``. If empty: what ``RAY_ADDRESS`` says, or the
        Ray that runs on this machine, or one that is started for this run.
    ``threads``: of each actor; by default as many as the smallest node has CPUs, so that equal nodes have an actor each
    ``timeout``: as for :class:`~warptour.cluster.crew.Crew`
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

        def hire(rank: int) -> ActorLink:
            return ActorLink(f"actor {rank}", actors.remote())

        def rehire(rank: int) -> ActorLink:
            until = time.perf_counter() + ROOM_SECONDS
            while ray.available_resources().get("CPU", 0) < each:
                if time.perf_counter() > until:
                    raise LostError("no node has room for another actor")
                time.sleep(ROOM_SECONDS / 20)
            return hire(rank)

        links: list[Link] = [hire(rank) for rank in range(sum(seats))]
    except BaseException:
        if ours:
            ray.shutdown()
        raise
    return Crew(links, rehire, timeout, threads=each, release=ray.shutdown if ours else None)


def check_ray(address: str) -> None:
    """Raise :class:`MissingLibrary` without Ray, and :class:`UsageError` if nobody answers at its address."""
    library()
    _require_reachable(address or os.environ.get("RAY_ADDRESS", ""))


def _connect(address: str) -> None:
    """Join a Ray, or start one; signals stay what they were."""
    ray = library()
    given = address or os.environ.get("RAY_ADDRESS", "")
    _require_reachable(given)
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        ray.init(given or "auto", **quiet)
    except Exception as error:
        if given:
            raise UsageError(
                f"Ray at {given} does not answer: {reason_of(error)}; if it wants a token, set RAY_AUTH_MODE=token"
            ) from None
        ray.init("local", num_cpus=usable_cores(), include_dashboard=False, **quiet)
    finally:
        if threading.current_thread() is threading.main_thread():
            for number, handler in kept.items():
                signal.signal(number, handler)


def _require_reachable(address: str) -> None:
    """Raise UsageError if nobody answers at ``HOST:PORT``: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise UsageError(f"there is no Ray at {address}: {error}") from None
