"""What was measured for a paper, and under which conditions."""

from __future__ import annotations

import math
import subprocess
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from warptour._version import __version__
from warptour.bench import Row
from warptour.devices import Device
from warptour.papers.exhibit import Exhibit
from warptour.papers.paper import Paper


@dataclass
class Table:
    """The rows of an exhibit. ``gap``: why rows are missing; empty if none are."""

    exhibit: Exhibit
    rows: list[Row] = field(default_factory=list)
    gap: str = ""


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


@dataclass
class Report:
    """The tables of a paper that were measured in one run."""

    paper: Paper
    conditions: Conditions
    tables: list[Table] = field(default_factory=list)

    def records(self) -> list[dict[str, Any]]:
        """Return all rows with the name of their exhibit; what is not finite becomes None."""
        return [record(row) | {"exhibit": table.exhibit.name} for table in self.tables for row in table.rows]


def record(row: Row) -> dict[str, Any]:
    """Return the fields of a row; what is not finite becomes None."""
    fields = asdict(row)
    odd = [name for name, value in fields.items() if isinstance(value, float) and not math.isfinite(value)]
    return fields | dict.fromkeys(odd)


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
