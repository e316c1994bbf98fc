"""``warptour devices``: the available devices, and what to install for others."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from warptour.cli.failure import complain
from warptour.cli.options import CpuThreads, Json
from warptour.cli.show import print_json
from warptour.devices import About, Device, DeviceError, present
from warptour.devices.measure import Throughput, measure
from warptour.model.option import Option
from warptour.strategies.self_check import self_check_apart


def devices(
    measured: Annotated[bool, Option("Measure arithmetic by vector width.", "--measure")] = False,
    verbose: Annotated[bool, Option("List vendor, driver, memories and widths, as FlopsCL does.", "--verbose")] = False,
    threads: CpuThreads = None,
    as_json: Json = False,
) -> int:
    """List the devices that searches can run on."""
    found, missing = present(threads)
    if as_json:
        print_json({"devices": [_facts(device, measured, verbose) for device in found], "missing": missing})
        return 0
    for device in found:
        about = device.about()
        print(f"{about.name:<10} {about.title}")
        print(f"{'':<10} {_line(about)}")
        if verbose:
            for heading, value in device.details().items():
                print(f"{'':<10} {heading + ':':<17} {value}")
        failure = self_check_apart(device)
        print(f"{'':<10} " + ("passed its self-check" if failure is None else f"NOT USED: {failure}"), flush=True)
        if measured and failure is None:
            _show(device)
    for sentence in missing:
        complain(sentence)
    return 0


def _facts(device: Device, measured: bool, verbose: bool) -> dict[str, Any]:
    failure = self_check_apart(device)
    facts = asdict(device.about()) | {"usable": failure is None, "failure": failure}
    facts |= {"details": device.details()} if verbose else {}
    return facts | asdict(measure(device)) if measured and failure is None else facts


def _line(about: About) -> str:
    words = [f"{about.memory / 1e9:.0f} GB", f"{about.units} {'cores' if about.kind == 'cpu' else 'multiprocessors'}"]
    if about.clock:
        words.append(f"{about.clock / 1000:.2f} GHz")
    if about.local_memory:
        words.append(f"{about.local_memory // 1024} KB of fast memory a group")
    if about.peak:
        words.append(f"{about.peak / 1e12:.1f} TFLOP/s")
    if about.roots:
        words.append(f"{about.roots / 1e12:.2f}e12 roots/s")
    return ", ".join(words)


def _show(device: Device) -> None:
    try:
        rates: Throughput = measure(device)
    except DeviceError as error:
        print(f"{'':<10} {error}")
        return
    for width, rate in rates.operations.items():
        roots = rates.roots[width] / 1e9
        print(f"{'':<10} {width:>3} wide: {rate / 1e9:>10,.1f} GFLOP/s {roots:>10,.1f}e9 roots/s")
