"""The roads of an extract, ready to be asked: its network and hierarchy, built once and kept beside the extract."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cached_property
from os import PathLike, fspath
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.model.errors import InputError
from warptour.roads.extract import Report, read_extract
from warptour.roads.hierarchy import Hierarchy, Upward, contract
from warptour.roads.network import Int32s, Network, network_of
from warptour.roads.profile import Profile, profile_of
from warptour.roads.snap import SnapIndex

VERSION: Final = 1
"""Version of the kept file; another is built again."""
SUFFIX: Final = ".roads"

Note = Callable[[str], None]
"""Is told a line about something that may surprise."""


@dataclass(frozen=True)
class Roads:
    """The roads of an extract for one profile."""

    path: str  # the extract
    profile: Profile
    network: Network
    arcs: Int32s  # which arc of the network each of the hierarchy's own arcs is
    hierarchy: Hierarchy

    @cached_property
    def index(self) -> SnapIndex:
        """Pieces of streets, for the nearest one."""
        return SnapIndex(self.network)


def open_roads(
    extract: str | PathLike[str], profile: str = "car", *, report: Report | None = None, note: Note | None = None
) -> Roads:
    """Return the roads of an extract: those kept beside it if they are of the same file, or else built and kept.

    Raises
    ------
    InputError
        If the file is no extract, or has no way for this profile.
    UsageError
        If there is no such profile.
    MissingLibrary
        If roads have to be built, and osmium is not installed.
    """
    name, rules = fspath(extract), profile_of(profile)
    if not os.path.isfile(name):
        raise InputError("there is no such file", name)
    with open(name, "rb") as file:
        digest = hashlib.file_digest(file, "blake2b").hexdigest()
    kept = f"{name}.{rules.name}{SUFFIX}"
    header = {"version": VERSION, "extract": digest, "profile": rules.digest}
    found, reason = _load(kept, header)
    if found is not None:
        return Roads(name, rules, *found)
    if reason and note is not None:
        note(f"{kept} {reason}; it is built again")
    network = network_of(read_extract(name, rules, report))
    arcs = _simple(network)
    hierarchy = contract(
        network.vertices, network.tails[arcs], network.heads[network.ways[arcs]],
        network.costs[network.ways[arcs]], report,
    )  # fmt: skip
    try:
        _keep(kept, header, _arrays(network, arcs, hierarchy))
    except OSError as error:
        if note is not None:
            note(f"{kept} cannot be written: {error.strerror or error}; the roads are built again each time")
    return Roads(name, rules, network, arcs, hierarchy)


def _simple(network: Network) -> Int32s:
    """Return the arcs without loops, the best one of those with the same ends."""
    heads, costs = network.heads[network.ways], network.costs[network.ways]
    order = np.lexsort((costs, heads, network.tails))
    tails, heads = network.tails[order], heads[order]
    fresh = np.concatenate(([True], (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])))
    return np.asarray(order[fresh & (tails != heads)], np.int32)


def _arrays(network: Network, arcs: Int32s, hierarchy: Hierarchy) -> dict[str, NDArray[Any]]:
    """Return all arrays of the kept file, by name."""
    found = {f"network.{part.name}": np.asarray(getattr(network, part.name)) for part in fields(network)}
    found |= {"arcs": arcs, "number": hierarchy.number, "left": hierarchy.left, "right": hierarchy.right}
    for name in ("up", "down"):
        upward = getattr(hierarchy, name)
        found |= {f"{name}.{part.name}": getattr(upward, part.name) for part in fields(upward)}
    return found


def _keep(path: str, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
    """Write a file beside the extract that is either whole or not there."""
    folder = os.path.dirname(os.path.abspath(path))
    handle, partial = tempfile.mkstemp(prefix=os.path.basename(path), suffix=".partial", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, header=np.frombuffer(json.dumps(header).encode(), np.uint8), **arrays)  # type: ignore[arg-type]
        os.chmod(partial, 0o644)
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise


def _load(path: str, header: dict[str, Any]) -> tuple[tuple[Network, Int32s, Hierarchy] | None, str]:
    """Return the roads in a kept file, or why they are not used; nothing where there is no file."""
    if not os.path.exists(path):
        return None, ""
    try:
        with open(path, "rb") as data, np.load(data, allow_pickle=False) as file:
            own = json.loads(file["header"].tobytes())
            if own.get("version") != VERSION:
                return None, f"is of version {own.get('version')}, and this one writes {VERSION}"
            if own.get("extract") != header["extract"]:
                return None, "is of another extract"
            if own.get("profile") != header["profile"]:
                return None, "is of another profile"
            parts: dict[str, Any] = {part.name: file[f"network.{part.name}"] for part in fields(Network)}
            network = Network(**parts | {"vertices": int(parts["vertices"])})
            up, down = (Upward(*(file[f"{name}.{part.name}"] for part in fields(Upward))) for name in ("up", "down"))
            return (network, file["arcs"], Hierarchy(file["number"], up, down, file["left"], file["right"])), ""
    except (OSError, ValueError, KeyError, AttributeError, EOFError, zipfile.BadZipFile):
        return None, "is damaged"
