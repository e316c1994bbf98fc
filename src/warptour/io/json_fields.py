"""Members of JSON objects, each checked where it is read: an error names its place, ``vehicles[2].capacity``."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from warptour.io.source import quote
from warptour.model.errors import InputError

LARGEST: Final = 2**53
"""Largest whole number that is read: larger ones are not exact in float64."""
LISTED: Final = 5
"""Maximum number of members that a remark names."""


@dataclass(frozen=True)
class Fields:
    """An object of a file.

    Attributes
    ----------
    content : dict
    path : str
        The file, for messages.
    place : str
        Where the object is in it, empty for the whole.
    """

    content: dict[str, Any]
    path: str
    place: str = ""

    @classmethod
    def of(cls, content: Any, path: str, place: str = "") -> Fields:
        """Return an object, or raise :class:`InputError` if the content is none."""
        if not isinstance(content, dict):
            raise InputError(f"{place}: " * bool(place) + f"it is {kind_of(content)}, not an object", path)
        return cls(content, path, place)

    def at(self, name: str) -> str:
        """Return the place of a member."""
        return f"{self.place}.{name}" if self.place else name

    def fail(self, name: str, fault: str) -> NoReturn:
        """Raise the :class:`InputError` of a member."""
        raise InputError(f"{self.at(name)}: {fault}", self.path)

    def has(self, name: str) -> bool:
        """Return whether a member is there and says something: null, an empty list and an empty object do not."""
        return self.content.get(name) not in (None, [], {})

    def number(self, name: str, default: float | None = None, *, least: float = 0.0) -> float:
        """Return a number, or the default; without one the member must be there."""
        value = self.content.get(name, default)
        if value is None:
            self.fail(name, "it is missing; it must be a number")
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            self.fail(name, f"it is {kind_of(value)}, not a number")
        if not least <= value <= LARGEST:
            self.fail(name, f"it is {value:g}; it must be at least {least:g}" + " and at most 2**53" * (value > least))
        return value

    def whole(self, name: str, default: int | None = None, *, least: int = 0, most: int = LARGEST) -> int:
        """Return a whole number, or the default; without one the member must be there."""
        value = self.number(name, default, least=least)
        if value != int(value) or value > most:
            self.fail(name, f"it is {value:g}; it must be a whole number from {least} to {most}")
        return int(value)

    def text(self, name: str, default: str = "") -> str:
        """Return a text, or the default."""
        value = self.content.get(name, default)
        if not isinstance(value, str):
            self.fail(name, f"it is {kind_of(value)}, not a text")
        return value

    def items(self, name: str) -> list[Any]:
        """Return a list, empty where there is none."""
        value = self.content.get(name)
        if value is not None and not isinstance(value, list):
            self.fail(name, f"it is {kind_of(value)}, not a list")
        return value or []

    def object(self, name: str) -> Fields:
        """Return an object, empty where there is none."""
        return Fields.of(self.content.get(name) or {}, self.path, self.at(name))

    def objects(self, name: str) -> list[Fields]:
        """Return a list of objects, empty where there is none."""
        return [Fields.of(each, self.path, f"{self.at(name)}[{at}]") for at, each in enumerate(self.items(name))]

    def wholes(self, name: str) -> tuple[int, ...]:
        """Return a list of whole numbers of at least 0, empty where there is none."""
        items = self.items(name)
        for at, value in enumerate(items):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
                fault = f"it is {value}" if isinstance(value, int | float) else f"it is {kind_of(value)}"
                self.fail(f"{name}[{at}]", f"{fault}; it must be a whole number of at least 0")
        return tuple(items)

    def pair(self, name: str, what: str) -> tuple[float, float]:
        """Return a list of two numbers, which ``what`` describes."""
        items = self.items(name)
        numbers = [each for each in items if isinstance(each, int | float) and not isinstance(each, bool)]
        if len(items) != 2 or len(numbers) != 2 or not all(map(math.isfinite, numbers)):
            self.fail(name, f"it must be {what}")
        return float(items[0]), float(items[1])

    def square(self, name: str) -> NDArray[np.int64] | None:
        """Return a square matrix of whole numbers of at least 0, None where there is none."""
        rows = self.items(name)
        if not rows:
            return None
        for at, row in enumerate(rows):
            if not isinstance(row, list) or len(row) != len(rows):
                found = f"has {len(row)} numbers" if isinstance(row, list) else "is no list"
                self.fail(f"{name}[{at}]", f"it {found}; a matrix of {len(rows)} rows has {len(rows)} in each")
            for to, value in enumerate(row):
                if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**32:
                    shown = value if isinstance(value, int | float) else kind_of(value)
                    self.fail(f"{name}[{at}][{to}]", f"it is {shown}; it must be a whole number from 0 to 2**32 - 1")
        return np.array(rows, np.int64)

    def refuse(self, faults: dict[str, str]) -> None:
        """Raise :class:`InputError` for the first of some members that is there; ``faults`` say why it must not be."""
        for name, fault in faults.items():
            if self.has(name):
                self.fail(name, fault)

    def unknown(self, known: Iterable[str]) -> list[str]:
        """Return the members with other names."""
        return sorted(self.content.keys() - {*known})


def kind_of(value: Any) -> str:
    """Return what a value of JSON is, for messages."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return f"a text, {quote(value)}"
    names = {bool: "true or false", list: "a list", dict: "an object"}
    return names.get(type(value), str(value))


def remark(path: str, places: Collection[str]) -> str:
    """Return the warning of members that are not used."""
    named = sorted(places)
    more = f" and {len(named) - LISTED} more" if len(named) > LISTED else ""
    return f"{path}: {', '.join(named[:LISTED])}{more} {'is' if len(named) == 1 else 'are'} not used"
