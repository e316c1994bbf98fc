"""Figures 10, 11, 13 to 19 and 24: what each change of the program gains, by the nodes of the giant tour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.schulz.engine.version import (
    BENCHMARK,
    BEST,
    COMBINED,
    CUT,
    DENSE,
    FLAT,
    FLAT_COMBINED,
    LAZY,
    POWERS,
    REGISTERS,
    SHARED,
    TUNED,
    Version,
)
from warptour.papers.schulz.exhibits.instances import AS_IN_TABLE_5
from warptour.papers.schulz.exhibits.measuring import LEFT_OUT, MEANS, device_of, over_sizes
from warptour.papers.schulz.printed import NAME

LARGEST: Final = {2: 2401, 3: 511}
"""Nodes of the largest giant tour by neighbourhood; 3-opt takes long to prepare beyond that."""


@dataclass(frozen=True)
class LadderStep:
    """A version and the one that it is compared with, for one neighbourhood or both."""

    label: str
    version: Version
    reference: Version
    neighborhoods: tuple[int, ...] = (2, 3)


def speedups(steps: Sequence[LadderStep], options: Options) -> Iterator[Row]:
    """Yield the speed-up of each step for each neighbourhood and size."""
    device = device_of(options)
    for neighborhood in (2, 3):
        for step in steps:
            if neighborhood not in step.neighborhoods:
                continue
            before, after = (
                over_sizes(options, version, neighborhood, LARGEST[neighborhood])
                for version in (step.reference, step.version)
            )
            for nodes in (size for size in before if size in after):
                case = f"{neighborhood}-opt, {step.label}"
                yield Row(NAME, case, nodes, device.name, before[nodes] / after[nodes], "x")


def by_case(neighborhood: int, rows: list[Row]) -> Lines:
    """Return nodes and value of each row of a neighbourhood, by what follows it in the case."""
    chosen = (row for row in rows if row.case.startswith(f"{neighborhood}-opt"))
    return series((row.case.partition(", ")[2], row.n, row.value) for row in chosen)


def plots(number: int, title: str, neighborhoods: Iterable[int]) -> tuple[Plot, ...]:
    """Return a plot of speed-ups over nodes for each neighbourhood."""
    return tuple(
        Plot(
            f"schulz_figure_{number}_{k}_opt", "nodes", "speed-up", f"{k}-opt: {title}", partial(by_case, k), log_x=True
        )
        for k in neighborhoods
    )


def figure(number: int, title: str, says: str, *steps: LadderStep) -> Exhibit:
    """Return the exhibit of one figure; ``says``: what the text says about it, since it prints no values."""
    return Exhibit(
        f"figure-{number}",
        f"Figure {number}: speed-up by {title}",
        f"The figure prints no values; the text: {says} {MEANS} {LEFT_OUT} 3-opt ends at {LARGEST[3]} nodes. "
        f"{AS_IN_TABLE_5}",
        partial(speedups, steps),
        plots(number, title, sorted({neighborhood for step in steps for neighborhood in step.neighborhoods})),
    )


def _mode(index: int, version: Version) -> Version:
    return replace(version, index=index)


FIGURE_10: Final = figure(
    10,
    "segments in registers and part sizes in shared memory",
    "both lead to a good speed-up over the Benchmark Version.",
    LadderStep("registers", REGISTERS, BENCHMARK),
    LadderStep("registers, shared memory", SHARED, BENCHMARK),
)

FIGURE_11: Final = figure(
    11,
    "shifts in place of divisions by the size of a part",
    "a significant speed-up for computed sizes and for 8 nodes. The reference has computed sizes that are no powers of "
    "two, or 8 nodes and divisions.",
    LadderStep("computed size", POWERS, SHARED),
    LadderStep("8 nodes", replace(SHARED, parts="eight", shifts=True), replace(SHARED, parts="eight")),
)

FIGURE_13: Final = figure(
    13,
    "layout of the hierarchy and order of the recombinations",
    "an array of structures in lexicographic order is best, all other variants are slower; structures of arrays are "
    "better off without shared memory. (sm: shared memory; lex: the recombination varies fastest.)",
    LadderStep("AoS, lex", replace(TUNED, shared=False), TUNED),
    LadderStep("AoS, sm", replace(TUNED, order="recombination"), TUNED, (3,)),
    LadderStep("AoS", replace(TUNED, shared=False, order="recombination"), TUNED, (3,)),
    LadderStep("SoA, sm, lex", replace(TUNED, layout="soa"), TUNED),
    LadderStep("SoA, lex", replace(TUNED, layout="soa", shared=False), TUNED),
    LadderStep("SoA, sm", replace(TUNED, layout="soa", order="recombination"), TUNED, (3,)),
    LadderStep("SoA", replace(TUNED, layout="soa", shared=False, order="recombination"), TUNED, (3,)),
)

FIGURE_14: Final = figure(
    14,
    "index mode of the hierarchy",
    "mode 2 is better than 1 up to about 1,750 nodes for 2-opt and throughout for 3-opt, 3 is better than 2 and 4 "
    "better than 3; a structure of arrays in mode 4 is equally good.",
    LadderStep("mode 2", _mode(2, TUNED), TUNED),
    LadderStep("mode 3", _mode(3, TUNED), TUNED),
    LadderStep("mode 4", _mode(4, TUNED), TUNED),
    LadderStep("mode 4, SoA", replace(_mode(4, TUNED), layout="soa"), TUNED),
)

FIGURE_15: Final = figure(
    15,
    "cut triangle in place of a root",
    "a speed-up.",
    LadderStep("mode 3", _mode(3, CUT), _mode(3, DENSE), (2,)),
    LadderStep("mode 4", CUT, DENSE, (2,)),
)

FIGURE_16: Final = figure(
    16,
    "kernel mode",
    "to compute only the next segment that is needed (mode one) is faster, and best with recombinations slowest. "
    "(im: index mode, km: kernel mode, lex: the recombination varies fastest.)",
    LadderStep("im 4, km 0, lex", CUT, _mode(3, CUT)),
    LadderStep("im 3, km 1, lex", replace(CUT, index=3, lazy=True), _mode(3, CUT)),
    LadderStep("im 3, km 1", _mode(3, LAZY), _mode(3, CUT), (3,)),
    LadderStep("im 4, km 1, lex", replace(CUT, lazy=True), _mode(3, CUT)),
    LadderStep("im 4, km 1", LAZY, _mode(3, CUT), (3,)),
)

FIGURE_17: Final = figure(
    17,
    "levels of the hierarchy",
    "one level is best for 2-opt, zero levels for 3-opt. The reference has one level and index mode 3.",
    LadderStep("zero levels, im 3", _mode(3, FLAT), _mode(3, LAZY)),
    LadderStep("zero levels, im 4", FLAT, _mode(3, LAZY)),
    LadderStep("one level, im 4", LAZY, _mode(3, LAZY)),
    LadderStep("two levels, im 3", replace(LAZY, index=3, levels=2), _mode(3, LAZY)),
    LadderStep("two levels, im 4", replace(LAZY, levels=2), _mode(3, LAZY)),
)

FIGURE_18: Final = figure(
    18,
    "3-opt neighbours computed in place of a table",
    "Newton's method is slower than the table. He does not say in which arithmetic or what he does about rounding; "
    "here it is float64 and integers correct it. Beside it stands our index, a cube root corrected in the same way.",
    *(
        LadderStep(f"{how}, {levels}", replace(version, triples=triples), version, (3,))
        for levels, version in (("zero levels", FLAT), ("one level", LAZY))
        for how, triples in (("Newton", "newton"), ("our index", "computed"))
    ),
)

TOGETHER: Final = tuple(
    names for size in (2, 3, 4) for names in combinations(("cost", "length", "capacity", "count"), size)
)
"""All pairs and triples of what is evaluated, and all four."""

FIGURE_19: Final = figure(
    19,
    "combined evaluation",
    "an improvement in most cases, most of all by cost with length and capacity with the number of routes: both. The "
    "other pairs, triples and all four made his compiler crash or gained less; here they stand beside it.",
    *(
        step
        for k, levels, version, both in ((2, "one level", LAZY, COMBINED), (3, "zero levels", FLAT, FLAT_COMBINED))
        for step in (
            LadderStep(f"both, {levels}", both, version, (k,)),
            *(
                LadderStep(f"{'+'.join(names)}, {levels}", replace(version, together=names), version, (k,))
                for names in TOGETHER
            ),
        )
    ),
)

FIGURE_24: Final = figure(
    24,
    "all changes together, over the Benchmark Version",
    "nearly one order of magnitude.",
    *(LadderStep(f"mode {index}", _mode(index, BEST[k]), BENCHMARK, (k,)) for k in (2, 3) for index in (3, 4)),
)
