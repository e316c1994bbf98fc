"""Choices of columns, as options give them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from warptour.io.table import column_name
from warptour.model.errors import UsageError

CHOICE: Final = re.compile(r",(?=\s*[A-Za-z_-]+\s*=)")
"""Comma between two choices of columns."""


def chosen_columns(texts: Sequence[str]) -> dict[str, str]:
    """Return the headers in texts such as ``lat=GPS Lat,demand=Qty`` by their columns; headers may hold commas."""
    chosen = {}
    for text in texts:
        for part in CHOICE.split(text):
            name, equals, header = part.partition("=")
            if not equals or not header.strip():
                raise UsageError(f"--columns takes NAME=HEADER, such as lat='GPS Lat', not {part!r}")
            chosen[column_name(name, "--columns")] = header.strip()
    return chosen


def words(texts: Sequence[str]) -> list[str]:
    """Return the words in texts such as ``demand,name``."""
    return [word for text in texts for word in text.split(",") if word.strip()]
