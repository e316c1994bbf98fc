"""Who is told of progress with roads, where a problem is read and nobody passes that on."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from warptour.roads.extract import Report

LISTENER: Final[ContextVar[Report | None]] = ContextVar("LISTENER", default=None)
"""Is told of progress by all that is built while it is set."""
