"""Forms of symmetric 2-opt on a device: a tour per group of lanes, or spread over blocks as in Mavroidis (2011)."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from warptour.devices import Device
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.papers.mavroidis.engine.blocks import SymmetricBlocks
from warptour.papers.mavroidis.engine.rows import TourRows, exact_rows

Form: TypeAlias = Literal["group", "blocks"]


def rows_in(
    form: Form,
    device: Device,
    problem: TSP,
    tours: NDArray[np.int32],
    *,
    block: int,
    busy: bool = False,
    **schedule: Any,
) -> TourRows:
    """Return the tours in a form; all forms make the same moves.

    ``form``: "group" or "blocks": a group of lanes per tour, in the fastest kernel for it; or one tour at a time,
        spread over blocks
    ``device``, ``problem``, ``tours``, ``**schedule``: as for :class:`~warptour.papers.mavroidis.engine.rows.TourRows`
    ``block``: elements per block
    ``busy``: whether the tours anneal
    """
    if form == "blocks":
        return SymmetricBlocks(device, problem, tours, block=block, **schedule)
    return exact_rows(device, problem, tours, busy=busy, **schedule)


def check_form(form: str) -> None:
    """Refuse a form that there is not."""
    if form not in get_args(Form):
        raise UsageError(f"unknown form {form!r}; there are {', '.join(get_args(Form))}")
