"""Where a strategy searches: devices by name, checked."""

from __future__ import annotations

from collections.abc import Sequence

from warptour.devices import Device, find_several
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.strategy import Strategy
from warptour.strategies.self_check import require_sound, sound_device


def choose_devices(
    names: str | Sequence[str], strategy: Strategy, problem: TSP | VRP, threads: int
) -> tuple[list[Device], list[str]]:
    """Return the devices that ``names`` means for ``strategy`` and ``problem``, and why others are passed over.

    ``auto`` and ``all`` pass over devices, ``all`` those that the strategy does not run on.
    """
    if not isinstance(names, str) and not (
        isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
    ):
        raise UsageError(f"a device is a name such as 'cpu' or 'cuda:0', or a list of names, not {names!r}")
    kinds = ("cpu",) if problem.asymmetric else strategy.runs_on(problem)
    if names == "auto":
        device, passed_over = sound_device("cpu" if kinds[0] == "cpu" else "auto", threads, kinds)
        return [device], passed_over
    devices: list[Device] = []
    faults: list[str] = []
    for device in find_several(names, threads):
        if device.backend in kinds:
            require_sound(device)
            devices.append(device)
            continue
        fault = f"{strategy.name} runs {problem.name} on {' or '.join(kinds)} only, not on {device.name}"
        if names != "all":
            raise UnsupportedError(fault)
        faults.append(fault)
    return devices, faults
