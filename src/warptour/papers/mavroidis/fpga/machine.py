"""Emulation in plain Python of the symmetric 2-opt machine of Mavroidis (2011, chapter 5), loop by loop.

It is the reference for ``kernels/papers/mavroidis/fpga_machine.c``. Cities are in a circular shift
register with positions 0 .. n-1. Processing element k of P evaluates the 2-opt move
that reverses the segment at positions k .. 2P+s-1-k,

    a-b ... c-d  ->  a-c ... b-d        a at position k-1, b at k, c at 2P+s-1-k, d after it

with s = 0 for even lengths 2, 4, .. 2P and s = 1 for odd lengths 3, 5, .. 2P+1;
hardware reaches s = 1 by shifting the upper part one position to the left and back.
All elements decide in parallel, and the mirrored cities b and c are swapped if an odd
number of the elements 0 .. k accepted. Then all cities shift one position to the
right, and the loop repeats, until n - 1 consecutive loops made no move.

This stopping rule is the thesis's, and it leaves a gap: n - 1 loops without a move
evaluate the tour in all but one of its n rotations in the register. The missing one is
that of the last loop with a move: changes by its last group may have created improving
moves for earlier groups, which are not evaluated again. For a tour that no loop ever
changed, that rotation was not evaluated at all. Stopping after n loops would close
the gap.

With P = n // 4 elements, the two groups cover all segments up to half the tour.
With fewer, s continues with 2P, 2P+1, 4P, 4P+1 and so on, and the s cities in the
middle, which lie inside all of the group's segments, are reversed if an odd
number of elements accepted. This is the machine with a fixed number of elements
for any n, whose extra registers hold the middle in reverse order.

What only hardware has is here too, so that ``rtl`` can be held against it: roots of integers rounded down to
binary places, annealing by random thresholds, and an early stop by the edges that pass position 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from warptour.papers.mavroidis.fpga.chance import LOG2_E, random_key, rises
from warptour.papers.mavroidis.fpga.cost import EVALUATION
from warptour.papers.mavroidis.fpga.groups import groups_of
from warptour.papers.mavroidis.fpga.thresholds import ThresholdChain


@dataclass
class Machine:
    """The shift register with its processing elements."""

    # x, y: coordinates by city
    x: Sequence[float]
    y: Sequence[float]
    elements: int  # number of processing elements, at most n // 4
    squared: bool = False  # whether to compare squared distances, as the machine without root units does
    kept: float = 1.0  # factor on removed edges: just under 1, so that a rounding error is no gain
    # Temperature T per level; a move that lengthens the tour is accepted if exp(-rise / T) > u. Then T is 0.
    temperatures: Sequence[float] = ()
    level: int = 1  # number of loops per temperature
    seed: int = 0  # seed of the random numbers
    # binary places of hardware roots; coordinates are integers, and distances count units of 2^-fraction
    fraction: int | None = None
    chain: ThresholdChain | None = None  # thresholds of hardware annealing, in place of ``temperatures``
    evaluation: int = EVALUATION  # cycles of an evaluation, which the chain of thresholds counts
    early: int | None = None  # stop once n - 1 loops shortened the tour by less than 2^-early of its length
    register: list[int] = field(init=False)
    loops: int = field(default=0, init=False)
    idle: int = field(default=0, init=False)
    gain: float = field(default=0.0, init=False)
    stopped: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.register = list(range(len(self.x)))
        self._key = random_key(self.seed, 0)
        self._edges: list[float] = []
        self._length = math.inf

    @property
    def done(self) -> bool:
        """Whether n - 1 consecutive loops made no move, or the run was stopped early."""
        return self.idle >= len(self.x) - 1 or self.stopped

    @property
    def heated(self) -> bool:
        """Whether the loop is one of annealing."""
        levels = len(self.temperatures) if self.chain is None else len(self.chain.annealing.temperatures)
        return self.loops // self.level < levels

    def apart(self, i: int, k: int) -> float:
        """Return the distance between the cities at two positions, or its square if ``squared``."""
        n = len(self.register)
        a, b = self.register[i % n], self.register[k % n]
        dx, dy = self.x[a] - self.x[b], self.y[a] - self.y[b]
        square = dx * dx + dy * dy
        if self.fraction is not None:
            return math.isqrt(int(square) << 2 * self.fraction)
        return square if self.squared else math.sqrt(square)

    def decide(self, shift: int, group: int) -> list[bool]:
        """Return whether each element accepts its move; elements with segments beyond half the tour reject."""
        n, groups = len(self.register), len(groups_of(len(self.register), self.elements))
        stage = self.loops // self.level
        heat = self.temperatures[stage] if stage < len(self.temperatures) else 0.0
        answers = []
        for k in range(self.elements):
            b, c = k, 2 * self.elements + shift - 1 - k
            said = False
            if c - b + 1 <= n // 2 + 1:
                removed = self.apart(b - 1, b) + self.apart(c, c + 1)
                rise = (self.apart(b - 1, c) + self.apart(b, c + 1)) - self.kept * removed
                if self.chain is None:
                    counter = (self.loops * groups + group) * self.elements + k
                    said = rise < 0 or (heat > 0 and rises(rise, LOG2_E / heat, self._key, counter))
                else:
                    said = rise < self.chain.thresholds[k]
                self.gain -= rise if said else 0.0
            answers.append(said)
        return answers

    def swap(self, shift: int, answers: Sequence[bool]) -> None:
        """Apply the accepted moves: swap mirrored cities, and reverse the middle if the number of moves is odd."""
        row, odd = self.register, False
        for k, said in enumerate(answers):
            odd ^= said
            if odd:
                c = 2 * self.elements + shift - 1 - k
                row[k], row[c] = row[c], row[k]
        if odd:
            middle = slice(self.elements, self.elements + shift)
            row[middle] = row[middle][::-1]

    def loop(self) -> bool:
        """Run one loop and return whether it made a move."""
        self._watch()
        moved = False
        for group, shift in enumerate(groups_of(len(self.register), self.elements)):
            self._pass(shift + 2)
            answers = self.decide(shift, group)
            self.swap(shift, answers)
            moved |= any(answers)
            self._pass(self.evaluation - 2 + 4 + shift + (group > 1))
        self._pass(1)
        self.register = [*self.register[-1:], *self.register[:-1]]
        self.idle = 0 if moved or self.heated else self.idle + 1
        self.loops += 1
        return moved

    def _pass(self, cycles: int) -> None:
        """Let clock cycles pass: elements load their thresholds two cycles into an evaluation."""
        if self.chain is not None:
            self.chain.advance(cycles, self.loops // self.level)

    def _watch(self) -> None:
        """Stop early if the edges before position 0 in the last n - 1 loops are hardly shorter than those before."""
        if self.early is None or self.heated:
            return
        self._edges.append(self.apart(-1, 0))
        if len(self._edges) == len(self.x) - 1:
            length = sum(self._edges)
            self.stopped = self._length - length < length // 2**self.early
            self._edges, self._length = [], length

    def run(self) -> list[int]:
        """Run loops until done and return the tour in the register."""
        while not self.done:
            self.loop()
        return self.register
