"""Choices of columns, as options give them."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Final

from warptour.io.table import required_name
from warptour.model.errors import UsageError

CHOICE: Final = re.compile(r",(?=\s*[A-Za-z_-]+\s*=)")
"""Comma between two choices of columns."""


def chosen_columns(texts: Sequence[str]) -> dict[str, str]:
    """Return the headers in texts such as ``lat=GPS Lat,demand=Qty`` by their columns; headers may hold commas."""
    chosen: dict[str, str] = {}
    for text in texts:
        for part in CHOICE.split(text):
            name, equals, header = part.partition("=")
            if not equals or not header.strip():
                raise UsageError(f"--columns takes NAME=HEADER, such as lat='GPS Lat', not {part!r}")
            column = required_name(name, "--columns")
            if column in chosen:
                raise UsageError(f"--columns {column} is given twice: {chosen[column]} and {header.strip()}")
            chosen[column] = header.strip()
    return chosen


def ignored_names(texts: Sequence[str]) -> list[str]:
    """Return the names of columns in texts such as ``demand,"Hours, from"``; those with a comma are in quotes."""
    try:
        rows = list(csv.reader(texts, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise UsageError(f"--ignore takes NAME,... with names that hold a comma in quotes: {error}") from None
    return [name for row in rows for name in row if name.strip()]


def words(texts: Sequence[str]) -> list[str]:
    """Return the words in texts such as ``demand,name``."""
    return [word for text in texts for word in text.split(",") if word.strip()]
