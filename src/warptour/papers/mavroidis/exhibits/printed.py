"""Values that Mavroidis (2011) prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Area:
    """A row of table 1: slices, 18-bit multipliers and clock on a Virtex-II Pro."""

    n: int
    slices: int
    multipliers: int
    megahertz: float


@dataclass(frozen=True)
class Loops:
    """A row of table 2: microseconds of Concorde's 2-opt, loops and microseconds of the machine, their ratio."""

    n: int
    concorde: float
    loops: int
    machine: float
    speed_up: float


@dataclass(frozen=True)
class PrintedTours:
    """A row of the table of chapter 6: percent above the optimum and milliseconds of each method.

    Concorde's 2-opt on a CPU; symmetric 2-opt on a CPU (Pentium, 3 GHz) and a GPU (GTX 280); with annealing on the GPU.
    """

    n: int
    concorde: float
    concorde_ms: float
    descent: float
    cpu_ms: float
    gpu_ms: float
    annealed: float
    annealed_ms: float


TABLE_1: Final = {
    "berlin52": Area(52, 3295, 13, 184),
    "eil76": Area(76, 4823, 19, 178),
    "rd100": Area(100, 6332, 25, 184),
    "ch150": Area(150, 9390, 37, 165),
    "ts225": Area(225, 14143, 56, 171),
    "pr299": Area(299, 18749, 74, 165),
}

TABLE_2: Final = {
    "eil51": Loops(51, 460, 234, 54.6, 8.42),
    "tsp225": Loops(225, 1800, 1129, 263.4, 6.83),
    "pr1002": Loops(1002, 5720, 5576, 1301, 4.40),
    "rl1304": Loops(1304, 17380, 18607, 4342, 4.00),
    "vm1748": Loops(1748, 30800, 31747, 7408, 4.16),
    "u2319": Loops(2319, 12330, 8585, 2003, 6.16),
    "fnl4461": Loops(4461, 111350, 84940, 19819, 5.62),
}

CHAPTER_6: Final = {
    "pr124": PrintedTours(124, 5.3, 0.78, 3.1, 1230, 9.7, 1.4, 69),
    "bier127": PrintedTours(127, 19.7, 1.40, 10, 1430, 18.7, 3.8, 94),
    "ch130": PrintedTours(130, 21, 1.38, 10, 1600, 22.2, 2.1, 99),
    "pr152": PrintedTours(152, 8, 1.30, 2.8, 1490, 25.6, 1.9, 175),
    "d198": PrintedTours(198, 11.2, 1.54, 6.8, 3110, 26.2, 3.9, 400),
    "kroA200": PrintedTours(200, 32.6, 2.14, 12.3, 4130, 48.4, 2.5, 421),
    "tsp225": PrintedTours(225, 20, 1.32, 8.2, 3400, 27.2, 3.2, 720),
    "lin318": PrintedTours(318, 27.3, 3.00, 17.1, 7890, 78.8, 4.2, 2690),
    "d493": PrintedTours(493, 13.2, 4.80, 10.5, 23280, 155, 4.3, 5470),
    "p654": PrintedTours(654, 18.5, 5.30, 14.1, 37390, 377, 4.3, 33200),
    "pcb1173": PrintedTours(1173, 35.8, 9.10, 11.9, 204980, 704, 4.8, 318400),
    "rl1323": PrintedTours(1323, 44.7, 17.6, 16.5, 372630, 858, 4.7, 559300),
    "u1817": PrintedTours(1817, 16.8, 9.00, 16.2, 223610, 740, 4.9, 728160),
}

OTHER_OPTIMA: Final = {"kroA200": (29437, "the optimum of kroB200"), "tsp225": (3919, "its optimum in older lists")}
"""Lengths below the printed errors that may have stood in for an optimum of chapter 6, and what they are."""

QUICK: Final = 2
"""Number of instances of a table that ``--quick`` measures."""
