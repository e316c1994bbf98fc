"""Rung ``vector``: rows of moves dealt to threads, columns in vectors, after Rocki's CPU kernel (2013)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from warptour.devices import Device
from warptour.kernels.library import variant
from warptour.model.problem import TSP
from warptour.papers.rocki.engine.sliced_scan import LANES, SlicedScan, moves_per_launch, row_slices
from warptour.papers.scans.tour_scan import fast_special

WIDTHS: Final = (1, 2, 4, 8, 16)
"""Columns that a lane evaluates together; natively, the kernel of width 1 is not vectorised by the compiler either."""

ROOTS: Final = {"exact": "ladder_vector", "fast": "ladder_vector_fast"}
"""Kernel of each kind of square root: correctly rounded, or by an estimate where the processor has one."""

GPU_WIDTH: Final = 16
CORE_MOVES, GPU_SECONDS = 1_500_000, 1e-2
"""See :func:`moves_per_launch`; on a core for each column of a vector."""


def best_width(device: Device) -> int:
    """Return the width for a device: as many float32 as a vector register of a CPU holds, ``GPU_WIDTH`` on a GPU."""
    if device.lanes > 1:
        return GPU_WIDTH
    return {"avx512": 16, "avx2": 8}.get(variant(), 4) if device.is_host else device.simd


class VectorScan(SlicedScan):
    """All moves, row by row, in vectors of columns; coordinates in tour order."""

    def __init__(
        self,
        problem: TSP,
        device: Device,
        width: int | None = None,  # one of ``WIDTHS``; by default :func:`best_width`
        root: str | None = None,  # a key of ``ROOTS``; by default exact on a CPU and fast on a GPU
        groups: int | None = None,  # as for :class:`SlicedScan`
    ) -> None:
        self.width = best_width(device) if width is None else width
        call = moves_per_launch(device, CORE_MOVES * self.width, GPU_SECONDS)
        super().__init__(problem, device, call, groups)
        source = ROOTS[root or ("exact" if device.lanes == 1 else "fast")]
        lanes = LANES if device.lanes > 1 else 1
        width_of_build = {"SIMD" if device.vector_types else "WIDTH": self.width}
        self._kernel = f"{source}_{self.width}"
        self._program = device.build(source, fast_special(problem), lanes=lanes, **width_of_build)

    def slices(self) -> Iterator[tuple[int, int, int]]:
        """Yield ranges of rows."""
        return row_slices(self.problem.n, self.call, self.groups)

    def launch(self, first: int, last: int) -> None:
        """Evaluate the moves of some rows."""
        self._program.launch(
            self._kernel, self.groups, np.int32(self.problem.n), np.int32(first), np.int32(last), *self._lap[:2],
            self.gains, self.ranks,
        )  # fmt: skip
