"""The rungs of Ermis (2015)."""

from __future__ import annotations

from typing import Final

from warptour.engines.ladder.rung import Rung

ERMIS: Final[tuple[Rung, ...]] = ()
