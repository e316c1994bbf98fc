"""The rungs of O'Neil and Burtscher (2015)."""

from __future__ import annotations

from typing import Final

from warptour.engines.ladder.rung import Rung

ONEIL: Final[tuple[Rung, ...]] = ()
