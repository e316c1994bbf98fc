"""The program that measures the tables of docs/quality.md and draws README's: what it writes is what was measured."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLES = ("tours", "vehicles", "gpu")


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module ``benchmarks/readme.py``."""
    spec = importlib.util.spec_from_file_location("readme_tables", ROOT / "benchmarks" / "readme.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "readme_tables", module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def page(program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page with an empty table, and a README beside it."""
    path, readme = tmp_path / "quality.md", tmp_path / "README.md"
    path.write_text("before\n<!-- tours -->\nold\n<!-- end -->\nafter\n")
    readme.write_text("<!-- summary -->\nold\n<!-- end -->\n")
    monkeypatch.setattr(program, "PAGE", path)
    monkeypatch.setattr(program, "README", readme)
    monkeypatch.setattr(program, "SUMMARY", {})
    return path


def place(name: str) -> str:
    """Return the lines of a table of the page, or of the README's summary."""
    page = ROOT / ("README.md" if name == "summary" else "docs/quality.md")
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- end -->", page.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("name", TABLES)
def test_the_page_says_how_each_table_was_measured_and_has_all_figures_of_the_command(program: Any, name: str) -> None:
    caption, _, head, _, *rows = place(name).splitlines()
    table = program.TABLES[name]
    said = re.match(r"`python benchmarks/readme\.py measure (\w+)((?: --seconds [\d.]+)*)`, ", caption)
    assert said is not None and said[1] == name
    assert re.search(r", 20\d\d-\d\d-\d\d, commit [0-9a-f]{7,}[;:]", caption)
    chosen = {float(word) for word in re.findall(r"[\d.]+", said[2])}
    titles = head.strip("| ").split(" | ")
    assert titles == [program._title(instance) for instance in table.limits]
    figures = {}
    for row in rows:
        first, *cells = [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]
        assert len(cells) == len(titles)
        for title, cell in zip(titles, cells, strict=True):
            figures[first, title] = cell
    left_out = caption.partition("not measured: ")[2]
    for instance, limits in table.limits.items():
        for limit in limits:
            if not chosen or limit in chosen:
                words = f"{limit:g} s of {program._title(instance)}"
                assert (figures[f"{limit:g} s", program._title(instance)] == "") == (words in left_out)


def test_the_table_of_the_readme_is_drawn_from_the_page(program: Any) -> None:
    table = place("summary")
    assert table == program.summary((ROOT / "docs" / "quality.md").read_text("utf-8"))
    assert table.count("commit ") == 2 and "linkern" in table and "FILO2" in table
    named = sum(len(chosen) for chosen in program.SUMMARY.values())
    assert len(re.findall(r"^\| [^|]+ \| \d+\.\d+ \|", table, re.M)) == named


def test_a_table_is_measured_and_written(program: Any, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("taskset") is None:
        pytest.skip("needs taskset")
    small = program.Table({"uniform:200:1": (0.1, 0.2)}, "cpu", 1)
    monkeypatch.setitem(program.TABLES, "tours", small)
    output = page.with_name("tours.json")
    program.measure("tours", str(output), None, [0.1], "0123abc")
    facts = json.loads(output.read_text())
    assert facts["commit"] == "0123abc" and len(facts["lines"]) == 1
    gap = facts["lines"][0]["gap"]
    assert 0 < gap < 20, "percent above the constant; 200 cities have much of it at the border"
    program.write([str(output)])
    text = page.read_text()
    assert text.startswith("before\n<!-- tours -->\n`python benchmarks/readme.py measure tours --seconds 0.1`, ")
    assert f"| | uniform 200 |\n|---|---|\n| 0.1 s | {gap:.2f} |\n<!-- end -->\nafter\n" in text
    assert "not measured" not in text
    assert "| after 10 s | warptour | beside it |" in page.with_name("README.md").read_text()


def test_figures_that_are_missing_are_named(program: Any, page: Path) -> None:
    line = {"solver": "windows", "instance": "pr1002", "seconds": 1.0, "gap": 0.05, "cpu": 1.9}
    peer = {"solver": "linkern", "instance": "pr1002", "seconds": 1.0, "gap": None, "cpu": 2.2}
    facts = {"table": "tours", "date": "2026-11-18", "commit": "0123abc", "limits": [1.0, 10.0], "side_by_side": 8}
    output = page.with_name("tours.json")
    output.write_text(json.dumps({**facts, "device": "cpu, some", "lines": [line, peer]}))
    program.write([str(output)])
    caption, _, head, _, ours, theirs = page.read_text().splitlines()[2:-2]
    assert caption.startswith(
        "`python benchmarks/readme.py measure tours --seconds 1 --seconds 10`, 8 runs of 2 threads"
    )
    assert "linkern used 110% to 110% of the same CPU time" in caption
    assert "not measured: 10 s of pr1002, 1 s of fnl4461, 10 s of fnl4461, " in caption and "60 s" not in caption
    assert (head, ours, theirs) == ("| | pr1002 |", "| 1 s | 0.050 |", "| 1 s, linkern | none |")


def test_a_page_without_the_table_is_an_error(program: Any, page: Path) -> None:
    page.write_text("nothing\n")
    output = page.with_name("tours.json")
    output.write_text(
        json.dumps({"table": "tours", "side_by_side": 1, "device": "cpu", "date": "", "commit": "", "lines": []})
    )
    with pytest.raises(SystemExit, match="no place for the table tours"):
        program.write([str(output)])
