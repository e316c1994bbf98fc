"""Hardware counters of the kernels of Schulz (2011), tables 1 to 4, by NVIDIA's profiler ``ncu``.

``python benchmarks/counters.py`` starts itself under ``ncu``, which may need the rights of an administrator, and writes
``counters.json``, which ``warptour reproduce schulz table-1`` shows beside the paper's values. Every kernel is launched
once, at 399 nodes, after the block sizes have been chosen.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from warptour.bench.conditions import conditions
from warptour.devices import find
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.exhibits.counters import STORED, TABLES
from warptour.papers.schulz.exhibits.instances import case_of
from warptour.papers.schulz.printed import KERNEL_NODES

METRICS: Final = {
    "ms": ("gpu__time_duration.sum",),
    "counted occupancy": ("sm__warps_active.avg.pct_of_peak_sustained_active",),
    "bandwidth": ("dram__bytes.sum.per_second",),
    "L1 hits": ("l1tex__t_sector_hit_rate.pct",),
    "local accesses": (
        "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
        "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    ),
    "divergent branches": ("smsp__sass_branch_targets_threads_divergent.sum",),
    "active lanes": ("smsp__thread_inst_executed_per_inst_executed.ratio",),
}
"""The profiler's counters that make up each value; their sum counts."""

SCALE: Final = {"ms": 1e-6, "counted occupancy": 0.01, "bandwidth": 1e-9}
"""From the profiler's base units: nanoseconds, percent and bytes per second."""

PER_UNIT: Final = ("local accesses", "divergent branches")
"""Counts that are divided by the number of multiprocessors."""


def launched(file: str) -> None:
    """Launch each kernel once where the profiler looks, and write their order and the conditions to a file."""
    device, case = find("cuda"), case_of(KERNEL_NODES)
    runtime = device.cupy.cuda.runtime  # type: ignore[attr-defined]
    names = []
    for number, (version, printed) in TABLES.items():
        engine = FitnessEngine(case.instance, device, version, 3 if "3-opt cost" in printed else 2)
        engine.load(case.start)
        launches = engine.launches()
        for name in printed:
            device.synchronise()
            runtime.profilerStart()
            launches[name]()
            device.synchronise()
            runtime.profilerStop()
            names.append((number, name))
    at = conditions(device, "python benchmarks/counters.py")
    about = {"date": at.date, "version": at.version, "units": device.about().units, "instance": case.name}
    Path(file).write_text(json.dumps({"names": names, "about": about, "title": device.about().title}))


def profiled(folder: Path) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return what the launches tell of themselves, and the profiler's row for each."""
    told, log = folder / "launches.json", folder / "log.csv"
    names = [name for group in METRICS.values() for name in group]
    command = [
        "ncu", "--profile-from-start", "off", "--clock-control", "none", "--csv", "--page", "raw", "--print-units",
        "base", "--metrics", ",".join(names), "--log-file", str(log), sys.executable, __file__, "--launch", str(told),
    ]  # fmt: skip
    done = subprocess.run(command, env=os.environ | {"PYTHONUNBUFFERED": "1"}, check=False)
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    if done.returncode or not told.exists():
        sys.exit(f"ncu ended with {done.returncode}: {text[-2000:]}")
    return json.loads(told.read_text()), list(table(text))


def table(text: str) -> Iterator[dict[str, str]]:
    """Yield the rows of the profiler's table, without what it says before and the line of units."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = csv.DictReader(lines)
    next(rows)
    yield from rows


def values(row: dict[str, str], units: int) -> dict[str, float]:
    """Return what the counters of a launch amount to."""
    found = {}
    for what, names in METRICS.items():
        total = sum(float(row[name].replace(",", "")) for name in names) * SCALE.get(what, 1.0)
        found[what] = round(total / units if what in PER_UNIT else total, 6)
    return found


def main() -> None:
    """Take all counters and store them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--launch", metavar="FILE", help="launch the kernels, for the profiler; writes their order to FILE"
    )
    options = parser.parse_args()
    if options.launch:
        launched(options.launch)
        return
    with tempfile.TemporaryDirectory() as folder:
        told, rows = profiled(Path(folder))
    if len(rows) != len(told["names"]):
        sys.exit(f"the profiler saw {len(rows)} launches of {len(told['names'])}")
    kernels: dict[str, dict[str, dict[str, float]]] = {}
    for (number, name), row in zip(told["names"], rows, strict=True):
        edges, objective = name.split("-opt ")
        if f"giant_{'two' if edges == '2' else 'three'}_opt" not in row["Kernel Name"]:
            sys.exit(f"{row['Kernel Name']} is not the kernel of {name}, {objective}")
        kernels.setdefault(f"table-{number}", {})[name] = values(row, told["about"]["units"])
    version = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    held = {"device": told["title"], "profiler": f"ncu, {version}", **told["about"], "kernels": kernels}
    STORED.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {STORED}")


if __name__ == "__main__":
    main()
