"""Facts about a device cached on disk: the result of its self-check, once per driver and kernel version."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warptour._version import __version__
from warptour.devices.device import Device


@dataclass(frozen=True)
class Outcome:
    """Result of a self-check."""

    failure: str | None  # one line on what failed; None if the device passed


def cache_folder() -> Path | None:
    """Return the cache folder: ``WARPTOUR_CACHE``, or a folder in the user's cache; None if there is none.

    An empty ``WARPTOUR_CACHE`` disables the cache. Shared temporary folders are never used.
    """
    if (chosen := os.environ.get("WARPTOUR_CACHE")) is not None:
        return Path(chosen) if chosen else None
    if sys.platform == "win32":
        folders = [os.environ.get("LOCALAPPDATA")]
    else:
        home = os.environ.get("HOME")
        folders = [os.environ.get("XDG_CACHE_HOME"), home and os.path.join(home, ".cache")]
    folder = next((Path(folder) for folder in folders if folder and os.path.isabs(folder)), None)
    return None if folder is None else folder / "warptour"


def outcome_key(device: Device) -> str:
    """Return a hash of everything a result depends on: package version, device, driver and kernel sources."""
    parts = [__version__, device.name, device.about().title, device.provenance()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def load_outcome(key: str) -> Outcome | None:
    """Return the result cached under ``key``; None if missing or unreadable."""
    facts = load_facts(f"check-{key}")
    if facts is None or "failure" not in facts:
        return None
    failure = facts["failure"]
    return Outcome(failure) if failure is None or isinstance(failure, str) else None


def save_outcome(key: str, device: Device, outcome: Outcome) -> None:
    """Cache ``outcome`` under ``key``; write errors are ignored."""
    save_facts(f"check-{key}", {"device": device.name, "title": device.about().title, "failure": outcome.failure})


def load_facts(name: str) -> dict[str, Any] | None:
    """Return the object cached as ``name``; None if missing or unreadable."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


def save_facts(name: str, facts: dict[str, Any]) -> None:
    """Cache an object as ``name``, in one step; write errors are ignored."""
    folder = cache_folder()
    if folder is None:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, aside = tempfile.mkstemp(dir=folder, suffix=".part")
        try:
            with open(number, "w", encoding="utf-8") as file:
                json.dump(facts, file)
            os.replace(aside, folder / f"{name}.json")
        except OSError:
            os.unlink(aside)
            raise
