"""Opening a crew by its name: ``local:4``, ``mpi``, ``ray`` or ``ray:ADDRESS``."""

from __future__ import annotations

import math
import os

from warptour.cluster.crew import TIMEOUT_SECONDS, Crew
from warptour.cluster.links import local, mpi, ray
from warptour.kernels.cores import MAX_THREADS, usable_cores
from warptour.model.errors import UsageError

KINDS = "local", "mpi", "ray"


def open_cluster(cluster: str, threads: int | None = None) -> Crew:
    """Return the crew that ``cluster`` means, once all its members have answered; ``Crew.threads`` tells theirs.

    ``cluster``: ``local:K``: K processes of this machine; ``local``: one for every two cores. ``mpi``: the ranks of
        this job, the first of which coordinates and works too. ``ray`` or ``ray:ADDRESS``: actors of Ray.
    ``threads``: of each member; by default such that all members together use every core once

    Raises :class:`UsageError` if there is no such cluster, or its members have another version of warptour, and
    :class:`LostError` if a member does not start.
    """
    kind, place = split(cluster)
    timeout = timeout_seconds()
    if kind == "local":
        count = process_count(place)
        crew = local.open_local(count, threads or max(1, usable_cores() // count), timeout)
    elif kind == "mpi":
        crew = mpi.open_mpi(threads, timeout)
    else:
        crew = ray.open_ray(place, threads, timeout)
    try:
        crew.gather()
    except BaseException:
        crew.close()
        raise
    return crew


def split(cluster: str) -> tuple[str, str]:
    """Return the two parts of a cluster's name, such as ``("local", "4")``; the second may be empty."""
    kind, _, place = cluster.partition(":") if isinstance(cluster, str) else ("", "", "")
    if kind not in KINDS or (kind == "mpi" and place):
        raise UsageError(f"unknown cluster {cluster!r}; there are local:4 (processes), mpi, ray and ray:ADDRESS")
    if kind == "local":
        process_count(place)
    return kind, place


def process_count(place: str) -> int:
    """Return the number of processes that ``local:place`` means."""
    if place == "":
        return max(2, usable_cores() // 2)
    if not place.isdecimal() or not 1 <= int(place) <= MAX_THREADS:
        raise UsageError(f"local:{place} names no number of processes, 1 to {MAX_THREADS}; try local:4")
    return int(place)


def timeout_seconds() -> float:
    """Return the seconds of silence after which a member is lost: ``WARPTOUR_TIMEOUT``, or 60."""
    text = os.environ.get("WARPTOUR_TIMEOUT", "") or str(TIMEOUT_SECONDS)
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise UsageError(f"WARPTOUR_TIMEOUT={text} is not a number of seconds")
    return seconds
