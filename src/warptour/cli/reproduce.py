"""``warptour reproduce``: tables and figures of papers, measured again."""

from __future__ import annotations

import textwrap
from typing import Annotated, Final

from warptour.bench import Options, Row
from warptour.bench.columns import Column, figure, line, titles
from warptour.bench.conditions import conditions
from warptour.cli.declare import Context
from warptour.cli.failure import complain, explain
from warptour.cli.options import CpuThreads, Device, Json
from warptour.cli.show import print_json
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.option import Argument, Option
from warptour.observe.interrupt import Interrupt, Interrupted
from warptour.papers import FIRST, PAPERS, choose, load
from warptour.papers.folder import ReportFolder
from warptour.papers.markdown import cities, ratio
from warptour.papers.paper import Paper
from warptour.papers.report import ExhibitTable, PaperReport
from warptour.strategies.self_check import sound_device

COLUMNS: Final = (
    Column("case", 44), Column("n", 10, right=True), Column("device", 9), Column("ours", 12, right=True),
    Column("paper", 12, right=True), Column("unit", 14), Column("ours/paper", 10, right=True),
)  # fmt: skip


def reproduce(
    context: Context,
    paper: Annotated[str | None, Argument(f"One of: {', '.join(PAPERS)}.", "PAPER")] = None,
    exhibits: Annotated[list[str] | None, Argument("Tables and figures; by default all.", "EXHIBIT")] = None,
    device: Device = "auto",
    threads: CpuThreads = None,
    quick: Annotated[bool, Option("Small cases only: seconds, without a GPU.")] = False,
    first: Annotated[int | None, Option("oneil: only the first N cities of the instance.", metavar="N", low=5)] = None,
    output: Annotated[
        str | None, Option("Write Markdown, CSV, JSON and SVG files there.", "--output -o", metavar="DIR")
    ] = None,
    listed: Annotated[bool, Option("List tables and figures instead of measuring them.", "--list")] = False,
    as_json: Json = False,
) -> int:
    """Measure tables and figures of PAPER again and print them beside its values; without PAPER, list them all."""
    if paper is None or listed:
        _show_list([paper] if paper else list(PAPERS), as_json)
        return 0
    found = load(paper)
    chosen = choose(found, exhibits or [])
    if first is not None and paper not in FIRST:
        raise UsageError(f"--first is for {', '.join(FIRST)}, not for {paper}")
    options = Options(device, threads, quick, first=first)
    used, passed_over = sound_device(device, threads)
    for sentence in passed_over:
        complain(f"warptour: {sentence}")
    folder = ReportFolder(output, paper) if output else None
    report = PaperReport(found, conditions(used, context.line("output", "as_json")))
    if not as_json:
        _show_head(report)
    failure: Exception | None = None
    written = 0
    try:
        for exhibit in chosen:
            report.tables.append(ExhibitTable(exhibit))
            _measure(report.tables[-1], options, context.interrupt, quiet=as_json)
            if folder:
                folder.write(report)
                written += 1
    except Interrupted:
        _keep(report, "interrupted")
    except Exception as error:
        failure = error
        _keep(report, explain(error)[0])
    context.interrupt.action = lambda: None  # the rest is quick
    if folder and written < len(report.tables):
        folder.write(report)
    if folder and folder.undrawn:
        complain(f"warptour: {folder.undrawn}")
    if as_json:
        print_json(report.records())
    else:
        _show_missing(found)
    if failure is not None:
        raise failure
    return 0


def _measure(table: ExhibitTable, options: Options, interrupt: Interrupt, *, quiet: bool) -> None:
    """Measure all rows of a table, and print each at once."""
    exhibit = table.exhibit
    if not quiet:
        print(f"\n{exhibit.title} ({exhibit.name})")
        if exhibit.differs:
            print(textwrap.fill(f"What differs: {exhibit.differs}", sum(column.width + 1 for column in COLUMNS)))
        print(titles(COLUMNS), flush=True)
    try:
        for row in exhibit.measure(options):
            table.rows.append(row)
            if not quiet:
                print(_line(row), flush=True)
            if interrupt.received is not None:
                raise Interrupted  # a destructor has swallowed the first one
    except UnsupportedError as error:
        table.gap = str(error)
        if not quiet:
            print(f"not measured: {table.gap}", flush=True)


def _keep(report: PaperReport, why: str) -> None:
    """Note that the last table is not complete."""
    if report.tables and not report.tables[-1].gap:
        report.tables[-1].gap = why
    complain("warptour: what was measured until here is kept" if report.tables else "warptour: nothing is measured yet")


def _line(row: Row) -> str:
    cells = [row.case, cities(row), row.device, figure(row.value), figure(row.peer), row.unit, figure(ratio(row))]
    return line(COLUMNS, cells)


def _show_head(report: PaperReport) -> None:
    at = report.conditions
    print(f"{report.paper.title}\n{at.date}; {at.device}; {at.version}\n{at.command}")


def _show_missing(paper: Paper) -> None:
    if paper.missing:
        print("\nNot reproduced")
    for what, why in paper.missing:
        print(f"- {what}: {why}")


def _show_list(names: list[str], as_json: bool) -> None:
    """Print the exhibits of each paper: name and title."""
    records: list[dict[str, str]] = []
    for name in names:
        try:
            paper = load(name)
        except UsageError as error:
            if len(names) == 1:
                raise
            if not as_json:
                print(f"{name}: {error}\n")
            continue
        records += [{"paper": name, "exhibit": each.name, "title": each.title} for each in paper.exhibits]
        if as_json:
            continue
        print(f"{name}: {paper.title}")
        width = max((len(exhibit.name) for exhibit in paper.exhibits), default=0)
        for exhibit in paper.exhibits:
            print(f"  {exhibit.name:<{width}}  {exhibit.title}")
        for what, why in paper.missing:
            print(f"  not reproduced: {what} ({why})")
        print()
    if as_json:
        print_json(records)
