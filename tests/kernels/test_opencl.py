"""Every kernel text compiles for OpenCL."""

from __future__ import annotations

import pytest

from warptour.devices import Device, DeviceError
from warptour.devices.text import by_metric, names

pytestmark = pytest.mark.compiles


@pytest.mark.parametrize("name", names())
def test_the_text_compiles(opencl: Device, name: str) -> None:
    opencl.build(name, "any" if by_metric(name) else None)


def test_a_text_that_does_not_compile_is_one_sentence(opencl: Device) -> None:
    with pytest.raises(DeviceError, match=r"opencl:\d+: kernel lanes does not compile: .*error"):
        opencl.build("lanes", REAL="nonsense")
