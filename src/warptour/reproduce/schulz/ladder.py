"""A step of the paper's ladder: speed-ups of versions over a reference, by the nodes of the giant tour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from warptour.bench import Options, Row
from warptour.engines.giant.version import Version
from warptour.reproduce.exhibit import Exhibit, Plot
from warptour.reproduce.schulz.instances import AS_IN_TABLE_5
from warptour.reproduce.schulz.measuring import MEANS, device_of, over_sizes
from warptour.reproduce.schulz.printed import NAME


@dataclass(frozen=True)
class Step:
    """A version and the one that it is compared with, for one neighbourhood or both."""

    label: str
    version: Version
    reference: Version
    neighborhoods: tuple[int, ...] = (2, 3)


def speedups(steps: Sequence[Step], options: Options) -> Iterator[Row]:
    """Yield the speed-up of each step for each neighbourhood and size."""
    device = device_of(options)
    for neighborhood in (2, 3):
        for step in steps:
            if neighborhood not in step.neighborhoods:
                continue
            before = over_sizes(options, step.reference, neighborhood)
            after = over_sizes(options, step.version, neighborhood)
            for nodes in (size for size in before if size in after):
                case = f"{neighborhood}-opt, {step.label}"
                yield Row(NAME, case, nodes, device.name, before[nodes] / after[nodes], "x")


def by_case(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the points of each case: nodes and value."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        lines.setdefault(row.case, []).append((row.n, row.value))
    return lines


def figure(number: int, title: str, says: str, *steps: Step) -> Exhibit:
    """Return the exhibit of one figure; ``says``: what the text says about it, since it prints no values."""
    plot = Plot(f"schulz_figure_{number}", "nodes", "speed-up", title, by_case, log_x=True)
    differs = f"The figure prints no values; the text: {says} {MEANS} {AS_IN_TABLE_5}"
    return Exhibit(f"figure-{number}", f"Figure {number}: speed-up by {title}", differs, partial(speedups, steps), (plot,))
