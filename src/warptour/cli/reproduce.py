"""``warptour reproduce``: tables and figures of papers, measured again."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
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
from warptour.papers.exhibit import Exhibit
from warptour.papers.folder import ReportFolder
from warptour.papers.instances import absent, forget_absent
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
    resume: Annotated[bool, Option("Take the exhibits that an interrupted run finished from --output DIR.")] = False,
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
    if resume and output is None:
        raise UsageError("--resume needs --output DIR, the folder of the run that it goes on with")
    options = Options(device, threads, quick, first=first)
    used, passed_over = sound_device(device, threads)
    for sentence in passed_over:
        complain(f"warptour: {sentence}")
    folder = ReportFolder(output, paper) if output else None
    report = PaperReport(found, conditions(used, context.line("output", "as_json", "resume")))
    if folder and resume:
        report.tables += folder.finished(report)
    forget_absent()
    if not as_json:
        _show_head(report)
    failure: Exception | None = None
    unwritten = folder
    try:
        for exhibit in _unfinished(chosen, report, quiet=as_json):
            report.tables.append(ExhibitTable(exhibit, quick=quick))
            unwritten = folder
            _measure(report.tables[-1], options, context.interrupt, quiet=as_json)
            report.absent = absent()
            if folder:
                folder.write(report)
                unwritten = None
    except Interrupted:
        _keep(report, "interrupted")
    except Exception as error:
        failure = error
        _keep(report, explain(error)[0])
    context.interrupt.action = lambda: None  # the rest is quick
    if unwritten and report.tables:
        unwritten.write(report)
    _finish(report, folder, as_json)
    if failure is not None:
        raise failure
    return 0


def _unfinished(chosen: list[Exhibit], report: PaperReport, *, quiet: bool) -> Iterator[Exhibit]:
    """Yield the exhibits that are not in the report yet, and print the names of the others."""
    finished = {table.exhibit.name for table in report.tables}
    for exhibit in chosen:
        if exhibit.name not in finished:
            yield exhibit
        elif not quiet:
            print(f"\n{exhibit.title} ({exhibit.name}): finished before")


def _finish(report: PaperReport, folder: ReportFolder | None, as_json: bool) -> None:
    """Print what follows the tables."""
    if folder and folder.undrawn:
        complain(f"warptour: {folder.undrawn}")
    if report.absent:
        complain(f"warptour: {report.absent}")
    if as_json:
        print_json(report.records())
    else:
        _show_missing(report.paper)


def _measure(table: ExhibitTable, options: Options, interrupt: Interrupt, *, quiet: bool) -> None:
    """Measure all rows of a table, and print each at once; with ``--quick``, the table once it is complete."""
    at_once = not quiet and not options.quick
    if at_once:
        _show_title(table, COLUMNS)
    try:
        for row in table.exhibit.measure(options):
            table.rows.append(row)
            if at_once:
                print(_line(row, COLUMNS), flush=True)
            if interrupt.received is not None:
                raise Interrupted  # a destructor has swallowed the first one
    except UnsupportedError as error:
        table.gap = str(error)
    finally:
        if not quiet and options.quick:
            columns = filled(table.rows)
            _show_title(table, columns)
            for row in table.rows:
                print(_line(row, columns))
        if not quiet and table.gap:
            print(f"not measured: {table.gap}", flush=True)


def filled(rows: list[Row]) -> tuple[Column, ...]:
    """Return the columns in which some row has a value."""
    cells = [_cells(row) for row in rows]
    return tuple(each for each in COLUMNS if any(row[each.title] != "-" for row in cells))


def _keep(report: PaperReport, why: str) -> None:
    """Note that the last table is not complete."""
    if report.tables and not report.tables[-1].gap:
        report.tables[-1].gap = why
    complain("warptour: what was measured until here is kept" if report.tables else "warptour: nothing is measured yet")


def _cells(row: Row) -> dict[str, str]:
    """Return the text of each column by its title; ``-`` for no value."""
    cells = [row.case, cities(row), row.device, figure(row.value), figure(row.peer), row.unit, figure(ratio(row))]
    return dict(zip((column.title for column in COLUMNS), cells, strict=True))


def _line(row: Row, columns: Sequence[Column]) -> str:
    cells = _cells(row)
    return line(columns, [cells[column.title] for column in columns])


def _show_title(table: ExhibitTable, columns: Sequence[Column]) -> None:
    exhibit = table.exhibit
    print(f"\n{table.title} ({exhibit.name})")
    if exhibit.differs:
        print(textwrap.fill(f"What differs: {exhibit.differs}", sum(column.width + 1 for column in COLUMNS)))
    if columns:
        print(titles(columns), flush=True)


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
