"""Under which conditions something was measured."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from warptour._version import full_version
from warptour.devices import Device


@dataclass(frozen=True)
class Conditions:
    """When, where and how a report was measured."""

    date: str  # time of the beginning, in UTC
    device: str  # name, product and size of the device that was asked for
    version: str  # version of warptour, with its commit if it runs from a checkout
    command: str  # command line


def conditions(device: Device, command: str) -> Conditions:
    """Return the conditions of a run that begins now."""
    about = device.about()
    units = "multiprocessors" if about.kind == "gpu" else "cores"
    return Conditions(
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"{about.name}, {about.title}, {about.units} {units}",
        f"warptour {full_version()}",
        command,
    )
