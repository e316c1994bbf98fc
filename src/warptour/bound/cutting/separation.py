"""What cuts are looked for, cheap ones first."""

from __future__ import annotations

import numpy as np

from warptour.bound.cutting.combs import combs
from warptour.bound.cutting.cut import TourCut
from warptour.bound.cutting.subtours import subtours
from warptour.bound.cutting.support import Shrunk, Support
from warptour.bound.cutting.walks import violation, walk_cuts
from warptour.bound.instance import Ints
from warptour.kernels.groups import Over

ATOMS = (0, 8, 10, 12)
"""Groups of nodes that closed walks lead through, level by level; 0 for none."""

ROOT_LEVEL, LAST_LEVEL = len(ATOMS) - 1, 1
"""Highest level at the root, and in other subproblems."""

ENOUGH = 20
"""Cuts of a round after which no others are looked for."""

MOST_WALKS = 60
"""Maximum number of cuts from closed walks in a round."""

LEAST = 0.005
"""Least violation of other cuts than subtours."""


class Separation:
    """Cuts of a subproblem, level by level."""

    def __init__(self, over: Over) -> None:
        self._over = over
        self._rng = np.random.default_rng(0)
        self._level = self._highest = 0

    def begin(self, root: bool) -> None:
        """Begin a subproblem."""
        self._level, self._highest = 0, ROOT_LEVEL if root else LAST_LEVEL

    def harder(self) -> bool:
        """Go on to the next level; return whether there is one."""
        self._level += 1
        return self._level <= self._highest

    def cuts(self, support: Support, tour: Ints) -> list[TourCut]:
        """Return violated cuts; none if this level finds none."""
        found = subtours(support, tour)
        if len(found) >= ENOUGH:
            return found
        shrunk = Shrunk(support)
        for cut in (*combs(support), *combs(support, shrunk.label)):
            if violation(cut, support) > LEAST:
                found.append(cut)
        atoms = ATOMS[min(self._level, self._highest)]
        if len(found) < ENOUGH and atoms:
            found += walk_cuts(support, shrunk, atoms, self._rng, self._over, MOST_WALKS)
        return found
