"""Tables of a server, asked for in blocks within its limits; answers are kept on disk for a week."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from warptour.model.metric import Floats
from warptour.roads.extract import Report
from warptour.roads.network import Int64s
from warptour.roads.requests import Server, TooLarge

Block: TypeAlias = tuple[Floats, Floats]
"""Distances in metres and durations in seconds; not a number where no way leads."""
Fetch: TypeAlias = Callable[[Floats, Floats], Block]
"""Asks for the block from some places to others, latitudes and longitudes."""

PLACES: Final = 50
"""Rows and columns of a block at first: OSRM takes 100 places by default, Valhalla 2,500 pairs."""
LASTS: Final = 7 * 24 * 3600
"""Seconds for which an answer is kept."""


def table_in_blocks(server: Server, service: str, places: Floats, fetch: Fetch, report: Report | None) -> Block:
    """Return distances and durations between all places; ``service`` says what is asked beside the places.

    Blocks become smaller until the server takes them.
    """
    n, size, begin = len(places), PLACES, 0
    distances, durations = np.zeros((n, n)), np.zeros((n, n))
    keys = f"{server.name} {server.url} {service}"
    while begin < n:
        rows = slice(begin, begin + size)
        try:
            for first in range(0, n, size):
                columns = slice(first, first + size)
                block = _kept(keys, places[rows], places[columns], fetch)
                distances[rows, columns], durations[rows, columns] = block
        except TooLarge:
            if size == 1:
                raise server.fault("takes not even two places in a request") from None
            size //= 2
            continue
        begin += size
        if report is not None:
            report(f"asking {server.name}", min(begin, n), n)
    return distances, durations


def _kept(keys: str, sources: Floats, targets: Floats, fetch: Fetch) -> Block:
    """Return a block that is kept, or fetch and keep it."""
    digest = hashlib.sha256(keys.encode())
    for places in (sources, targets):
        digest.update(str(places.shape).encode() + places.astype("<f8").tobytes())
    path = cache_folder() / f"{digest.hexdigest()[:40]}.npz"
    shape = len(sources), len(targets)
    with suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        if time.time() - path.stat().st_mtime < LASTS:
            with open(path, "rb") as data, np.load(data, allow_pickle=False) as file:
                block = file["distances"], file["durations"]
            if all(part.shape == shape and part.dtype == np.float64 for part in block):
                return block
    block = fetch(sources, targets)
    with suppress(OSError):  # a cache that cannot be written costs time alone
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, partial = tempfile.mkstemp(prefix=path.name, dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as out:
                np.savez(out, distances=block[0], durations=block[1])
            os.replace(partial, path)
        except BaseException:
            os.unlink(partial)
            raise
    return block


def cache_folder() -> Path:
    """Return where answers are kept."""
    folder = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(folder) / "warptour" / "tables"


def whole(block: Block) -> tuple[Int64s, Int64s]:
    """Return distances and durations as integers."""
    return np.rint(block[0]).astype(np.int64), np.rint(block[1]).astype(np.int64)
