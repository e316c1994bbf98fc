"""Tables with a row for each node, as TSPLIB's sections have them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warptour.io.rows import read_table, row_line, word_line
from warptour.io.sections import Document, Section
from warptour.model.metric import Floats


@dataclass
class NodeTables:
    """A document, its declared number of nodes, and whether it numbers them from 0 or 1 (None until known)."""

    document: Document
    n: int
    base: int | None = None

    def rows(self, section: Section, layout: str) -> Floats:
        """Return the columns after the first of a table with one row per node, in node order."""
        document, n = self.document, self.n
        table = read_table(document, section, layout)
        if len(table) != n:
            line = row_line(document, section, n) if len(table) > n else document.last_line(section)
            document.fail(f"{section.name} has {len(table)} lines, but DIMENSION is {n}", line)
        nodes = table[:, 0]
        if self.base is None:
            self.base = 0 if (nodes == 0).any() else 1
        expected = np.arange(self.base, n + self.base)
        if np.array_equal(nodes, expected):
            return np.ascontiguousarray(table[:, 1:])
        wrong = (nodes != np.floor(nodes)) | (nodes < self.base) | (nodes >= n + self.base)
        if wrong.any():
            at = int(wrong.argmax())
            message = f"{nodes[at]:.15g} is not a node; they are {self.base}..{n - 1 + self.base}"
            document.fail(message, row_line(document, section, at))
        index = nodes.astype(np.int64) - self.base
        order = np.argsort(index, kind="stable")
        again = np.flatnonzero(np.diff(index[order]) == 0)
        if len(again):
            at = int(order[again + 1].min())
            message = f"node {index[at] + self.base} for the second time in {section.name}"
            document.fail(message, row_line(document, section, at))
        return np.ascontiguousarray(table[order, 1:])

    def nodes(self, section: Section, numbers: Floats, line: int | None = None) -> NDArray[np.int32]:
        """Return node numbers of the file as indices from 0; ``line`` is theirs, if it is not that of their place."""
        base = 1 if self.base is None else self.base
        wrong = (numbers != np.floor(numbers)) | (numbers < base) | (numbers >= self.n + base)
        if wrong.any():
            at = int(wrong.argmax())
            message = f"{numbers[at]:.15g} is not a node; they are {base}..{self.n - 1 + base}"
            self.document.fail(message, line or word_line(self.document, section, at))
        return (numbers - base).astype(np.int32)

    def line_of(self, node: int, section: Section, layout: str) -> int:
        """Return the line number of a node (index from 0) in a table read by :meth:`rows`."""
        nodes = read_table(self.document, section, layout)[:, 0] - (self.base or 0)
        return row_line(self.document, section, int(np.flatnonzero(nodes == node)[0]))
