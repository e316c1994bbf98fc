"""The words of headers and cells: one data file, in which a word means one thing and can be found."""

from __future__ import annotations

from pathlib import Path

import pytest

from warptour.io import sheet
from warptour.io.headers import fold, words

WITHOUT_SPACES = ("hours", "slot", "time")
"""Lists whose words are compared without spaces."""


@pytest.mark.parametrize("section", words())
def test_each_word_occurs_once(section: str) -> None:
    text = Path(sheet.__file__).with_name("words.ini").read_text(encoding="utf-8")
    lines = text.partition(f"[{section}]\n")[2].partition("\n[")[0].splitlines()
    written = " ".join(line.rpartition(" = ")[2] for line in lines if not line.startswith("#")).split()
    assert written
    assert sorted(written) == sorted({word for known in words()[section].values() for word in known})


def compared(section: str, name: str, word: str) -> str:
    """Return a word as headers or cells are when they are compared with it."""
    if section in ("cells", "units"):
        return word.lower()
    return "".join(filter(str.isalnum, fold(word))) if section == "parts" or name in WITHOUT_SPACES else fold(word)


def test_each_word_is_as_headers_and_cells_are_when_they_are_compared() -> None:
    for section, lists in words().items():
        assert all(lists.values()), section
        wrong = [word for name, known in lists.items() for word in known if compared(section, name, word) != word]
        assert wrong == [], section
