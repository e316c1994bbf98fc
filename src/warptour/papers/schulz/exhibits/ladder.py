"""A step of the paper's ladder: speed-ups of versions over a reference, by the nodes of the giant tour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.schulz.engine.version import Version
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


def by_case(neighborhood: int, rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return nodes and value of each row of a neighbourhood, by what follows it in the case."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.case.startswith(f"{neighborhood}-opt"):
            lines.setdefault(row.case.partition(", ")[2], []).append((row.n, row.value))
    return lines


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
