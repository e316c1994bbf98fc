"""Names that a spreadsheet or a terminal would execute are written so that neither does, and read back the same."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptour.io import read, read_solution, write_problem, write_solution
from warptour.io.cells import cell_text, name_of
from warptour.model.metric import METRICS
from warptour.model.problem import TSP

CONTROLS = {chr(code) for code in (*range(32), *range(127, 160))} - {"\t", "\n"}
LETTERS = st.characters(codec="utf-8", exclude_categories=["Cs"]) | st.sampled_from(
    "=+-@'\"\\u0019bc5\t\r\n\x1b\x7f\x9b ,;"
)


def stripped(name: str) -> str:
    """The name without the white space around it; str.strip takes some controls for white space too."""
    while name and name[0].isspace() and name[0] not in CONTROLS:
        name = name[1:]
    while name and name[-1].isspace() and name[-1] not in CONTROLS:
        name = name[:-1]
    return name


@given(st.text(LETTERS, max_size=12))
def test_a_name_comes_back(name: str) -> None:
    cell = cell_text(name)
    (row,) = csv.reader(io.StringIO(f"{cell},x\n", newline=""))
    assert len(row) == 2 and name_of(row[0]) == stripped(name)
    assert not CONTROLS & set(cell)
    assert not cell.lstrip('"').startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+49 30 1", "'+49 30 1"),
        ("-5", "'-5"),
        ("@home", "'@home"),
        ("'=x", "''=x"),
        ("'tis", "'tis"),
        ('=HYPERLINK("http://a","b")', '"\'=HYPERLINK(""http://a"",""b"")"'),
        ("a\x1b]0;b\x07", '"a\\u001b]0;b\\u0007"'),
        ("a\rb", "a\\u000db"),
        ("\\u001b", "\\u005cu001b"),
        ("C:\\users", "C:\\users"),
        ("two\nlines", '"two\nlines"'),
        ("a=b", "a=b"),
    ],
)
def test_what_is_written(name: str, cell: str) -> None:
    assert cell_text(name) == cell


def test_names_in_files_of_problems_and_solutions(tmp_path: Path) -> None:
    names = ("=cmd|' /C calc'!A0", "a\x1b[2Jb", "\x9b31m", "+1", "-1", "@x", "\tq\r", "'=", "\\u001b", "plain")
    points = np.random.default_rng(1).random((len(names), 2)) * 100
    problem = TSP("a\x1bb", METRICS["EUCLIDEAN"], points, labels=names)
    write_problem(tmp_path / "a.csv", problem)
    assert read(tmp_path / "a.csv").labels == tuple(name.strip("\t") for name in names)
    for suffix in (".csv", ".tour", ".geojson"):
        write_solution(tmp_path / f"s{suffix}", problem, np.arange(len(names)))
        read_solution(tmp_path / f"s{suffix}", problem)
        content = (tmp_path / f"s{suffix}").read_text(encoding="utf-8")
        assert "\x1b" not in content and "\x9b" not in content and "\n=" not in content and ",=" not in content
    write_problem(tmp_path / "a.tsp", problem)
    assert "\x1b" not in (tmp_path / "a.tsp").read_text() and read(tmp_path / "a.tsp").name == "ab"
