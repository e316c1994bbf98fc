"""Versions of the program of Schulz (2011), from the Benchmark Version to its best.

Each section of the paper changes one thing. A version evaluates all neighbours of a giant tour into a *fitness
structure*, the delta and feasibility of each, and reduces that to the best feasible neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

UNFILTERED: Final = 0
MASKED: Final = 1
LISTED: Final = 2

BITS: Final = {
    "LEVELS": 0,
    "SHIFTS": 2,
    "SOA": 3,
    "INDEX_MODE": 4,
    "LAZY": 7,
    "REGISTERS": 8,
    "RECOMBINATION": 9,
    "CUT": 10,
    "COMPUTED": 11,
    "FILTER": 12,
    "NEWTON": 14,
}
"""First bit of each choice in the kernels' argument ``options``."""


@dataclass(frozen=True)
class Version:
    """One version of the program; the defaults are the Benchmark Version (section 6.1)."""

    # segments of a neighbour in registers (6.2); else in an array that a GPU keeps in its local memory
    registers: bool = False
    shared: bool = False  # part sizes of the hierarchy in shared memory (6.3)
    # "optimal" or "powers" or "eight": nodes of a part: n^(1/3), or n^(1/7) and n^(3/7) with two levels; the nearest
    # powers of two; or 8 (6.4)
    parts: str = "optimal"
    shifts: bool = False  # shifts in place of divisions by the size of a part, which must be a power of two (6.4)
    block: int = 128  # threads per block (6.5)
    tuned: bool = False  # each kernel with the block size that is quickest for it (6.5), where there is a choice
    layout: str = "aos"  # "aos" or "soa": array of structures, or structure of arrays (6.6)
    # "lexicographic" or "recombination": whether the recombination p varies fastest over 3-opt neighbours, or slowest
    # (6.6)
    order: str = "lexicographic"
    index: int = 1  # {1, 2, 3, 4}: index mode of the hierarchy: position-aware, jagged, merged pairs, dense (6.7)
    # "formula" or "cut": from a thread to its 2-opt neighbour: by a root, or by the cut triangle (6.8)
    mapping: str = "formula"
    lazy: bool = False  # compute each segment when it is needed (kernel mode one), or all of them first (6.9)
    levels: int = 1  # {0, 1, 2}: levels of the hierarchy above the segments of single parts (6.10)
    triples: str = "table"  # "table" or "computed" or "newton": from a thread to its 3-opt neighbour (6.11)
    combined: bool = False  # cost with length, and capacity with the number of routes, in one kernel each (6.13)
    # further objectives and constraints that one kernel evaluates (6.13), of cost, count, capacity and length
    together: tuple[str, ...] = ()
    # schedule the next iteration before the move has arrived, and write the move to mapped host memory (6.14)
    overlapped: bool = False

    def __post_init__(self) -> None:
        if self.shifts and self.parts == "optimal":
            raise ValueError("shifts take parts whose size is a power of two: powers or eight")

    def choices(self, filter: int = UNFILTERED) -> dict[str, int]:
        """Return the options of the kernels (``giant_hierarchy.h``), those in registers and shared memory included."""
        return {
            "LEVELS": self.levels,
            "SHIFTS": int(self.shifts),
            "SOA": int(self.layout == "soa"),
            "INDEX_MODE": self.index,
            "LAZY": int(self.lazy),
            "REGISTERS": int(self.registers),
            "RECOMBINATION": int(self.order == "recombination"),
            "CUT": int(self.mapping == "cut"),
            "COMPUTED": int(self.triples != "table"),
            "NEWTON": int(self.triples == "newton"),
            "FILTER": filter,
            "SHARED": int(self.shared),
        }

    def options(self, filter: int = UNFILTERED) -> int:
        """Return the same as the kernels' argument ``options``, where they are not compiled for the version."""
        choices = self.choices(filter)
        return sum(choices[name] << bit for name, bit in BITS.items())


BENCHMARK: Final = Version()

REGISTERS: Final = replace(BENCHMARK, registers=True)
SHARED: Final = replace(REGISTERS, shared=True)
POWERS: Final = replace(SHARED, parts="powers", shifts=True)
TUNED: Final = replace(POWERS, tuned=True)
DENSE: Final = replace(TUNED, index=4)
CUT: Final = replace(DENSE, mapping="cut")
LAZY: Final = replace(CUT, lazy=True, order="recombination")
FLAT: Final = replace(LAZY, levels=0, shared=False)
COMBINED: Final = replace(LAZY, combined=True)
FLAT_COMBINED: Final = replace(FLAT, combined=True)

BEST: Final = {2: replace(COMBINED, overlapped=True), 3: replace(FLAT_COMBINED, overlapped=True)}
"""The best version for 2-opt, and for complete 3-opt."""
