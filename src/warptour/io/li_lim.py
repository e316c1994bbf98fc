"""Li and Lim's text of pickups and deliveries with time windows.

    25   200   1
    0   40   50    0     0   1236    0    0    0
    1   45   68  -10   912    967   90   11    0
    ...
    11  35   69   10   448    505   90    0    1

First the number of vehicles, their capacity and a speed, which has no meaning: travel times equal distances. Then the
tasks in order from the depot, task 0, with a place, demand, ready time, due date, service time, and the numbers of the
pickup of a delivery and the delivery of a pickup; the other of the two is 0.
"""

from __future__ import annotations

import math
import re
from os import PathLike, fspath
from pathlib import Path
from typing import Final

import numpy as np

from warptour.io.cordeau import NUMBERS
from warptour.io.rows import row_line
from warptour.io.sections import INK, NUMBER, Document, Section
from warptour.io.solomon import check_vehicles, read_visits, refuse_rows
from warptour.io.source import STANDARD_INPUT, load_lines, quote
from warptour.io.tsplib import whole
from warptour.model.errors import InputError
from warptour.model.metric import METRICS, Floats
from warptour.model.shipments import Shipment
from warptour.model.vehicles import VRP
from warptour.model.windows import TimeWindows

FALLBACK_NAME: Final = "tasks"
"""Name of what comes from standard input."""
LAYOUT: Final = "task x y demand ready due service pickup delivery"
FIRST_LINE: Final = re.compile(NUMBERS % 2)
"""Vehicles, their capacity and a speed."""
HEAD: Final = re.compile(NUMBERS % 2 + rb"\n" + NUMBERS % 8 + rb"(?:\n|\Z)")
"""The first line and the depot: what tells this text from a table on standard input."""


def is_li_lim(data: bytes) -> bool:
    """Return whether the contents of a ``.txt`` are Li and Lim's: the first line says so, as others may have faults."""
    return FIRST_LINE.fullmatch(data, *_first_line(data)) is not None


def _first_line(data: bytes) -> tuple[int, int]:
    """Return where the first line that is not blank begins and ends."""
    ink = INK.search(data)
    begin = len(data) if ink is None else ink.start()
    end = data.find(b"\n", begin)
    return begin, len(data) if end < 0 else end


def read_li_lim(path: str | PathLike[str]) -> VRP:
    """Read pickups and deliveries in Li and Lim's text, whose shipments are the pairs of tasks.

    Raises :class:`InputError` with the line of the fault and the expected input.
    """
    document = Document(fspath(path), load_lines(path))
    begin, end = _first_line(document.data)
    line = document.line_at(begin)
    count, capacity = _vehicles(document, document.data[begin:end], line)
    section = Section("TASKS", line, end, len(document.data))
    rows = read_visits(document, section, LAYOUT, "task")
    pairs = _pairs(document, section, rows)
    name = FALLBACK_NAME if document.path == STANDARD_INPUT else Path(document.path).stem
    try:
        return VRP(
            name, METRICS["EUCLIDEAN"], rows[:, 1:3], labels=tuple(map(str, range(len(rows)))),
            demands=whole(rows[:, 3]), capacity=int(capacity) if capacity == int(capacity) else capacity,
            vehicles=int(count), service_times=rows[:, 6], windows=TimeWindows.of(rows[:, 4:6], len(rows)),
            shipments=pairs,
        )  # fmt: skip
    except InputError as error:
        document.fail(error.message, row_line(document, section, 0))


def _vehicles(document: Document, text: bytes, line: int) -> tuple[float, float]:
    """Return the number of vehicles and their capacity."""
    words = text.split()
    for word in words:
        if not NUMBER.fullmatch(word) or not math.isfinite(float(word)):
            fault = f"{quote(word)} is not a number; the first line is 'vehicles capacity speed'"
            document.fail(fault, line)
    count, capacity, _ = map(float, words)
    check_vehicles(document, count, capacity, line)
    return count, capacity


def _pairs(document: Document, section: Section, rows: Floats) -> tuple[Shipment, ...]:
    """Return each pickup with its delivery, and refuse tasks that have no partner or one that is another's."""
    n = len(rows)
    demand, pickup, delivery = rows[:, [3, 7, 8]].T
    at, task = np.arange(n), np.arange(n) > 0
    partner = np.where(pickup != 0, pickup, delivery)
    known = (partner == np.floor(partner)) & (partner >= 1) & (partner < n)
    table = np.column_stack([rows, partner])
    faults = {
        "task {row}, the depot, has the partner {9:.15g}; it must be 0": ~task & (partner != 0),
        "task {row} has the pickup {7:.15g} and the delivery {8:.15g}; one of them must be 0": (
            task & (pickup != 0) & (delivery != 0)
        ),
        "task {row} has neither a pickup nor a delivery; its partner is missing": task & (partner == 0),
        f"task {{row}} has the partner {{9:.15g}}, which is not one of the tasks 1..{n - 1}": task & ~known,
    }
    refuse_rows(document, section, table, faults)
    other = partner.astype(np.int64)
    back = np.where(pickup != 0, delivery[other], pickup[other])
    faults = {
        "task {row} has the partner {9:g}, which does not name it in turn": task & (back != at),
        "task {row} is a pickup and has the demand {3:g}; it must be at least 0": task & (delivery != 0) & (demand < 0),
        "task {row} has the demand {3:g}, but its partner {9:g} not the opposite": task & (demand[other] != -demand),
    }
    refuse_rows(document, section, table, faults)
    pickups = np.flatnonzero(delivery != 0)
    ends = zip(pickups.tolist(), other[pickups].tolist(), strict=True)
    return tuple(Shipment(pickup, delivery) for pickup, delivery in ends)
