"""Figure 6: convergence of symmetric and of random 2-opt moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.mavroidis.engine.fpga import emulate, random_search
from warptour.papers.mavroidis.exhibits.machine import named

SAMPLES: Final = 20
METHODS: Final = ("symmetric", "random")


def measure(options: Options) -> Iterator[Row]:
    """Yield the tour length at equal steps of moves evaluated, up to the end of the longer run."""
    problem, _ = named("eil51", 51) if options.quick else named("pr1002", 1002)
    flat = problem.rounded("none")
    start = float(flat.cost(np.arange(flat.n, dtype=np.int32)))
    curves: dict[str, list[tuple[float, float]]] = {method: [(0.0, start)] for method in METHODS}
    width = 2 * (flat.n // 4)
    emulate(flat, watch=lambda loops, cost: curves["symmetric"].append((float(loops) * width, cost)))
    random_search(
        flat, seed=1, watch=lambda moves, cost: curves["random"].append((float(moves), cost)), work=flat.n**2 // 10
    )
    end = max(curve[-1][0] for curve in curves.values())
    for method, curve in curves.items():
        at, lengths = np.array(curve).T
        for moves in np.linspace(0, end, SAMPLES + 1).tolist():
            length = float(np.interp(moves, at, lengths))
            case = f"{problem.name}, {method}, after {moves:,.0f} moves"
            yield Row("mavroidis", case, problem.n, "cpu", length, "length")


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the length over the moves evaluated."""
    words = [row.case.split() for row in rows]
    return {
        f"{method} moves": [
            (float(word[-2].replace(",", "")) / 1e6, row.value)
            for word, row in zip(words, rows, strict=True)
            if word[1] == f"{method},"
        ]
        for method in METHODS
    }


EXHIBIT: Final = Exhibit(
    "figure-6",
    "Figure 6: tour length over moves evaluated, symmetric and random moves",
    "The two instances of the figure are not named in the text; ours is pr1002, with --quick eil51. The figure "
    "prints no values.",
    measure,
    (Plot("symmetric_convergence", "million moves evaluated", "tour length", "from the order of the file", lines),),
)
