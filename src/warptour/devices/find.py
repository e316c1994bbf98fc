"""Discovery of devices, and their selection by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, cast

from warptour.devices.cpu import Cpu
from warptour.devices.device import Device, DeviceError


@dataclass(frozen=True)
class Backend:
    """A kind of device besides the CPU; its module here, named as it is, has ``find_all``."""

    kind: str  # the module's class
    library: str  # the Python package that drives it, and whose exceptions mean that it failed
    automatic: bool = False  # whether ``auto`` takes it
    # the word in titles of GPUs that ``all`` leaves to this backend where others have them, too
    maker: str | None = None


BACKENDS: Final = {
    "cuda": Backend("Cuda", "cupy", automatic=True, maker="NVIDIA"),
    "opencl": Backend("OpenCL", "pyopencl"),
}
"""Backends by name, the preferred first; kernels for them begin with ``common/prelude_NAME.h``."""


def kind_of(name: str) -> type[Device]:
    """Return the class of a backend's devices."""
    return cast(type[Device], getattr(_module(name), BACKENDS[name].kind))


def everywhere() -> tuple[str, ...]:
    """Return all backends, the CPU last."""
    return (*BACKENDS, Cpu.backend)


def host_first() -> tuple[str, ...]:
    """Return all backends, the CPU first."""
    return (Cpu.backend, *BACKENDS)


def present(threads: int | None = None) -> tuple[list[Device], list[str]]:
    """Return all devices, the CPU first, and an installation hint for each unavailable kind.

    ``threads``: number of CPU threads; by default the number of cores usable by this process
    """
    found: list[Device] = [Cpu(threads)]
    missing = []
    for name in BACKENDS:
        devices, sentence = _of_kind(name)
        found.extend(devices)
        if sentence is not None:
            missing.append(sentence)
    return found, missing


def find(name: str = "auto", threads: int | None = None) -> Device:
    """Return the device called ``name``.

    ``name``: ``cpu``, ``cuda:0``, ``opencl:0`` and so on; ``cuda`` and ``opencl`` select the first of their kind,
        ``auto`` the first of an automatic kind (CUDA), or the CPU if there is none
    ``threads``: number of CPU threads

    Raises :class:`DeviceError` if there is no such device; the message lists the available ones and what to install.
    """
    return candidates(name, threads)[0]


def find_several(names: str | Sequence[str], threads: int | None = None) -> list[Device]:
    """Return several devices, given as a list of names or separated by commas; one named twice counts as two.

    ``all`` is every GPU and the CPU: no device that is the CPU again, or a GPU that CUDA has already.
    Errors are those of :func:`find`.
    """
    wanted = names.split(",") if isinstance(names, str) else list(names)
    wanted = [name.strip() for name in wanted]
    if wanted == ["all"]:
        return _all(threads)
    if "all" in wanted or ("auto" in wanted and len(wanted) > 1):
        raise DeviceError(f"{'all' if 'all' in wanted else 'auto'} stands alone, not in a list of devices")
    if not wanted:
        raise DeviceError("a list of devices has at least one name, such as cpu")
    devices: list[Device] = []
    for name in wanted:
        device = find(name, threads)
        if device.name in {other.name for other in devices}:
            device = device.apart() or device
        devices.append(device)
    return devices


def _all(threads: int | None) -> list[Device]:
    found, _ = present(threads)
    gpus = [device for device in found if not device.is_host and device.about().kind == "gpu"]

    def is_listed_twice(device: Device) -> bool:
        makers = {BACKENDS[other.backend].maker for other in gpus if other.backend != device.backend}
        return any(maker and maker in device.about().title for maker in makers)

    return [*(device for device in gpus if not is_listed_twice(device)), found[0]]


def candidates(name: str = "auto", threads: int | None = None) -> list[Device]:
    """Return the devices that ``name`` matches, best first: one, or for ``auto`` the automatic ones and the CPU.

    Parameters and errors are those of :func:`find`.
    """
    if name == "cpu":
        return [Cpu(threads)]
    kind, _, number = name.partition(":")
    if name == "auto":
        return [
            *(device for kind, facts in BACKENDS.items() if facts.automatic for device in _of_kind(kind)[0]),
            Cpu(threads),
        ]
    if kind not in BACKENDS or not (number.isdigit() or number == ""):
        *words, word = ["auto", "cpu", *(f"{kind}:N" for kind in BACKENDS)]
        raise DeviceError(f"unknown device {name!r}: give {', '.join(words)} or {word}; `warptour devices` lists them")
    found, missing = _of_kind(kind)
    index = int(number or 0)
    if index < len(found):
        return [found[index]]
    names = " and ".join(device.name for device in found)
    there = f"of its kind there is {names}" if found else missing or "there is none of its kind"
    raise DeviceError(f"no device {name}; {there}")


def _of_kind(name: str) -> tuple[list[Device], str | None]:
    devices, sentence = _module(name).find_all()
    return list(devices), sentence


def _module(name: str) -> Any:
    return import_module(f"warptour.devices.{name}")
