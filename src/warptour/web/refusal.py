"""What the server answers to a request that it does not follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warptour.model.errors import WarptourError, shortage


class Refusal(WarptourError):
    """An answer with an HTTP status and one line."""

    def __init__(self, status: int, line: str) -> None:
        self.status = status
        super().__init__(line)


def missing(what: str) -> Refusal:
    """Return the refusal of something that is not there."""
    return Refusal(404, f"there is no such {what}")


def explained(error: Exception) -> tuple[int, str]:
    """Return the status and the line for an error, the line that the command line prints for it."""
    if isinstance(error, Refusal):
        return error.status, one_line(str(error))
    if isinstance(error, WarptourError):
        return 400, one_line(str(error))
    lack = error.strerror if isinstance(error, OSError) else shortage(error)
    if lack:
        return 507, one_line(lack)
    return 500, one_line(f"internal error, please report it ({type(error).__name__}: {error})")


def one_line(text: str) -> str:
    """Return text without line ends and control characters."""
    words = " ".join(text.split())
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in words)


def number_of(value: Any, what: str) -> float | None:
    """Return a number of a request, or None if it has none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e300:
        raise Refusal(400, f"{what} is a number")
    return value


def flag_of(value: Any, what: str) -> bool | None:
    """Return a Boolean of a request, or None if it has none."""
    if not isinstance(value, bool | None):
        raise Refusal(400, f"{what} is true or false")
    return value


def object_of(value: Any, what: str) -> Mapping[str, Any]:
    """Return an object of a request, empty if it has none."""
    if not isinstance(value, Mapping | None):
        raise Refusal(400, f"{what} are an object")
    return value or {}


def text_of(value: Any, what: str) -> str | None:
    """Return a text of a request, or None if it has none."""
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > 1000 or not value.isprintable():
        raise Refusal(400, f"{what} is a short text")
    return value
