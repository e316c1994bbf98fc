"""A report as Markdown."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from warptour.bench import Row
from warptour.bench.columns import figure
from warptour.papers.report import ExhibitTable, PaperReport


def markdown(report: PaperReport, drawn: Collection[str] = ()) -> str:
    """Return the text; ``drawn`` are the names of the plots that have a file."""
    return "\n".join(_lines(report, drawn)) + "\n"


def _lines(report: PaperReport, drawn: Collection[str]) -> Iterator[str]:
    at = report.conditions
    yield f"# {report.paper.title}"
    yield ""
    yield f"Measured again by `{at.command}`, {at.date}, on {at.device}, by {at.version}."
    yield ""
    if any(row.peer is not None for table in report.tables for row in table.rows):
        yield "*Ours* is measured here and *paper* is what the paper prints, in the same unit. A dash: nothing printed."
        yield ""
    if report.absent:
        yield f"{report.absent[0].upper()}{report.absent[1:]}."
        yield ""
    for table in report.in_order():
        yield from _section(table, drawn)
    if report.paper.missing:
        yield "## Not reproduced"
        yield ""
        for what, why in report.paper.missing:
            yield f"- **{what}**: {why}"


def _section(table: ExhibitTable, drawn: Collection[str]) -> Iterator[str]:
    exhibit = table.exhibit
    yield f"## {table.title}"
    yield ""
    yield f"`{exhibit.name}`" + (f" · What differs: {exhibit.differs}" if exhibit.differs else "")
    yield ""
    if table.rows:
        yield from _table(table.rows)
        yield ""
    if table.gap:
        yield f"*{'Not complete' if table.rows else 'Not measured'}: {table.gap}.*"
        yield ""
    for plot in exhibit.plots:
        if plot.name in drawn:
            yield f"![{plot.title}]({plot.name}.svg)"
            yield ""


def _table(rows: Sequence[Row]) -> Iterator[str]:
    compared = any(row.peer is not None for row in rows)
    yield "| case | n | device | ours |" + (" paper | unit | ours / paper |" if compared else " unit |")
    yield "|---|--:|---|--:|" + ("--:|---|--:|" if compared else "---|")
    for row in rows:
        cells = [_escaped(row.case), cities(row), row.device, figure(row.value)]
        unit = _escaped(row.unit)
        cells += [figure(row.peer), unit, figure(ratio(row))] if compared else [unit]
        yield f"| {' | '.join(cells)} |"


def cities(row: Row) -> str:
    """Return the number of cities as text; ``-`` for a row about several instances, whose n is 0."""
    return f"{row.n:,}" if row.n else "-"


def ratio(row: Row) -> float | None:
    """Return our value as a multiple of the paper's."""
    return row.value / row.peer if row.peer else None


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")
