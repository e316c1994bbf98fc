"""``warptour doctor``: what of this machine searches use, what is missing, and how to mend it."""

from __future__ import annotations

import platform
import shutil
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from warptour._version import full_version
from warptour.cli.options import Json
from warptour.cli.show import print_json
from warptour.devices import present
from warptour.kernels import build
from warptour.kernels.cores import usable_cores
from warptour.kernels.library import variant
from warptour.model.errors import MissingLibrary
from warptour.model.memory import free_memory
from warptour.strategies.self_check import self_check_apart

EXTRAS: Final = {
    "plot": (("matplotlib",), "plots"),
    "sheets": (("openpyxl",), "spreadsheets (.xlsx)"),
    "frame": (("pandas",), "results as data frames"),
    "christofides": (("pymatching",), "--start christofides"),
    "highs": (("highspy",), "combining routes in long runs of vehicles, bounds of vehicles, proofs of optimal tours"),
    "mpi": (("mpi4py",), "--cluster mpi"),
    "ray": (("ray",), "--cluster ray"),
    "roads": (("osmium",), "driving times from OpenStreetMap extracts (--roads)"),
    "web": (("starlette", "uvicorn"), "warptour view"),
    "fpga": (("amaranth",), "hardware descriptions (warptour fpga --rtl)"),
}
"""Optional dependencies of the package but those of devices: modules, and what needs them."""

SCARCE_MEMORY, SCARCE_DISK = 1e9, 1e9
"""Bytes below which a large problem or a checkpoint may not find room."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    # "fine" or "missing" or "fault": what is missing is optional; a fault is to be mended
    state: Literal["fine", "missing", "fault"]
    about: str
    remedy: str = ""  # what to do; empty where it is fine


def doctor(as_json: Json = False) -> int:
    """Look at compiler, cores, devices, libraries, browser and disk, and say how to mend what is missing."""
    found = []
    for finding in findings():
        found.append(finding)
        if not as_json:
            remedy = f": {finding.remedy}" if finding.remedy else ""
            print(f"{finding.subject:<13} {finding.state:<8} {finding.about}{remedy}", flush=True)
    if as_json:
        print_json({"findings": [asdict(finding) for finding in found]})
    return int(any(finding.state == "fault" for finding in found))


def findings() -> Iterator[Finding]:
    """Yield all findings, the quick ones first."""
    yield Finding("warptour", "fine", f"{full_version()}, Python {platform.python_version()} on {platform.platform()}")
    library = _library()
    yield library
    yield _compiler()
    yield Finding("cores", "fine", f"{usable_cores()} usable")
    yield _memory()
    yield from _disks()
    yield _browser()
    yield from map(_extra, EXTRAS)
    if library.state == "fine":
        yield from _devices()


def _library() -> Finding:
    try:
        return Finding("library", "fine", f"built for {variant()}")
    except MissingLibrary as error:
        about, _, remedy = str(error).rpartition(": ")
        return Finding("library", "fault", about, remedy)


def _compiler() -> Finding:
    try:
        return Finding("compiler", "fine", " ".join(build.find_compiler()))
    except build.BuildError:
        remedy = "wheels need none, and a build from source fetches one; or install gcc or clang"
        return Finding("compiler", "missing", "none is installed", remedy)


def _memory() -> Finding:
    free = free_memory()
    if free < SCARCE_MEMORY:
        return Finding("memory", "fault", f"{free / 1e9:.1f} GB free", "end other programs, or solve a smaller problem")
    return Finding("memory", "fine", f"{free / 1e9:.1f} GB free")


def _disks() -> Iterator[Finding]:
    for subject, folder in (("folder", Path.cwd()), ("temporary", Path(tempfile.gettempdir()))):
        free = shutil.disk_usage(folder).free
        about = f"{free / 1e9:.1f} GB free in {folder}"
        try:
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            yield Finding(subject, "fault", f"{folder}: {error.strerror}", "write results elsewhere, with -o")
            continue
        if free < SCARCE_DISK:
            yield Finding(subject, "fault", about, "free some, or write results elsewhere, with -o")
        else:
            yield Finding(subject, "fine", about)


def _browser() -> Finding:
    try:
        return Finding("browser", "fine", getattr(webbrowser.get(), "name", "the system's"))
    except webbrowser.Error:
        return Finding("browser", "missing", "warptour view prints its address", "open it on another machine by ssh -L")


def _extra(extra: str) -> Finding:
    modules, purpose = EXTRAS[extra]
    absent = [module for module in modules if find_spec(module) is None]
    if absent:
        return Finding(extra, "missing", purpose, f"pip install 'warptour[{extra}]'")
    beside = Path(sys.executable).parent  # where pip puts it
    if extra == "mpi" and not (shutil.which("mpiexec") or shutil.which("mpiexec", path=beside)):
        return Finding(extra, "missing", "mpiexec starts ranks", "install the machine's MPI, or pip install mpich")
    return Finding(extra, "fine", purpose)


def _devices() -> Iterator[Finding]:
    """Yield each device after its self-check, and each kind that is not there."""
    devices, missing = present()
    for device in devices:
        failure = self_check_apart(device)
        if failure is None:
            yield Finding(device.name, "fine", f"{device.about().title}, passed its self-check")
        else:
            yield Finding(device.name, "fault", failure, "update its driver, or search with --device cpu")
    for sentence in missing:
        kind, _, remedy = sentence.partition(": ")
        yield Finding(kind, "missing", "a device of this kind", remedy)
