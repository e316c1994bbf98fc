"""Discovery of devices, and their selection by name."""

from __future__ import annotations

from collections.abc import Sequence

from warptour.devices.cpu import Cpu
from warptour.devices.device import Device, DeviceError


def present(threads: int | None = None) -> tuple[list[Device], list[str]]:
    """Return all devices, the CPU first, and an installation hint for each unavailable kind.

    Parameters
    ----------
    threads : int, optional
        Number of CPU threads; by default the number of cores usable by this process.
    """
    from warptour.devices import cuda, opencl

    found: list[Device] = [Cpu(threads)]
    missing = []
    for kind in (cuda, opencl):
        devices, sentence = kind.find_all()
        found.extend(devices)
        if sentence is not None:
            missing.append(sentence)
    return found, missing


def find(name: str = "auto", threads: int | None = None) -> Device:
    """Return the device called ``name``.

    Parameters
    ----------
    name : str
        ``cpu``, ``cuda:0``, ``opencl:0`` and so on; ``cuda`` and ``opencl`` select the first of their kind, ``auto``
        the first CUDA device, or the CPU if there is none.
    threads : int, optional
        Number of CPU threads.

    Raises
    ------
    DeviceError
        If there is no such device; the message lists the available ones and what to install.
    """
    return candidates(name, threads)[0]


def find_several(names: str | Sequence[str], threads: int | None = None) -> list[Device]:
    """Return several devices, given as a list of names or separated by commas; one named twice counts as two.

    ``all`` is every GPU and the CPU: no OpenCL device that is the CPU again, or a GPU that CUDA has already.
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
    cuda = any(device.backend == "cuda" for device in found)
    return [
        *(device for device in found if not device.is_host and device.about().kind == "gpu"
          and not (cuda and device.backend == "opencl" and "NVIDIA" in device.about().title)),
        found[0],
    ]  # fmt: skip


def candidates(name: str = "auto", threads: int | None = None) -> list[Device]:
    """Return the devices that ``name`` matches, best first: one, or for ``auto`` all CUDA devices and then the CPU.

    Parameters and errors are those of :func:`find`.
    """
    if name == "cpu":
        return [Cpu(threads)]
    kind, _, number = name.partition(":")
    if name != "auto" and (kind not in ("cuda", "opencl") or not (number.isdigit() or number == "")):
        raise DeviceError(f"unknown device {name!r}: give auto, cpu, cuda:N or opencl:N; `warptour devices` lists them")
    found, missing = _of_kind("cuda" if name == "auto" else kind)
    if name == "auto":
        return [*found, Cpu(threads)]
    index = int(number or 0)
    if index < len(found):
        return [found[index]]
    names = " and ".join(device.name for device in found)
    there = f"of its kind there is {names}" if found else missing or "there is none of its kind"
    raise DeviceError(f"no device {name}; {there}")


def _of_kind(kind: str) -> tuple[list[Device], str | None]:
    from warptour.devices import cuda, opencl

    devices, sentence = cuda.find_all() if kind == "cuda" else opencl.find_all()
    return list(devices), sentence
