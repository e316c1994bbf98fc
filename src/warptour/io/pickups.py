"""Columns of amounts that are picked up at stops for the depot.

    name,x,y,demand,pickup          name,x,y,demand,type
    Baker,1,2,3,1                   Baker,1,2,3,delivery
    Cafe,5,1,,2                     Cafe,5,1,2,pickup

Where there are several loads, each has a column of its own, such as ``pickup_pallets``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from warptour.io.choices import StopChoices, said_pickups
from warptour.io.headers import LOAD, PICKUP, fold, ignoring
from warptour.io.sheet import Sheet
from warptour.io.source import quote
from warptour.io.tsplib import whole
from warptour.model.errors import InputError
from warptour.model.metric import Floats


def read_pickups(sheet: Sheet, places: Sequence[int], loads: Sequence[str]) -> Floats:
    """Return what is picked up at each row, of shape (rows, loads), from the columns at ``places``; empty is 0."""
    rows = sum(1 for _ in sheet.body())
    table = np.zeros((rows, len(loads)))
    owners: dict[int, str] = {}
    for at in places:
        header = sheet.header[at].strip()
        own = _dimension(sheet, header, loads)
        if own in owners:
            both = f"{quote(owners[own])} and {quote(header)}"
            raise sheet.header_error(f"the columns {both} both say what is picked up; {ignoring([header])}")
        owners[own] = header
        sheet.columns[PICKUP] = at
        amounts = np.nan_to_num(sheet.numbers([PICKUP], optional=[PICKUP])[:, 0])
        if (amounts < 0).any():
            row = int((amounts < 0).argmax())
            fault = f"{quote(header)} is {amounts[row]:g}; it must be at least 0; or {ignoring([header])}"
            raise InputError(fault, sheet.path, sheet.line(row))
        table[:, own] = amounts
    return table


def _dimension(sheet: Sheet, header: str, loads: Sequence[str]) -> int:
    """Return the number of the load that a column is of."""
    if len(loads) == 1:
        return 0
    names = [load.removeprefix(LOAD) for load in loads]
    named = [at for at, name in enumerate(names) if name and name in fold(header).split("_")]
    plain = [at for at, name in enumerate(names) if not name]
    if not named and not plain:
        right = f"call it pickup_{names[0]}; or {ignoring([header])}"
        raise sheet.header_error(f"{quote(header)} does not say which of the loads {', '.join(names)} it is; {right}")
    return (named or plain)[0]


def pickup_fields(choices: StopChoices, demands: Any, pickups: Floats, shipped: Collection[int]) -> dict[str, Any]:
    """Return demands and pickups as fields of a VRP; both are tables of the same shape.

    The demand of a row that is called a pickup, and is in no shipment, is what is picked up there.
    """
    taken = said_pickups(choices, len(demands))
    taken[[*shipped]] = False
    pickups = pickups + np.where(taken[:, None], demands, 0)
    if not pickups.any():
        return {}
    demands = np.where(taken[:, None], 0, demands)
    more = {"more_demands": demands[:, 1:]} if demands.shape[1] > 1 else {}
    return {"demands": whole(demands[:, 0]), "pickups": whole(pickups), **more}
