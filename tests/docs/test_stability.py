"""The page on stability names what there is: public names, exit codes, schemas."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import warptour
from documents import ROOT, blocks
from warptour.cli.failure import INTERNAL, SHORTAGE, UNWRITTEN
from warptour.model import errors

PAGE = (ROOT / "docs" / "user" / "stability.md").read_text(encoding="utf-8")


def codes_in(text: str) -> dict[str, set[int]]:
    """Return the rows of a table of exit codes: their last cell, and the codes."""
    section = text.partition("## Exit codes\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([\d, ]+) \|(.*)\|$", section, re.M)
    return {row: {int(code) for code in codes.split(",")} for codes, row in rows}


def test_the_names_are_the_public_ones() -> None:
    (names,) = [block.text.split() for block in blocks(PAGE) if block.language == "text"]
    assert names == list(warptour.__all__)


def test_the_exit_codes_are_those_of_the_program() -> None:
    signals = {128 + number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM)}
    here, there = codes_in(PAGE), codes_in((ROOT / "docs" / "user" / "command-line.md").read_text("utf-8"))
    known = {0, 1, 2, INTERNAL, SHORTAGE, UNWRITTEN, *signals}
    assert set().union(*here.values()) == known == set().union(*there.values())


def test_each_exception_stands_beside_its_exit_code() -> None:
    stated = {
        name: code for row, codes in codes_in(PAGE).items() for name in re.findall(r"`(\w+)`", row) for code in codes
    }
    for name in warptour.__all__:
        kind = getattr(warptour, name)
        if isinstance(kind, type) and issubclass(kind, errors.WarptourError) and kind is not errors.WarptourError:
            assert stated[name] == kind.exit_code, name


def test_every_schema_is_named() -> None:
    shipped = {path.name for path in Path(warptour.__file__).parent.glob("schemas/*.json")}
    assert set(re.findall(r"^\| `(\w+\.json)` \|", PAGE, re.M)) == shipped
