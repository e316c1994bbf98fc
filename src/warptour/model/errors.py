"""Hierarchy of all exceptions that warptour raises on purpose.

The command line turns each of them into one line on standard error and an exit
code; Python users catch :class:`WarptourError` for all of them.
"""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

from warptour.model.audience import addressed


class WarptourError(Exception):
    """Base of all exceptions raised on purpose. ``exit_code`` is the exit status of the command line."""

    exit_code = 2

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*(addressed(each) if isinstance(each, str) else each for each in arguments))


class InputError(WarptourError):
    """A file or array that is not a valid problem or solution.

    Parameters
    ----------
    message : str
        What is wrong and how to fix it.
    path : path-like, optional
        The offending file.
    line : int, optional
        Line number, counted from 1.
    """

    def __init__(self, message: str, path: str | PathLike[str] | None = None, line: int | None = None) -> None:
        self.message = addressed(message)
        self.path = None if path is None else fspath(path)
        self.line = line
        super().__init__(message)

    def __str__(self) -> str:
        place = "" if self.path is None else self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.message}" if place else self.message


class UsageError(WarptourError):
    """An invalid option or argument, alone or in combination."""


class OutputError(UsageError):
    """A file or stream that cannot be written: disk full, no permission, or the reader has gone."""

    exit_code = 74


class InfeasibleError(WarptourError):
    """The instance is proved infeasible; the message gives the proof."""


class UnsupportedError(WarptourError):
    """A strategy, engine or device that does not support a feature of the problem."""


class MissingLibrary(WarptourError):
    """An optional library or the native library is missing; the message says how to install it."""


class SearchFailed(WarptourError):
    """A defect in warptour ended the search; ``result`` holds the best solution so far.

    The original error is the cause of this one.

    Parameters
    ----------
    result : Result
    """

    exit_code = 70

    def __init__(self, result: Any) -> None:
        self.result = result
        super().__init__("the search failed; `result` of this error holds the best solution until then")


class NothingFound(WarptourError):
    """The search ended without a feasible solution.

    Parameters
    ----------
    message : str
    result : Result, optional
        The best infeasible solution; ``check`` lists the limits it violates.
    """

    exit_code = 1

    def __init__(self, message: str, result: Any = None) -> None:
        self.result = result
        super().__init__(message)


class InputWarning(UserWarning):
    """Input that may be a mistake: an unused column, or degrees measured in the plane."""


UNMAPPED = ("failed to map segment", "cannot allocate memory")
"""What the dynamic loader says of a library for which there is no memory."""


def shortage(error: BaseException) -> str | None:
    """Return which resource ``error`` reports as exhausted, or None if it is another kind of error."""
    if isinstance(error, MemoryError):
        return f"there is not enough memory ({error})" if str(error) else "there is not enough memory"
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return "the system starts no more threads"
    if isinstance(error, ImportError) and any(words in str(error) for words in UNMAPPED):
        return "there is not enough memory to load the program"
    return None
