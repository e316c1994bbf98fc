"""All rungs by name, in the order of their papers."""

from __future__ import annotations

from typing import Final

from warptour.engines.ladder.ermis import ERMIS
from warptour.engines.ladder.oneil import ONEIL
from warptour.engines.ladder.rocki import ROCKI
from warptour.engines.ladder.rung import Rung

RUNGS: Final[dict[str, Rung]] = {rung.name: rung for rung in (*ONEIL, *ROCKI, *ERMIS)}
