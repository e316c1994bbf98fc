"""EDGE_WEIGHT_SECTION: a distance matrix in any of TSPLIB's nine layouts.

By symmetry only three are distinct: the full matrix, the triangle with shrinking rows (``UPPER_ROW``,
``LOWER_COL``) and the one with growing rows (``LOWER_ROW``, ``UPPER_COL``), the triangles with or without the
diagonal.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from warptour.io.rows import read_stream, word_line
from warptour.io.sections import Document
from warptour.io.source import quote
from warptour.model.metric import Floats
from warptour.model.problem import SYMMETRY

SHRINKING: Final = ("UPPER_ROW", "LOWER_COL", "UPPER_DIAG_ROW", "LOWER_DIAG_COL")
GROWING: Final = ("LOWER_ROW", "UPPER_COL", "LOWER_DIAG_ROW", "UPPER_DIAG_COL")
FORMATS: Final = ("FULL_MATRIX", *SHRINKING, *GROWING)

LARGEST: Final = 2.0**52
"""Maximum distance: beyond it, float64 sums are no longer exact."""


def read_matrix(document: Document, n: int, *, asymmetric: bool) -> Floats:
    """Return the (n, n) distances of an EXPLICIT file, symmetric up to rounding unless they may be ``asymmetric``.

    As TSPLIB specifies, the section is one stream of numbers; line breaks do not matter. Memory is allocated by the
    actual size of the data, not by DIMENSION.
    """
    kind = document.headers["EDGE_WEIGHT_TYPE"]
    if "EDGE_WEIGHT_FORMAT" not in document.headers:
        document.fail(f"EXPLICIT needs an EDGE_WEIGHT_FORMAT, one of {', '.join(FORMATS)}", kind.line)
    layout = document.word("EDGE_WEIGHT_FORMAT")
    if layout not in FORMATS:
        line = document.headers["EDGE_WEIGHT_FORMAT"].line
        document.fail(f"EDGE_WEIGHT_FORMAT {quote(layout)} is not one of {', '.join(FORMATS)}", line)
    section = document.require("EDGE_WEIGHT_SECTION", "EXPLICIT needs one", kind.line)
    weights = read_stream(document, section)
    diagonal = 1 if "DIAG" in layout else 0
    expected = n * n if layout == "FULL_MATRIX" else n * (n - 1) // 2 + diagonal * n
    if len(weights) != expected:
        line = word_line(document, section, expected) if len(weights) > expected else document.last_line(section)
        document.fail(f"{len(weights)} weights; a {layout} of DIMENSION {n} has {expected}", line)
    large = np.abs(weights) > LARGEST
    if large.any():
        at = int(large.argmax())
        document.fail(f"the weight {weights[at]:g} is beyond 2**52", word_line(document, section, at))
    if layout == "FULL_MATRIX":
        matrix = weights.reshape(n, n)
        if asymmetric:
            return matrix
        whole = bool((np.floor(weights) == weights).all())
        for i in range(n):
            there, back = matrix[i, i + 1 :], matrix[i + 1 :, i]
            if (there == back).all():
                continue
            wrong = np.abs(there - back) > (0.0 if whole else SYMMETRY) * np.maximum(np.abs(there), np.abs(back))
            if wrong.any():
                j = i + 1 + int(wrong.argmax())
                message = (
                    f"the matrix is asymmetric: {matrix[i, j]:g} from node {i + 1} to {j + 1}, {matrix[j, i]:g} back; "
                )
                line = word_line(document, section, i * n + j)
                document.fail(message + "that takes TYPE ATSP", line)
        return matrix
    matrix = np.zeros((n, n))
    at = 0
    for node in range(n):
        first, last = (node + 1 - diagonal, n) if layout in SHRINKING else (0, node + diagonal)
        row = weights[at : at + last - first]
        matrix[node, first:last] = row
        matrix[first:last, node] = row
        at += last - first
    return matrix
