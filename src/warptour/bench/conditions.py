"""Under which conditions something was measured."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from warptour._version import __version__
from warptour.devices import Device


@dataclass(frozen=True)
class Conditions:
    """When, where and how a report was measured.

    Attributes
    ----------
    date : str
        Time of the beginning, in UTC.
    device : str
        Name, product and size of the device that was asked for.
    version : str
        Version of warptour, with its commit if it runs from a checkout.
    command : str
        Command line.
    """

    date: str
    device: str
    version: str
    command: str


def conditions(device: Device, command: str) -> Conditions:
    """Return the conditions of a run that begins now."""
    about = device.about()
    units = "multiprocessors" if about.kind == "gpu" else "cores"
    at = commit()
    return Conditions(
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"{about.name}, {about.title}, {about.units} {units}",
        f"warptour {__version__}" + (f", commit {at}" if at else ""),
        command,
    )


def commit() -> str | None:
    """Return the commit of the checkout that this file is in, with a note if it was changed; None without one."""

    def git(*words: str) -> str | None:
        try:
            done = subprocess.run(["git", *words], cwd=here.parent, capture_output=True, text=True, check=False)
        except OSError:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    here = Path(__file__).resolve()
    if git("ls-files", "--error-unmatch", here.name) is None:  # installed into some other project's checkout
        return None
    at = git("rev-parse", "--short", "HEAD")
    return at and at + (" with changes" if git("status", "--porcelain", "--untracked-files=no") else "")
