"""A report as files: PAPER.md, PAPER.json, a CSV file per exhibit and an SVG per plot."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict, fields, replace
from io import StringIO
from pathlib import Path
from typing import Any, Final

from warptour.bench import Row
from warptour.bench.conditions import Conditions
from warptour.io.files import why_not_writable, write_atomic
from warptour.model.errors import InputError, MissingLibrary, OutputError, UsageError
from warptour.papers.exhibit import Exhibit
from warptour.papers.figures import draw
from warptour.papers.markdown import markdown
from warptour.papers.report import ExhibitTable, PaperReport, record

FIELDS: Final = tuple(field.name for field in fields(Row))


class ReportFolder:
    """The folder that a report is written to, created if missing.

    ``undrawn``: why figures are not drawn; empty while they are
    """

    def __init__(self, path: str, paper: str) -> None:
        self.path = Path(path)
        self.undrawn = ""
        self._drawn: set[str] = set()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot make the folder {path}: {error.strerror or error}") from None
        reason = why_not_writable(self.path / f"{paper}.md")
        if reason is not None:
            raise OutputError(f"cannot write to the folder {path}: {reason}")

    def finished(self, report: PaperReport) -> list[ExhibitTable]:
        """Return the tables that an earlier run of the same command finished here, and take over its date.

        Raises :class:`UsageError` if the files are of another command, device or version, and :class:`InputError` if
        the report cannot be read.
        """
        file = self.path / f"{report.paper.name}.json"
        if not file.exists():
            return []
        try:
            held = json.loads(file.read_bytes())
            theirs = Conditions(*(held[field.name] for field in fields(Conditions)))
            rows = [dict(each) for each in held["rows"]]
            tables = [
                _table(exhibit, rows) for exhibit in report.paper.exhibits if exhibit.name not in held["incomplete"]
            ]
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(
                f"this is no report of `reproduce` ({error}); remove it, or leave --resume out", file
            ) from None
        if replace(theirs, date="") != replace(report.conditions, date=""):
            raise UsageError(
                f"{file} is of `{theirs.command}` on {theirs.device} by {theirs.version}; --resume goes on with the "
                "same command, device and version: take another folder, or leave --resume out"
            )
        report.conditions = theirs
        done = [table for table in tables if table.rows]
        plots = (plot.name for table in done for plot in table.exhibit.plots)
        self._drawn |= {name for name in plots if (self.path / f"{name}.svg").exists()}
        return done

    def write(self, report: PaperReport) -> None:
        """Write the last table of a report, its plots if it is complete, and the report so far."""
        paper, table = report.paper.name, report.tables[-1]
        if table.rows:
            self._text(f"{paper}-{table.exhibit.name}.csv", comma_separated(table))
        if table.rows and not table.gap:
            self._draw(table)
        self._text(f"{paper}.md", markdown(report, self._drawn))
        self._text(f"{paper}.json", as_json(report))

    def _draw(self, table: ExhibitTable) -> None:
        for plot in table.exhibit.plots:
            try:
                if draw(self.path / f"{plot.name}.svg", plot, plot.lines(table.rows)):
                    self._drawn.add(plot.name)
            except MissingLibrary as error:
                self.undrawn = str(error)

    def _text(self, name: str, text: str) -> None:
        write_atomic(self.path / name, [text.encode("utf-8")])


def _table(exhibit: Exhibit, records: list[dict[str, Any]]) -> ExhibitTable:
    """Return the rows of an exhibit among the records of a report."""
    own = ({name: each[name] for name in FIELDS} for each in records if each["exhibit"] == exhibit.name)
    return ExhibitTable(
        exhibit, [Row(**each | {"value": float("nan")} if each["value"] is None else each) for each in own]
    )


def comma_separated(table: ExhibitTable) -> str:
    """Return the rows of a table as CSV, all fields of a row in their order; empty where there is no value."""
    text = StringIO()
    writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(record(row) for row in table.rows)
    return text.getvalue()


def as_json(report: PaperReport) -> str:
    """Return the report as a JSON object: paper, conditions, rows, what is not complete, what is not reproduced."""
    return json.dumps(
        {
            "paper": report.paper.name,
            "title": report.paper.title,
            **asdict(report.conditions),
            "rows": report.records(),
            "incomplete": {table.exhibit.name: table.gap for table in report.tables if table.gap},
            "absent": report.absent,
            "missing": [{"what": what, "why": why} for what, why in report.paper.missing],
        },
        indent=1,
    )
