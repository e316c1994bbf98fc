"""``warptour plot``: the convergence of runs, from their traces."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from warptour.cli.output import check_writable
from warptour.model.errors import UsageError
from warptour.model.option import Argument, Option
from warptour.observe import canvas
from warptour.observe.plot import write_convergence
from warptour.observe.trace_lines import read_trace


def plot(
    traces: Annotated[list[str], Argument("Files that solve --trace wrote.", "TRACE...")],
    output: Annotated[str, Option("Write the plot here: .svg, .png or .pdf.", "--output -o", metavar="FILE")],
    best: Annotated[float | None, Option("Show percent above this cost instead of the cost.", metavar="COST")] = None,
    log: Annotated[bool, Option("A logarithmic axis of time.")] = False,
) -> int:
    """Plot the cost of one or more runs over time, from their traces."""
    check_writable(output, "--output", canvas.SUFFIXES)
    canvas.library()
    if best == 0:
        raise UsageError("--best 0: no cost is a percentage above 0")
    names = _names(traces)
    write_convergence(output, {names[path]: read_trace(path) for path in traces}, best, log_time=log)
    print(f"{len(names)} {'traces' if len(names) > 1 else 'trace'} plotted in {output}")
    return 0


def _names(paths: list[str]) -> dict[str, str]:
    """Return a short name for each file: without its folder and suffix where that leaves them different."""
    stems = [Path(path).stem for path in paths]
    short = len(set(stems)) == len(set(paths))
    return {path: stem if short else os.path.normpath(path) for path, stem in zip(paths, stems, strict=True)}
