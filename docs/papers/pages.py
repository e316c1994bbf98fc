"""Writes the page of each paper from what ``warptour reproduce`` measured: ``python docs/papers/pages.py``.

``measured/`` has the files that ``warptour reproduce PAPER EXHIBITS -o docs/papers/measured`` writes;
``python docs/papers/pages.py --device cuda`` runs that for all papers before it writes their pages. What a paper
proposed and what was built is written here; the rest comes from these files and from the exhibits, so that a page
cannot say what they do not. ``tests/docs/test_papers.py`` compares.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from warptour.bench import Row
from warptour.bench.columns import figure
from warptour.papers import load
from warptour.papers.markdown import cities, ratio
from warptour.papers.paper import Paper

HERE: Final = Path(__file__).resolve().parent
MEASURED: Final = HERE / "measured"

SHARED_CORES: Final = " Other work shared the cores: times are longer and rates lower than they could be."
"""Said of what was measured on the CPU of a machine that others used as well."""

MOST_ROWS: Final = 12
"""Most rows of an exhibit on a page."""


@dataclass(frozen=True)
class Story:
    """What a page says beside the figures.

    Attributes
    ----------
    proposed, built : str
        What the paper proposed, and what was built of it.
    headline : tuple of str
        Exhibits that stand on the page.
    """

    proposed: str
    built: str
    headline: tuple[str, ...]


STORIES: Final = {
    "oneil": Story(
        "Thousands of hill climbers, each from a random tour, fill a GPU: a climber per thread is slow, a climber per "
        "block with its tour in shared memory is fast. The slides build a ladder of 2-opt kernels towards that.",
        "Each kernel of the ladder, as a rung that `--set kernel=` selects, the strategies `hill` and `restarts`, and "
        "scans that leave out most moves ([the ladder](../developer/ladder.md)).",
        ("throughput", "first-minimum"),
    ),
    "rocki": Story(
        "One OpenCL source for CPUs and GPUs: distances are computed again, not looked up, all pairs of edges are "
        "evaluated, in vectors on a CPU; several devices and nodes share them within iterated local search.",
        "Both kernels in OpenCL, CUDA and C, the table that they replace, `ils` with `repair=all`, and scans that "
        "devices and ranks of MPI share ([one tour](../developer/ladder-one-tour.md), "
        "[shared scans](../developer/shared-scans.md)).",
        ("devices", "pass", "many-devices", "cooperation", "ranks", "memory"),
    ),
    "mavroidis": Story(
        "Symmetric 2-opt: moves that mirror a part of the tour about its middle can be made in parallel by simple "
        "elements, in an FPGA and in the blocks of a GPU.",
        "The machine as an emulator, as Verilog that is placed and routed, the strategies `symmetric` and `annealing`, "
        "in the form of the thesis and in ours ([symmetric 2-opt](../user/symmetric.md), "
        "[the machine](../developer/fpga.md)).",
        ("table-2", "chapter-6"),
    ),
    "schulz": Story(
        "All routes as one giant tour with resource extension functions, whose complete 2-opt and 3-opt neighbourhoods "
        "a GPU evaluates into a fitness structure. The report makes the kernels faster step by step, and proposes to "
        "share a neighbourhood between CPU and GPU.",
        "Every version of the program, each step of it measured ([the versions](../developer/giant.md)); a search that "
        "bounds gains first; and, with `dcvrp --set several=together`, the sharing that is proposed "
        "([their search](../developer/giant-search.md)).",
        ("table-5", "table-3", "figure-18", "figure-19"),
    ),
    "ermis": Story(
        "How to launch a 2-opt or 3-opt kernel on a small GPU: full occupancy first, then more jobs a thread; longer "
        "tours in partitions that fit into shared memory; and a variable neighbourhood search of all of them.",
        "The kernels as rungs `shared`, `ordered` and `partitions`, the model of occupancy, a tuner that measures "
        "launches, `descent`, and `vns` with `scans=full` ([one tour](../developer/ladder-one-tour.md)).",
        ("table-4.15", "table-4.7", "table-4.8", "table-4.23", "table-4.18", "table-b-1"),
    ),
}


def page(name: str, held: dict[str, Any] | None) -> str:
    """Return the page of a paper; ``held``: its report as ``reproduce`` wrote it, None if there is none."""
    return "\n".join(lines(load(name), STORIES[name], held)) + "\n"


def lines(paper: Paper, story: Story, held: dict[str, Any] | None) -> Iterator[str]:
    """Yield the lines of a page."""
    yield f"# {paper.title}"
    yield ""
    yield "<!-- Written by docs/papers/pages.py from docs/papers/measured; edit those. -->"
    yield ""
    yield f"**Proposed.** {story.proposed}"
    yield ""
    yield f"**Built.** {story.built}"
    yield ""
    if held is not None:
        shared = SHARED_CORES if held["device"].startswith("cpu") else ""
        yield f"**Measured** by `{held['command']}`, {held['date']}, on {held['device']}, by {held['version']}.{shared}"
        yield ""
        if held.get("absent"):
            yield f"{held['absent'][0].upper()}{held['absent'][1:]}."
            yield ""
    rows = [row_of(record) for record in held["rows"]] if held else []
    exhibits = {exhibit.name: exhibit for exhibit in paper.exhibits}
    unmeasured = []
    for name in story.headline:
        chosen = [row for exhibit, row in rows if exhibit == name]
        if not chosen:
            unmeasured.append(name)
            continue
        exhibit = exhibits[name]
        yield f"## {exhibit.title}"
        yield ""
        yield from table(chosen)
        yield ""
        if exhibit.differs:
            yield f"What differs: {exhibit.differs}"
            yield ""
        for plot in exhibit.plots:
            if (MEASURED / f"{plot.name}.svg").exists():
                yield f"![{plot.title}](measured/{plot.name}.svg)"
                yield ""
    if unmeasured:
        names = ", ".join(f"`{each}`" for each in unmeasured)
        yield f"Not measured yet: {names}; `warptour reproduce {paper.name}` does."
        yield ""
    yield "## Not reproduced"
    yield ""
    for what, why in paper.missing:
        yield f"- {what}: {why}"


def row_of(record: dict[str, Any]) -> tuple[str, Row]:
    """Return the exhibit and the row of a record."""
    values = {field.name: record[field.name] for field in fields(Row)}
    return record["exhibit"], Row(**values | {"value": float("nan") if record["value"] is None else record["value"]})


def table(rows: list[Row]) -> Iterator[str]:
    """Yield a table of the rows that stand beside the paper's, of all if there is none; at most ``MOST_ROWS``."""
    shown = [row for row in rows if row.peer is not None] or rows
    yield "| case | n | device | ours | paper | unit | ours / paper |"
    yield "|---|--:|---|--:|--:|---|--:|"
    for row in shown[:MOST_ROWS]:
        cells = [row.case.replace("|", "\\|"), cities(row), row.device, figure(row.value), figure(row.peer), row.unit]
        yield f"| {' | '.join([*cells, figure(ratio(row))])} |"
    if len(shown) > MOST_ROWS:
        yield f"| and {len(shown) - MOST_ROWS} more rows | | | | | | |"


def held_by(name: str) -> dict[str, Any] | None:
    """Return the report of a paper in ``measured``, or None."""
    file = MEASURED / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def measure(name: str, device: str, seconds: float, folder: str) -> None:
    """Measure the exhibits of a page again; what takes longer than ``seconds`` is interrupted and left out."""
    command = [sys.executable, "-m", "warptour", "reproduce", name, *STORIES[name].headline, "--device", device]
    run = subprocess.Popen([*command, "-o", folder])
    try:
        run.wait(seconds)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)
        run.wait()


def main() -> None:
    """Write all pages, and before that measure what stands on them if a device is given."""
    parser = argparse.ArgumentParser(description="Write docs/papers/*.md.")
    parser.add_argument("--device", help="measure the exhibits of all pages on this device first")
    parser.add_argument("--seconds", type=float, default=120, help="most seconds for a paper")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:  # a file that changed here would be a change of the next report's commit
        for name in STORIES if options.device else ():
            measure(name, options.device, options.seconds, folder)
        for file in Path(folder).iterdir():
            if file.suffix == ".svg":
                shutil.copy(file, MEASURED)
            if file.suffix == ".json":  # without where the instances were on that machine
                data = f"{os.environ.get('WARPTOUR_DATA')}, the folder"
                text = file.read_text(encoding="utf-8").replace(data, "the folder")
                (MEASURED / file.name).write_text(text, encoding="utf-8")
    for name in STORIES:
        (HERE / f"{name}.md").write_text(page(name, held_by(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
