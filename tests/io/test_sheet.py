"""Reading a CSV quickly and reading it with care are the same, or the quick way leaves it to the careful one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warptour.io import read
from warptour.io.delimited import Delimited
from warptour.io.headers import stop_columns
from warptour.io.sheet import Sheet
from warptour.io.stop_sheet import EXAMPLE
from warptour.model.errors import InputError
from warptour.model.metric import Floats

FILES = int(os.environ.get("WARPTOUR_CSV_FILES", "600"))
"""Generated files; 20,000 were read once."""

NUMBERS = "0 1 -2.5 3e2 +4 .5 6. 1e-00000000002 7e1".split()
OTHERS = [
    "",
    " ",
    "nan",
    "inf",
    "1e999",
    "0x10",
    "1_0",
    "1,5",
    "two",
    "１２",
    "\u00a03",
    "4 5",
    "--1",
    "1d3",
    "'1",
    '"8"',
]
ENDS = [
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\n \n",
    "\r\n\r\n",
    "\n,\n",
    "\r\r\n",
    "\x0b",
    "\x0c",
    "\x85",
    "\u2028",
    "\x1c",
]


def generated(random: np.random.Generator) -> str:
    """A file that is plain, or has a few oddities: cells, ragged rows, line ends, blank rows and lines above it."""
    odd = random.choice([0.0, 0.02, 0.2])
    separator = str(random.choice([",", ";", "\t"]))
    header = list(random.permutation(["x", "y", "name", "note"][: random.integers(2, 5)]))
    if "x" not in header or random.random() < 0.1:
        header = ["x", "y"]

    def cell(name: str) -> str:
        if name in ("name", "note"):
            return str(random.choice(["a", "b c", "", "#", "1", "e"]))
        return str(random.choice(OTHERS if random.random() < odd else NUMBERS))

    rows = [header] if random.random() < 0.9 else []
    for _ in range(random.integers(0, 7)):
        row = [cell(name) for name in header]
        if random.random() < odd:
            row = row[: random.integers(0, len(row) + 1)]
        if random.random() < odd:
            row += [cell(str(random.choice(["x", "name"])))] * int(random.integers(1, 3))
        rows.append(row)
    common = str(random.choice(["\n", "\r\n"]))
    text = (
        str(random.choice(["\n", " \n", separator + "\n", "sep=" + separator + "\n"])) if random.random() < odd else ""
    )
    for row in rows:
        text += separator.join(row) + (str(random.choice(ENDS)) if random.random() < odd else common)
    return text.rstrip(str(random.choice(["", "\n", "\r\n"])))


def outcome(path: Path, names: list[str]) -> Floats | str:
    try:
        sheet = Sheet.open(path, stop_columns(), EXAMPLE, headless=("x", "y"))
        return sheet.numbers(names) if {"x", "y"} <= sheet.columns.keys() else "no coordinates"
    except InputError as error:
        return str(error)


def test_both_ways_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(15)
    path = tmp_path / "a.csv"
    plain = Delimited.plain_numbers
    taken: list[bool] = []

    def counted(self: Delimited, *arguments: Any) -> Floats | None:
        table = plain(self, *arguments)
        taken.append(table is not None)
        return table

    for _ in range(FILES):
        text = generated(random)
        path.write_bytes(text.encode())
        names = [str(name) for name in random.permutation(["x", "y"])]
        monkeypatch.setattr(Delimited, "plain_numbers", counted)
        quick = outcome(path, names)
        monkeypatch.setattr(Delimited, "plain_numbers", lambda self, *arguments: None)
        careful = outcome(path, names)
        same = type(quick) is type(careful) and np.array_equal(quick, careful)
        assert same, (text, quick, careful)
    assert 0.2 < sum(taken) / len(taken) < 0.8, "both ways are used"


@pytest.mark.parametrize("rows", ["1,2,a\n3,4\n5,6,b,c\n", "1,2,a,b\n3,4\n"])
def test_ragged_rows_that_cancel_out(tmp_path: Path, rows: str) -> None:
    (tmp_path / "a.csv").write_text("x,y,note\n" + rows)
    with pytest.raises(InputError, match="4 columns here, 3 in the first row"):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize("line", ['sep="', "sep= ", "sep=1", "sep=a"])
def test_a_separator_that_is_none(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.csv").write_text(f"{line}\nx,y\n1,2\n")
    with pytest.raises(InputError, match="names no separator"):
        read(tmp_path / "a.csv")
