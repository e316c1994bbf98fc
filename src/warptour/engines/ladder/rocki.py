"""The rungs of Rocki (2013)."""

from __future__ import annotations

from typing import Final

from warptour.engines.ladder.rung import Rung

ROCKI: Final[tuple[Rung, ...]] = ()
