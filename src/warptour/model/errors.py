"""Everything warptour raises on purpose, in one tree.

The command line turns each of these into one line on standard error and an
exit code; a Python user catches :class:`WarptourError` for all of them.
"""

from __future__ import annotations

from os import PathLike, fspath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warptour.model.result import Result


class WarptourError(Exception):
    """Base of all errors raised on purpose. ``exit_code`` is what the command line ends with."""

    exit_code = 2


class InputError(WarptourError):
    """A file or array that is not a valid problem or solution.

    Parameters
    ----------
    message : str
        What is wrong and what would be right.
    path : path-like, optional
        The file at fault.
    line : int, optional
        Its line, counted from 1.
    """

    def __init__(self, message: str, path: str | PathLike[str] | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = None if path is None else fspath(path)
        self.line = line
        super().__init__(message)

    def __str__(self) -> str:
        place = "" if self.path is None else self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.message}" if place else self.message


class UsageError(WarptourError):
    """An option or argument that makes no sense, alone or with the others."""


class OutputError(UsageError):
    """A file or stream that could not be written: no place left, no permission, nobody who reads it."""

    exit_code = 74


class InfeasibleError(WarptourError):
    """The instance is proved to have no solution; the message gives the proof."""


class UnsupportedError(WarptourError):
    """A strategy, engine or device cannot do what the problem needs."""


class MissingLibrary(WarptourError):
    """An optional library or the native library is not there; the message says how to get it."""


class SearchFailed(WarptourError):
    """A fault of warptour ended the search; ``result`` holds the best solution until then, the cause says what it was.

    Parameters
    ----------
    result : Result
    """

    exit_code = 70

    def __init__(self, result: Result) -> None:
        self.result = result
        super().__init__("the search failed; `result` of this error holds the best solution until then")


class NothingFound(WarptourError):
    """The search ended without a feasible solution.

    Parameters
    ----------
    message : str
    result : Result, optional
        The closest miss, for those who can do with it; ``check`` says which limits it breaks.
    """

    exit_code = 1

    def __init__(self, message: str, result: Result | None = None) -> None:
        self.result = result
        super().__init__(message)


class InputWarning(UserWarning):
    """Input that may have been meant otherwise: a column that is not used, degrees measured as a plane."""


def shortage(error: BaseException) -> str | None:
    """Return what the machine ran out of, if that is what ``error`` says, else None."""
    if isinstance(error, MemoryError):
        return f"there is not enough memory ({error})" if str(error) else "there is not enough memory"
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return "the system starts no more threads"
    return None
