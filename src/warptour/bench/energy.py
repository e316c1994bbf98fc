"""Energy counters: NVML of an NVIDIA GPU, RAPL of the CPU."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from warptour.devices import Device
from warptour.model.errors import UnsupportedError

POWERCAP: Final = Path("/sys/class/powercap")
"""Where Linux shows RAPL's counters, one folder per package."""

NVML: Final = "libnvidia-ml.so.1"

METHOD: Final = (
    "joules of the whole GPU board by NVML's counter, or of all CPU packages by RAPL's, over seconds of nothing but "
    "these moves, idle power included; a GPU's host is not counted, and whatever else runs is"
)
"""How energy is measured, in words."""


class Meter(Protocol):
    """A counter of energy."""

    def joules(self) -> float:
        """Return the energy used since the meter was made."""


def meter_for(device: Device) -> Meter:
    """Return the energy counter of a device.

    Raises :class:`UnsupportedError` if there is none that can be read; one line on why.
    """
    if device.backend == "cuda":
        return Nvml(device.pci_bus_id())  # type: ignore[attr-defined]
    if device.about().kind == "cpu":
        return Rapl(packages(POWERCAP))
    raise UnsupportedError(f"{device.name}: energy is read by NVML of CUDA devices and by RAPL of CPUs alone")


@dataclass
class _Package:
    """RAPL's counter of one package, which begins again at 0 after ``range`` microjoules."""

    file: Path
    range: int
    last: int
    used: int = 0

    def read(self) -> int:
        """Return the microjoules used since the object was made; reads must not be minutes apart."""
        now = int(self.file.read_text(encoding="ascii"))
        self.used += (now - self.last) % (self.range + 1)
        self.last = now
        return self.used


class Rapl:
    """All packages of the CPU."""

    def __init__(self, found: list[_Package]) -> None:
        self._packages = found

    def joules(self) -> float:
        """Return the energy used since the meter was made."""
        return sum(package.read() for package in self._packages) / 1e6


def packages(folder: Path) -> list[_Package]:
    """Return the counters of all packages below a folder."""
    found = []
    for place in sorted(folder.glob("intel-rapl:*")):
        if place.name.count(":") > 1:  # a part of a package
            continue
        file = place / "energy_uj"
        try:
            most = int((place / "max_energy_range_uj").read_text(encoding="ascii"))
            found.append(_Package(file, most, int(file.read_text(encoding="ascii"))))
        except (OSError, ValueError) as error:
            raise UnsupportedError(f"cpu: no energy, since {file} cannot be read: {error}") from None
    if not found:
        raise UnsupportedError(
            f"cpu: no energy, since there is no RAPL counter in {folder}, as in most virtual machines"
        )
    return found


class Nvml:
    """The board of one GPU.

    ``bus``: PCI bus number of the GPU, as CUDA gives it
    """

    def __init__(self, bus: str, load: Callable[[str], Any] = ctypes.CDLL) -> None:
        try:
            self._library = load(NVML)
        except OSError as error:
            raise UnsupportedError(
                f"cuda: no energy, since {NVML} of NVIDIA's driver cannot be loaded: {error}"
            ) from None
        self._handle = ctypes.c_void_p()
        self._call("nvmlInit_v2")
        self._call("nvmlDeviceGetHandleByPciBusId_v2", bus.encode(), ctypes.byref(self._handle))
        self._first = 0.0
        self._first = self.joules()

    def joules(self) -> float:
        """Return the energy used since the meter was made."""
        count = ctypes.c_ulonglong()
        self._call("nvmlDeviceGetTotalEnergyConsumption", self._handle, ctypes.byref(count))
        return count.value / 1e3 - self._first

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code != 0:
            raise UnsupportedError(f"cuda: no energy, since {name} of NVML failed with code {code}")
