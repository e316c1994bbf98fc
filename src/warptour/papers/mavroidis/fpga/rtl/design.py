"""Parameters of a design, what follows from them, and its cycles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from warptour.model.errors import UsageError
from warptour.papers.mavroidis.fpga.cost import EVALUATION, LOOP, CostModel
from warptour.papers.mavroidis.fpga.groups import groups_of, most_elements
from warptour.papers.mavroidis.fpga.thresholds import AnnealingSchedule

SMALLEST: Final = 4
"""Cities of the smallest design, which has one processing element."""


@dataclass(frozen=True)
class Roots:
    """Root units: binary places of a root, and cycles between two roots of a unit."""

    fraction: int = 4
    interval: int = 4


@dataclass(frozen=True)
class Design:
    """A machine for ``n`` cities."""

    n: int  # number of cities
    elements: int = 0  # number of processing elements, at most n // 4; 0 stands for that
    coordinate: int = 15  # bits of a coordinate, 15 in the thesis; the register of a city has twice as many
    # sum squared distances in 2 ``coordinate`` + 3 bits, which always suffice, and not in the 2 ``coordinate`` + 2 of
    # the thesis, 32, which suffice if no move changes the sum by 2^31 or more
    wide: bool = False
    roots: Roots | None = None  # without, the machine compares squared distances
    annealing: AnnealingSchedule | None = None  # schedule of the first loops
    early: int | None = None  # stop once n - 1 loops shortened the tour by less than 2^-early of its length
    # whether units refer to each other by the names of their Verilog modules, as in Verilog files; the simulator needs
    # them in place
    instances: bool = False

    def __post_init__(self) -> None:
        most = most_elements(self.n)
        if not self.elements:
            object.__setattr__(self, "elements", most)
        if self.n < SMALLEST:
            raise UsageError(f"a machine has at least {SMALLEST} cities, not {self.n}")
        if not 1 <= self.elements <= most:
            raise UsageError(f"{self.n} cities have use for 1 to {most} processing elements, not {self.elements}")
        if not 2 <= self.coordinate <= 24:
            raise UsageError(f"a coordinate has 2 to 24 bits, not {self.coordinate}")
        if self.roots is not None and (self.roots.fraction < 0 or self.roots.interval < 2):
            raise UsageError("a root has no negative number of places, and takes an interval of 2 cycles or more")

    @property
    def fraction(self) -> int:
        """Binary places of a root: at least those asked for, and a whole number of digits in every stage."""
        assert self.roots is not None
        return self.roots.fraction + -(self.coordinate + 1 + self.roots.fraction) % self.roots.interval

    @property
    def root_bits(self) -> int:
        return self.coordinate + 1 + self.fraction

    @property
    def rise_bits(self) -> int:
        """Bits of the change that a move makes, signed."""
        return 2 * self.coordinate + 2 + self.wide if self.roots is None else self.root_bits + 2

    @property
    def sum_bits(self) -> int:
        """Bits of the change less a threshold."""
        return self.rise_bits + (self.annealing is not None)

    @property
    def edge_bits(self) -> int:
        """Bits of the length of an edge."""
        return 2 * self.coordinate + 2 if self.roots is None else self.root_bits

    @property
    def pairs(self) -> int:
        """Pairs of an even and an odd group in a loop."""
        return len(groups_of(self.n, self.elements)) // 2

    @property
    def reversals(self) -> int:
        """Number of reversal registers: the longest middle of a group."""
        return 2 * self.elements * (self.pairs - 1) + 1 if self.pairs > 1 else 0

    @property
    def outside(self) -> tuple[int, int]:
        """Number of elements of the last even and odd group whose segments exceed half the tour."""
        half, widest = self.n // 2, 2 * self.elements * self.pairs
        even, odd = (max(0, (widest + one - half) // 2) for one in (0, 1))
        return even, odd

    @property
    def unit(self) -> float:
        """Length of 1 in a sum, in units of the coordinates or of their squares."""
        return 1.0 if self.roots is None else 2.0**-self.fraction

    @property
    def thresholds(self) -> list[int]:
        """Table of thresholds, empty without annealing."""
        return self.annealing.table(self.unit, 1 << (self.rise_bits - 1)) if self.annealing else []

    @property
    def stage_bits(self) -> int:
        """Bits of the number of a level of temperature."""
        return max(1, (len(self.annealing.temperatures) - 1).bit_length()) if self.annealing else 0

    @property
    def evaluation(self) -> int:
        """Cycles of an evaluation: 12 with squares, else three intervals, a root's digits and the pipeline's 7."""
        return EVALUATION if self.roots is None else 3 * self.roots.interval + self.root_bits + 7

    def model(self, megahertz: float = 150.0) -> CostModel:
        """Return the cost model of the design at a clock frequency."""
        return CostModel(LOOP + 2 * (self.evaluation - EVALUATION), megahertz)
