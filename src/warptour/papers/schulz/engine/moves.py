"""Moves of giant tours: 2-opt, and 3-opt with all three edges replaced (pure 3-opt).

A giant tour of N + 1 nodes has the edges 0 to N - 1; edge k joins the nodes at positions k and k + 1. A move removes
two or three of them and recombines the segments between them:

    (x, y)          A = [0..x]  B = [x+1..y]  C = [y+1..N]                 A B' C
    (x, y, z, p)    A = [0..x]  B = [x+1..y]  C = [y+1..z]  D = [z+1..N]   p = 0: A C B D
                                                                           p = 1: A C B' D
                                                                           p = 2: A C' B D
                                                                           p = 3: A B' C' D

B' is B reversed. The first and the last node, both copies of the depot, stay where they are. Moves are ranked
lexicographically, 2-opt before 3-opt; of equally good moves the best is the one of lowest rank.
"""

from __future__ import annotations

import numpy as np

from warptour.neighborhoods.move import Ints, Move


def apply(giant: Ints, move: Move) -> Ints:
    """Return the giant tour after ``move``."""
    if len(move) == 2:
        x, y = move
        return np.concatenate((giant[: x + 1], giant[x + 1 : y + 1][::-1], giant[y + 1 :]))
    x, y, z, way = move
    b, c = giant[x + 1 : y + 1], giant[y + 1 : z + 1]
    middle = ((c, b), (c, b[::-1]), (c[::-1], b), (b[::-1], c[::-1]))[way]
    return np.concatenate((giant[: x + 1], *middle, giant[z + 1 :]))
