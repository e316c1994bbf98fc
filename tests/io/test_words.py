"""The words of headers and cells: one data file, in which a word means one thing and can be found."""

from __future__ import annotations

from pathlib import Path

import pytest

from warptour.io import sheet
from warptour.io.sheet import fold, words

LISTS = [(section, name) for section, lists in words().items() for name in lists]


@pytest.mark.parametrize("section", words())
def test_each_word_occurs_once(section: str) -> None:
    text = Path(sheet.__file__).with_name("words.ini").read_text(encoding="utf-8")
    lines = text.partition(f"[{section}]\n")[2].partition("\n[")[0].splitlines()
    written = " ".join(line.rpartition(" = ")[2] for line in lines if not line.startswith("#")).split()
    assert written
    assert sorted(written) == sorted({word for known in words()[section].values() for word in known})


@pytest.mark.parametrize(("section", "name"), LISTS)
def test_each_word_is_as_headers_and_cells_are_when_they_are_compared(section: str, name: str) -> None:
    known = words()[section][name]
    assert known
    if section in ("cells", "units"):
        assert [word for word in known if word != word.lower()] == []
    elif section == "parts" or name in ("hours", "slot", "time"):  # compared without spaces
        assert [word for word in known if "".join(filter(str.isalnum, fold(word))) != word] == []
    else:
        assert [word for word in known if fold(word) != word] == []
