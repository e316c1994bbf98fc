"""A comparison as text, CSV, JSON and Markdown."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from io import StringIO
from typing import Any, Final

from warptour.bench.columns import Column, line, titles
from warptour.bench.conditions import Conditions
from warptour.compare.run import JudgedRun
from warptour.compare.summary import Base, SummaryLine, bases_of, gap_of, lines_of
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.progress import format_cost

ROUTES: Final = "routes"
COLUMNS: Final = (
    Column("solver", 16), Column("threads", 7, right=True), Column("limit", 9, right=True),
    Column("wall s", 8, right=True), Column("CPU s", 8, right=True), Column(ROUTES, 6, right=True),
    Column("cost", 14, right=True),
    Column("gap %", 9, right=True), Column("least", 9, right=True), Column("most", 9, right=True),
    Column("note", 48),
)  # fmt: skip


@dataclass
class ComparisonReport:
    """The runs of a comparison so far, and under which conditions they were made."""

    problems: Mapping[str, TSP | VRP]
    conditions: Conditions
    threads: int  # of warptour
    by_cpu: bool  # whether all limits are on CPU time
    peers: Mapping[str, Mapping[str, str | None]]  # command, version and clock of each other program
    runs: list[JudgedRun]
    interrupted: bool = False

    def bases(self) -> dict[str, Base]:
        """Return what the gaps of each problem are above."""
        return bases_of(self.problems, self.runs)

    def lines(self, name: str) -> list[SummaryLine]:
        """Return the lines of one problem."""
        return lines_of([run for run in self.runs if run.instance == name], self.bases()[name])

    def time(self) -> str:
        """Return what the time of a curve is."""
        share = f" / {self.threads}" if self.threads > 1 else ""
        return f"CPU seconds{share}" if self.by_cpu else f"wall seconds; of other programs CPU seconds{share}"

    def facts(self) -> dict[str, Any]:
        """Return everything, serialisable as JSON; a run's curve holds (seconds, gap)."""
        bases = self.bases()
        return asdict(self.conditions) | {
            "threads": self.threads,
            "interrupted": self.interrupted,
            "peers": {name: dict(facts) for name, facts in self.peers.items()},
            "lines": [asdict(row) for name in self.problems for row in self.lines(name)],
            "runs": [_record(run, bases[run.instance]) for run in self.runs],
        }


def heading(report: ComparisonReport, name: str) -> str:
    """Return the title of one problem's table: its size, and what gaps are above."""
    problem, base = report.problems[name], report.bases()[name]
    size = f"{problem.n - 1:,} customers" if isinstance(problem, VRP) else f"{problem.n:,} cities"
    if base.cost is None:
        return f"{name}, {size}; no feasible answer"
    best = format_cost(base.cost)
    if base.routes is None:
        return f"{name}, {size}; gap above the {base.origin}, {best}"
    return f"{name}, {size}; fewer routes come first, gap of as many above the {base.origin}, {best} with {base.routes}"


def table(report: ComparisonReport, name: str) -> str:
    """Return the table of one problem as text."""
    columns = _columns(report, name)
    rows = [line(columns, _cells(row, columns)) for row in report.lines(name)]
    return "\n".join([heading(report, name), titles(columns), *rows, *units(report, name)])


def units(report: ComparisonReport, name: str) -> list[str]:
    """Return in which units other programs were given the distances of one problem, a line each."""
    given = {row.solver: row.units for row in report.lines(name) if row.units}
    return [f"{solver} was given distances {text}." for solver, text in given.items()]


def markdown(report: ComparisonReport) -> str:
    """Return all tables as Markdown."""
    return "\n".join(_markdown(report)) + "\n"


def csv_text(report: ComparisonReport) -> str:
    """Return a row for each run."""
    bases = report.bases()
    names = [part.name for part in fields(JudgedRun) if part.name != "curve"] + ["gap", "gap_to"]
    output = StringIO()
    writer = csv.DictWriter(output, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for run in report.runs:
        writer.writerow(_record(run, bases[run.instance]))
    return output.getvalue()


def json_text(report: ComparisonReport) -> str:
    """Return everything as JSON."""
    return json.dumps(report.facts(), indent=1) + "\n"


def _markdown(report: ComparisonReport) -> Iterator[str]:
    at = report.conditions
    yield f"Measured by `{at.command}`, {at.date}, on {at.device}, by {at.version}."
    for name in report.problems:
        yield ""
        yield heading(report, name) + ":"
        yield ""
        columns = _columns(report, name)
        yield "| " + " | ".join(column.title for column in columns) + " |"
        yield "|" + "|".join("--:" if column.right else "---" for column in columns) + "|"
        for row in report.lines(name):
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in _cells(row, columns)) + " |"
        for text in units(report, name):
            yield ""
            yield text
    for name, facts in report.peers.items():
        yield ""
        yield f"{name}{' ' + facts['version'] if facts['version'] else ''}: limited by {facts['clock']}."


def _columns(report: ComparisonReport, name: str) -> list[Column]:
    """Return the columns of one problem's table: of vehicles, with the number of routes."""
    return [column for column in COLUMNS if column.title != ROUTES or isinstance(report.problems[name], VRP)]


def _cells(row: SummaryLine, columns: Sequence[Column]) -> list[str]:
    failed = row.runs - row.answers
    note = f"{failed} of {row.runs} runs: {row.note}" if failed and row.runs > 1 else row.note
    cells = [
        row.solver, str(row.threads), row.limit, f"{row.wall:.1f}", "-" if row.cpu is None else f"{row.cpu:.1f}",
        "-" if row.routes is None else str(row.routes), "-" if row.cost is None else format_cost(row.cost),
        *map(_percent, (row.gap, row.least, row.most)), note,
    ]  # fmt: skip
    return [cell for column, cell in zip(COLUMNS, cells, strict=True) if column in columns]


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _record(run: JudgedRun, base: Base) -> dict[str, Any]:
    facts = asdict(run) | {"gap": gap_of(run.cost, base, run.routes), "gap_to": base.origin}
    facts["curve"] = [(round(seconds, 4), gap_of(cost, base)) for seconds, cost in run.curve]
    return facts
