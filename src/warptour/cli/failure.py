"""Conversion of errors to one line and an exit code."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress

from warptour.cli.show import printable
from warptour.model.errors import OutputError, SearchFailed, WarptourError, shortage

INTERNAL = SearchFailed.exit_code
"""Exit code of a defect in warptour itself (EX_SOFTWARE of sysexits.h)."""
SHORTAGE = 71
"""Exit code when memory or threads run out or a device fails (EX_OSERR of sysexits.h)."""
UNWRITTEN = OutputError.exit_code
"""Exit code when output cannot be written (EX_IOERR of sysexits.h)."""


def explain(error: Exception) -> tuple[str, int]:
    """Return a one-line message and the exit code. WARPTOUR_DEBUG=1 prints the traceback first."""
    if os.environ.get("WARPTOUR_DEBUG", "0") not in ("", "0"):
        with suppress(OSError):
            traceback.print_exception(error)
    if isinstance(error, SearchFailed) and isinstance(error.__cause__, Exception):
        error = error.__cause__
    if isinstance(error, WarptourError):
        return _one_line(str(error)), error.exit_code
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return _one_line(f"{place}{error.strerror or error}"), UNWRITTEN
    lack = shortage(error)
    if lack is not None:
        return _one_line(lack), SHORTAGE
    what = f"{type(error).__name__}: {error}"
    return _one_line(f"internal error, please report it ({what}); WARPTOUR_DEBUG=1 shows where"), INTERNAL


def complain(text: str) -> None:
    """Print a line on standard error, if it is open; failures are ignored."""
    if sys.stderr is not None:  # print would write to stdout for None
        with suppress(OSError, ValueError):
            print(text, file=sys.stderr, flush=True)


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))
