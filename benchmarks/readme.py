"""The tables of docs/quality.md, and the one of README that is drawn from them: measured again, and written there.

    python benchmarks/readme.py measure tours -o tours.json --peer linkern=PROGRAM    # one sitting, two cores a run
    python benchmarks/readme.py measure vehicles -o vehicles.json --peer FILO2=PROGRAM
    python benchmarks/readme.py measure gpu -o gpu.json                               # on a machine with a GPU
    python benchmarks/readme.py write tours.json vehicles.json gpu.json

Every figure is a line of `warptour compare`: the median of three seeds, each run with that limit alone. Instances are
read from WARPTOUR_DATA. Runs on the CPU are pinned to two cores each, as many at once as there are pairs of cores.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

from warptour._version import commit
from warptour.bench.windows import gap
from warptour.io.read import read
from warptour.model.problem import TSP
from warptour.observe.child import program

ROOT: Final = Path(__file__).parents[1]
README: Final = ROOT / "README.md"
PAGE: Final = ROOT / "docs" / "quality.md"
SEEDS: Final = 3
BESIDE: Final = 10.0
"""Longest limit at which other programs run beside ours, in seconds of wall time of our threads."""


@dataclass(frozen=True)
class Table:
    """A table of the page.

    Attributes
    ----------
    limits : dict of str to tuple of float
        Seconds of each instance's runs.
    device : str
    cores : int
        Threads of a run, pinned to that number of cores; 0 for the whole machine.
    peer : str
        Program that runs beside ours at equal CPU time, where limits are at most `BESIDE` seconds.
    too_large : tuple of str
        Instances that it does not run on.
    """

    limits: dict[str, tuple[float, ...]]
    device: str
    cores: int = 0
    peer: str = ""
    too_large: tuple[str, ...] = ()

    def commands(self, peer: str | None, chosen: Sequence[float]) -> Iterator[list[str]]:
        """Yield the arguments of `warptour compare` for each figure, those that take longest first."""
        threads = ["--threads", str(self.cores)] if self.cores else []
        runs = [(limit, name) for name, limits in self.limits.items() for limit in limits]
        for limit, name in sorted(runs, key=lambda run: -run[0]):
            if not chosen or limit in chosen:
                beside = ["--peer", peer] if peer and limit <= BESIDE and name not in self.too_large else []
                yield [
                    name,
                    "--seconds",
                    f"{limit:g}",
                    "--seeds",
                    str(SEEDS),
                    "--device",
                    self.device,
                    *threads,
                    *beside,
                ]


MILLION: Final = "uniform:1000000:1"
TOURS: Final[dict[str, tuple[float, ...]]] = {
    **dict.fromkeys(("pr1002", "fnl4461", "rl5915"), (1.0, 10.0)),
    **dict.fromkeys(("d18512", "sw24978", "pla85900", "usa115475", "uniform:100000:1"), (1.0, 10.0, 60.0)),
    MILLION: (10.0, 60.0),
}
VEHICLES: Final = (
    "X-n351-k40", "X-n459-k26", "X-n573-k30", "X-n685-k75", "X-n783-k48", "X-n895-k37", "X-n1001-k43", "Leuven1",
)  # fmt: skip
ON_GPU: Final[dict[str, tuple[float, ...]]] = {
    "pla85900": (1, 3, 10),
    "uniform:100000:1": (1, 3, 10),
    "uniform:200000:1": (1, 3, 10),
    MILLION: (1, 3, 10),
    "uniform:10000000:1": (10,),
}
TABLES: Final = {
    "tours": Table(TOURS, "cpu", 2, "linkern", (MILLION,)),
    "vehicles": Table(dict.fromkeys(VEHICLES, (10, 60)), "cpu", 2, "FILO2"),
    "gpu": Table(ON_GPU, "cuda"),
}

SUMMARY: Final = {
    "tours": ("pr1002", "fnl4461", "pla85900", "usa115475", MILLION),
    "vehicles": ("X-n459-k26", "X-n1001-k43", "Leuven1"),
    "gpu": (MILLION, "uniform:10000000:1"),
}
"""Instances of README's table."""


def measure(name: str, output: str, peer: str | None, limits: Sequence[float], at: str | None) -> None:
    """Run the comparisons of a table side by side; write what is known after each, with date, machine and commit."""
    table = TABLES[name]
    free: SimpleQueue[set[int]] = SimpleQueue()
    cores = sorted(os.sched_getaffinity(0))
    width = table.cores or len(cores)
    for first in range(0, len(cores) - width + 1, width):
        free.put(set(cores[first : first + width]))

    def run(line: list[str]) -> dict[str, Any]:
        pinned = free.get()
        try:
            return _compare(line, pinned)
        finally:
            free.put(pinned)

    facts: dict[str, Any] = {"table": name, "date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": at or commit()}
    facts["limits"] = list(limits)
    facts |= {"side_by_side": free.qsize(), "peers": {}, "lines": []}
    with ThreadPoolExecutor(free.qsize()) as pool:
        for done in as_completed([pool.submit(run, line) for line in table.commands(peer, limits)]):
            report = done.result()
            facts["device"] = report["device"]
            facts["peers"] |= report["peers"]
            facts["lines"] += report["lines"]
            Path(output).write_text(json.dumps(facts, indent=1) + "\n")


def _compare(line: list[str], pinned: set[int]) -> dict[str, Any]:
    """Return the report of one comparison on the given cores."""
    instance, *options = line
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        comparison = program("compare", _file(instance), *options, "-o", str(report), "--quiet")
        taskset = ["taskset", "-c", ",".join(map(str, sorted(pinned)))]
        subprocess.run([*taskset, *comparison], check=True, stdout=subprocess.DEVNULL)
        facts: dict[str, Any] = json.loads(report.read_text())
    for row in facts["lines"]:
        row["instance"] = instance
        if ":" in instance and row["cost"] is not None:
            problem = read(instance)
            assert isinstance(problem, TSP)
            row["gap"] = gap(problem, row["cost"])
    return facts


def _file(instance: str) -> str:
    """Return the file of an instance in the data folder, or the specification of a generated one."""
    if ":" in instance:
        return instance
    folder = Path(os.environ.get("WARPTOUR_DATA", "."))
    found = next((path for kind in ("tsp", "vrp") if (path := folder / kind / f"{instance}.{kind}").exists()), None)
    if found is None:
        sys.exit(f"there is no {instance} in tsp/ or vrp/ of {folder}; WARPTOUR_DATA names the folder")
    return str(found)


def write(files: Sequence[str]) -> None:
    """Replace the tables of the page by the measured ones, and draw README's from the page."""
    text = PAGE.read_text()
    for file in files:
        facts = json.loads(Path(file).read_text())
        text = _replaced(text, PAGE, facts["table"], markdown(facts))
    PAGE.write_text(text)
    README.write_text(_replaced(README.read_text(), README, "summary", summary(text)))


def _replaced(text: str, path: Path, table: str, lines: str) -> str:
    place = re.search(rf"(?<=<!-- {table} -->\n).*?(?=<!-- end -->)", text, re.DOTALL)
    if place is None:
        sys.exit(f"{path.name} has no place for the table {table}")
    return text[: place.start()] + lines + text[place.end() :]


def summary(page: str) -> str:
    """Return README's table: the gaps after ten seconds of some instances, out of the tables of the page."""
    lines = ["| after 10 s | warptour | beside it |", "|---|---|---|"]
    sources: dict[str, list[str]] = {}
    for table, chosen in SUMMARY.items():
        caption, _, head, _, *rows = page.partition(f"<!-- {table} -->\n")[2].partition("<!-- end -->")[0].splitlines()
        titles = _cells(head)[1:]
        figures = {name: dict(zip(titles, cells, strict=True)) for name, *cells in map(_cells, rows)}
        peer, where = TABLES[table].peer, " on a GPU" if table == "gpu" else ""
        for title in map(_title, chosen):
            beside = figures.get(f"10 s, {peer}", {}).get(title)
            lines.append(f"| {title}{where} | {figures['10 s'][title]} | {f'{peer} {beside}' if beside else ''} |")
        said = re.search(r", ((?:cpu|cuda).*, 20\d\d-\d\d-\d\d, commit \w+)", caption)
        sources.setdefault(said[1] if said else "", []).append(table.replace("gpu", "on a GPU"))
    measured = [f"{' and '.join(tables)}: {source}." for source, tables in sources.items()]
    return "\n".join([*lines, "", " ".join(text[0].upper() + text[1:] for text in measured), ""])


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]


def markdown(facts: dict[str, Any]) -> str:
    """Return a measured table with its caption: a column for each instance, a row for each solver and limit."""
    table = TABLES[facts["table"]]
    cells = {(row["seconds"], row["solver"], row["instance"]): row["gap"] for row in facts["lines"]}
    rows = sorted({(seconds, solver) for seconds, solver, _ in cells}, key=lambda row: (row[0], row[1] == table.peer))
    columns = [name for name in table.limits if any(name == instance for _, _, instance in cells)]
    lines = [f"| | {' | '.join(map(_title, columns))} |", "|---" * (len(columns) + 1) + "|"]
    for seconds, solver in rows:
        head = f"{seconds:g} s" + (f", {solver}" if solver == table.peer else "")
        figures = [_percent(cells.get((seconds, solver, name), math.nan)) for name in columns]
        lines.append(f"| {head} | {' | '.join(figures)} |")
    return "\n".join([_caption(table, facts), "", *lines, ""])


def _caption(table: Table, facts: dict[str, Any]) -> str:
    chosen = [float(limit) for limit in facts.get("limits", ())]
    command = f"python benchmarks/readme.py measure {facts['table']}" + "".join(f" --seconds {s:g}" for s in chosen)
    how = f"{facts['side_by_side']} runs of {table.cores} threads side by side, " if table.cores else ""
    where = f"{facts['device']}, {facts['date']}, commit {facts['commit']}"
    used = [row["cpu"] / (row["seconds"] * table.cores) for row in facts["lines"] if row["solver"] == table.peer]
    share = f"; {table.peer} used {min(used):.0%} to {max(used):.0%} of the same CPU time" if used else ""
    return f"`{command}`, {how}{where}{share}{_left_out(table, facts, chosen)}:"


def _left_out(table: Table, facts: dict[str, Any], chosen: Sequence[float]) -> str:
    """Return which figures of ours the command gives and the sitting does not have."""
    there = {(row["seconds"], row["instance"]) for row in facts["lines"] if row["solver"] != table.peer}
    planned = [(limit, name) for name, limits in table.limits.items() for limit in limits]
    missing = [
        f"{limit:g} s of {_title(name)}"
        for limit, name in planned
        if (limit, name) not in there and (not chosen or limit in chosen)
    ]
    return f"; not measured: {', '.join(missing)}" if missing else ""


def _title(instance: str) -> str:
    kind, _, size = instance.partition(":")
    return f"{kind} {int(size.partition(':')[0]):,}" if size else instance


def _percent(value: float | None) -> str:
    return "none" if value is None else "" if math.isnan(value) else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def main() -> None:
    """Measure one table, or write those that were measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(required=True, dest="command")
    measuring = commands.add_parser("measure", help="measure a table")
    measuring.add_argument("table", choices=TABLES)
    measuring.add_argument("-o", "--output", required=True, help="JSON file to write")
    measuring.add_argument("--peer", help="the other program, as for `warptour compare`")
    measuring.add_argument("--seconds", type=float, action="append", help="these limits alone; may be repeated")
    measuring.add_argument("--commit", help="where the checkout has no git")
    writing = commands.add_parser("write", help="write measured tables into docs/quality.md and README.md")
    writing.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.command == "measure":
        measure(options.table, options.output, options.peer, options.seconds or (), options.commit)
    else:
        write(options.files)


if __name__ == "__main__":
    main()
