"""Outcomes of self-checks, kept on disk, so that a device is checked once for each driver and kernel text."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from warptour._version import __version__
from warptour.devices.device import Device


@dataclass(frozen=True)
class Outcome:
    """What a self-check found.

    Attributes
    ----------
    failure : str or None
        What went wrong, one line; None if the device passed.
    """

    failure: str | None


def cache_folder() -> Path | None:
    """Return where outcomes are kept: ``WARPTOUR_CACHE``, or in the user's own cache; None if the user has none.

    An empty ``WARPTOUR_CACHE`` means nowhere. A folder for temporary files, which others share, is never used.
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
    """Return a hash of all that an outcome depends on: the device, its driver and the texts of the kernels."""
    parts = [__version__, device.name, device.about().title, device.provenance()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def load_outcome(key: str) -> Outcome | None:
    """Return the outcome kept under ``key``; None if there is none that can be read."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        facts = json.loads((folder / f"check-{key}.json").read_text(encoding="utf-8"))
        failure = facts["failure"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Outcome(failure) if failure is None or isinstance(failure, str) else None


def save_outcome(key: str, device: Device, outcome: Outcome) -> None:
    """Keep ``outcome`` under ``key``; where nothing can be written, nothing is kept."""
    folder = cache_folder()
    if folder is None:
        return
    facts = {"device": device.name, "title": device.about().title, "failure": outcome.failure}
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        number, aside = tempfile.mkstemp(dir=folder, suffix=".part")
        try:
            with open(number, "w", encoding="utf-8") as file:
                json.dump(facts, file)
            os.replace(aside, folder / f"check-{key}.json")
        except OSError:
            os.unlink(aside)
            raise
