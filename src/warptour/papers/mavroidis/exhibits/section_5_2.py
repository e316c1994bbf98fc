"""Section 5.2: tours of the machine against random moves, and how soon they are nearly final (section 5.4)."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.exhibits.machine import compared_instances


def measure(options: Options) -> Iterator[Row]:
    """Yield each instance's difference, then the mean and the range of loops."""
    ratios, near, public = [], [], True
    for each in compared_instances(options):
        ratios.append(100 * (each.run.cost / each.random - 1))
        near.append(100 * each.near)
        public &= each.public
        yield Row("mavroidis", f"{each.problem.name}, to random moves", each.problem.n, "cpu", ratios[-1], "%")
    for case, value, unit, peer in (
        (f"mean of {len(ratios)} instances", fmean(ratios), "%", -0.75),
        ("within 5% of the final tour, earliest", min(near), "% of loops", 20),
        ("within 5% of the final tour, latest", max(near), "% of loops", 70),
    ):
        yield Row("mavroidis", case, 0, "cpu", value, unit, peer=peer if public else None)


EXHIBIT: Final = Exhibit(
    "section-5.2",
    "Section 5.2: length of the machine's tours against those of random moves, in percent",
    "His mean is over 70 EUC_2D instances of 50 to 4,500 cities; ours over those in the data folder. Random moves: "
    "seed 1, until n² failures in a row.",
    measure,
)
