"""Why tests are skipped: for want of something that ``--require`` can demand, or on a machine where they cannot run."""

from __future__ import annotations

import re
from typing import Final

WANTS: Final = {
    "cuda": r"no device cuda",
    "opencl": r"no device opencl",
    "nvrtc": r"no NVRTC",
    "data": r"no public instances",
    "instances": r"no \S+( among the public instances)?$",
    "browser": r"needs (Chromium|Playwright)",
    "mpi": r"needs mpi4py",
    "ray": r"could not import 'ray'",
    "pymatching": r"PyMatching is not installed",
    "verilator": r"needs Verilator",
    "yosys": r"needs Yosys",
    "golden": r"no golden run",
    "compiler": r"no C compiler|this compiler has no",
    "index": r"no package index",
    "dev": r"could not import|[\w ,-]+ is not installed|needs (Starlette|uvicorn)",
}
"""What may be demanded, and how the reason of a test begins that is skipped without it; the first that fits counts."""

ELSEWHERE: Final = (
    r"needs (/proc|a device that is always full|a shell script as browser|ulimit|taskset|locks|names of open files)"
    r"|Windows |the (wheel and the )?layout of the environment|counts threads as Linux lists them"
    r"|there is no actionlint in the index|threads take turns on one core|33,000 cities do not fit"
)
"""Reasons that no installation mends."""


def want(reason: str) -> str | None:
    """Return what a skipped test wants, an empty string if nothing mends it, or None if the reason is unknown."""
    reason = reason.removeprefix("Skipped: ")
    for name, beginning in WANTS.items():
        if re.match(beginning, reason):
            return name
    return "" if re.match(ELSEWHERE, reason) else None


def verdict(reason: str, required: list[str]) -> str | None:
    """Return why a skipped test fails, or None if it may be skipped. Where something is required, reasons are known."""
    wanted = want(reason)
    if not required or wanted == "" or (wanted is not None and wanted not in required):
        return None
    if wanted is None:
        return f"skipped for a reason that tests/requirements.py does not know: {reason}"
    return f"--require {wanted}: {reason}"
