"""Lets the tests of kernels import what they share, and gives them an OpenCL device."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from warptour.devices import Device, DeviceError, find

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def opencl(skip_without: Callable[[str, str], None]) -> Device:
    """PoCL where there is one, so that the same compiler is tested everywhere; else the first device."""
    from warptour.devices.opencl import find_all

    devices, _ = find_all()
    for device in devices:
        if device.platform == "Portable Computing Language":
            return device
    try:
        return find("opencl")
    except DeviceError as error:
        skip_without("opencl", str(error))
        raise
