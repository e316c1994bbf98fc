"""Papers are found by name, and reports are written as Markdown, CSV, JSON and SVG."""

from __future__ import annotations

import builtins
import csv
import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import fake_paper
from warptour.bench import Options
from warptour.bench.columns import Column, figure, line
from warptour.bench.conditions import Conditions
from warptour.model.errors import MissingLibrary, OutputError, UsageError
from warptour.papers import PAPERS, choose, load
from warptour.papers.figures import draw
from warptour.papers.folder import FIELDS, ReportFolder, comma_separated
from warptour.papers.markdown import markdown
from warptour.papers.paper import Paper
from warptour.papers.report import ExhibitTable, PaperReport

CONDITIONS = Conditions("2026-11-16 00:00 UTC", "cpu, a machine, 2 cores", "warptour 0.0", "warptour reproduce fake")


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> PaperReport:
    """A report with all tables of the fake paper that can be measured."""
    report = PaperReport(fake_paper.PAPER, CONDITIONS)
    for exhibit in (fake_paper.TABLE, fake_paper.FIGURE):
        report.tables.append(ExhibitTable(exhibit, list(exhibit.measure(Options("cpu")))))
    return report


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_that_is_there_has_unique_exhibits(name: str) -> None:
    if find_spec(PAPERS[name]) is None:
        with pytest.raises(UsageError, match=f"{name} is not part of this version yet"):
            load(name)
        return
    paper = load(name)
    names = [exhibit.name for exhibit in paper.exhibits]
    plots = [plot.name for exhibit in paper.exhibits for plot in exhibit.plots]
    assert paper.name == name
    assert len(set(names)) == len(names) and len(set(plots)) == len(plots)
    assert paper.exhibits or paper.missing


def test_importing_the_papers_loads_nothing_optional(run_python: Any) -> None:
    code = (
        "import sys\nfrom warptour.papers import PAPERS, load\n"
        "from warptour.model.errors import UsageError\n"
        "for name in PAPERS:\n    try: load(name)\n    except UsageError: pass\n"
        "print(sorted({'cupy', 'pyopencl', 'matplotlib'} & set(sys.modules)))"
    )
    assert run_python(code) == "[]\n"


def test_exhibits_are_chosen_by_name_in_the_papers_order() -> None:
    chosen = choose(fake_paper.PAPER, ["figure-2", "table-1", "figure-2"])
    assert chosen == [fake_paper.TABLE, fake_paper.FIGURE]
    assert choose(fake_paper.PAPER, []) == list(fake_paper.PAPER.exhibits)


def test_unknown_names_are_refused_with_what_there_is() -> None:
    with pytest.raises(UsageError, match="unknown paper 'nobody'; there are oneil, rocki"):
        load("nobody")
    with pytest.raises(UsageError, match=r"fake has no exhibit 'table-9'; there are table-1, figure-2, figure-3"):
        choose(fake_paper.PAPER, ["table-1", "table-9"])
    with pytest.raises(UsageError, match="nothing of empty is reproduced: the engine is missing"):
        choose(Paper("empty", "", (), (("all", "the engine is missing"),)), [])


def test_markdown_has_conditions_tables_and_what_is_missing(report: PaperReport) -> None:
    report.tables.append(ExhibitTable(fake_paper.NOWHERE, gap="this needs a machine that is gone"))
    text = markdown(report, {"squares"})
    assert text.startswith("# A. Nobody (1999): Nothing\n")
    for part in (
        CONDITIONS.command, CONDITIONS.device, CONDITIONS.version, CONDITIONS.date,
        "| short | 1,000 | cpu | 2 | 4 | s | 0.5 |", "| a case \\| whose", " | 20 | cpu | 123,456 | - | moves | - |",
        "What differs: Everything | differs.", "| of all | - | cpu | - | s |", "![squares](squares.svg)",
        "*Not measured: this needs a machine that is gone.*", "- **figure 4**: its instance has no name",
    ):  # fmt: skip
        assert part in text
    figure_2 = text.partition("## Figure 2")[2]
    assert "paper" not in figure_2.partition("##")[0]  # no column without values
    assert "squares.svg" not in markdown(report)


def test_csv_has_all_fields_of_a_row(report: PaperReport) -> None:
    rows = list(csv.DictReader(comma_separated(report.tables[0]).splitlines()))
    assert tuple(rows[0]) == FIELDS == tuple("suite case n device value unit limit peer".split())
    assert rows[0]["peer"] == "4.0" and rows[1]["peer"] == ""
    assert rows[1]["case"] == fake_paper.LONG


def test_records_have_the_fields_of_bench_and_the_exhibit(report: PaperReport) -> None:
    records = report.records()
    assert all(list(record) == [*FIELDS, "exhibit"] for record in records)
    assert [record["exhibit"] for record in records] == ["table-1"] * 2 + ["figure-2"] * 4
    assert records[-1]["value"] is None  # not a number


def test_a_folder_has_a_file_for_each_part(report: PaperReport, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    folder = ReportFolder(str(tmp_path / "deep" / "out"), "fake")
    tables = list(report.tables)
    for k in range(len(tables)):
        report.tables = tables[: k + 1]
        folder.write(report)
    assert {path.name for path in folder.path.iterdir()} == {
        "fake.md", "fake.json", "fake-table-1.csv", "fake-figure-2.csv", "squares.svg",
    }  # fmt: skip
    assert folder.undrawn == ""
    assert "![squares](squares.svg)" in (folder.path / "fake.md").read_text(encoding="utf-8")
    held = json.loads((folder.path / "fake.json").read_text(encoding="utf-8"))
    assert held["rows"] == report.records() and held["command"] == CONDITIONS.command
    assert held["missing"] == [{"what": "figure 4", "why": "its instance has no name"}]


def test_an_incomplete_table_is_written_without_its_plots(report: PaperReport, tmp_path: Path) -> None:
    report.tables[-1].gap = "interrupted"
    folder = ReportFolder(str(tmp_path), "fake")
    folder.write(report)
    assert not (tmp_path / "squares.svg").exists()
    assert "*Not complete: interrupted.*" in (tmp_path / "fake.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "fake.json").read_text())["incomplete"] == {"figure-2": "interrupted"}


def test_a_folder_that_cannot_be_made_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file"):
        ReportFolder(str(tmp_path / "file"), "fake")


def test_figures_have_axes_a_title_and_a_legend(report: PaperReport, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (plot,) = fake_paper.FIGURE.plots
    lines = {"one": [(1.0, 1.0), (10_000.0, 5.0)], "two": [(2.0, 3.0), (-1.0, 2.0), (3.0, float("nan"))], "none": []}
    assert draw(tmp_path / "a.svg", plot, lines)
    texts = [element.text for element in ElementTree.parse(tmp_path / "a.svg").iter("{http://www.w3.org/2000/svg}text")]
    assert {"n", "s", "squares", "one", "two", "10,000", "2"} <= set(texts) and "none" not in texts
    assert not draw(tmp_path / "b.svg", plot, {"one": [(0.0, 1.0)], "two": []})  # nothing on logarithmic axes
    assert not (tmp_path / "b.svg").exists()


def test_without_matplotlib_tables_are_written_and_one_line_says_what_to_install(
    report: PaperReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    folder = ReportFolder(str(tmp_path), "fake")
    folder.write(report)
    assert folder.undrawn == "plots are drawn by Matplotlib: pip install 'warptour[plot]'"
    assert (tmp_path / "fake-figure-2.csv").exists() and not (tmp_path / "squares.svg").exists()
    with pytest.raises(MissingLibrary):
        draw(tmp_path / "a.svg", fake_paper.FIGURE.plots[0], {"one": [(1.0, 1.0)]})


def test_columns_stay_aligned_whatever_a_case_is_called() -> None:
    columns = (Column("case", 12), Column("n", 6, right=True), Column("unit", 4))
    short, long = line(columns, ["short", "12", "s"]), line(columns, ["a rather long name", "7", "s"])
    assert short == "short            12 s"
    assert long.splitlines() == ["a rather          7 s", "  long name"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(234, "234"), (84_940, "84,940"), (0.00012345, "0.0001234"), (12.3456, "12.35"), (None, "-"), (float("nan"), "-")],
)
def test_figures_are_readable(value: float | None, text: str) -> None:
    assert figure(value) == text
