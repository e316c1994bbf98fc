"""Whom messages are for. Programs have arrays, whose nodes count from 0, and arguments; who is at the command line has
files, whose nodes count from 1, and options. Messages about a file count as it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

OPTION: Final = re.compile(r"(?<![\w-])--(no-)?([a-z][a-z-]*[a-z])")
ARGUMENTS: Final = {"from": "first", "to": "last"}
"""Arguments that have another name than their option."""

_commanded: list[bool] = []
"""Whether this process is the command, for all of its threads; empty or one entry."""
_of_files: Final[ContextVar[bool]] = ContextVar("of_files", default=False)


def count(node: int) -> int:
    """Return the number that a message has for a node."""
    return int(node) + (1 if _commanded or _of_files.get() else 0)


def numbered(nodes: Iterable[int]) -> str:
    """Return the numbers of several nodes."""
    return ", ".join(str(count(node)) for node in nodes)


def span(n: int) -> str:
    """Return the numbers of all nodes: ``1..5``, or ``0..4``."""
    return f"{count(0)}..{count(n - 1)}"


def addressed(text: str) -> str:
    """Return a message with arguments in place of options, unless it is for the command line."""
    return text if _commanded or "--" not in text else OPTION.sub(_argument, text)


def _argument(option: re.Match[str]) -> str:
    name = option[2].replace("-", "_")
    return ARGUMENTS.get(name, name) + ("=False" if option[1] else "")


@contextmanager
def as_files_count() -> Iterator[None]:
    """Count nodes from 1 meanwhile, in this thread."""
    token = _of_files.set(True)
    try:
        yield
    finally:
        _of_files.reset(token)


@contextmanager
def at_the_command_line() -> Iterator[None]:
    """Write messages for the command line meanwhile, in all threads."""
    _commanded.append(True)
    try:
        yield
    finally:
        _commanded.pop()
