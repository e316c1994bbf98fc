"""Errors as one line and an exit code."""

from __future__ import annotations

import os
import traceback

from warptour.cli.show import printable
from warptour.model.errors import WarptourError

INTERNAL = 70
"""Exit code of a fault in warptour itself, as sysexits.h has it."""


def explain(error: Exception) -> tuple[str, int]:
    """Return one line for people and the exit code for programs. WARPTOUR_DEBUG=1 prints the traceback first."""
    if os.environ.get("WARPTOUR_DEBUG", "0") not in ("", "0"):
        traceback.print_exception(error)
    if isinstance(error, WarptourError):
        return _one_line(str(error)), error.exit_code
    usage = getattr(error, "format_message", None)  # typer's own errors, whichever click they come from
    if usage is not None:
        return _one_line(f"{usage()} {_hint(error)}"), 2
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return _one_line(f"{place}{error.strerror or error}"), 2
    if isinstance(error, MemoryError):
        return "there is not enough memory for this", INTERNAL
    what = f"{type(error).__name__}: {error}"
    return _one_line(f"internal error, please report it ({what}); WARPTOUR_DEBUG=1 shows where"), INTERNAL


def _hint(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return f"(see {context.command_path} --help)" if context is not None else ""


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))
