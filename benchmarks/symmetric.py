"""Symmetric 2-opt and annealing on a device, after the figures of Mavroidis (2011, chapter 6).

    python benchmarks/symmetric.py measure FOLDER --device cuda:0 > measured.json
    python benchmarks/symmetric.py draw measured.json docs/pictures

Measures the time of a descent of d2103 by lanes per group (figures 17 and 18), the gap of annealing by time limit on
d493 (19), and the time in which annealing matches his quality, compared with a plain descent from the file's order,
for each instance of his table (21): limits are doubled until it does. Times exclude compilation; seed 1. Each line of
the output is one point of a figure.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from figures import Axes, draw

import warptour as wt
from warptour.bench.symmetric import TABLE, timed_descent
from warptour.devices import Device, find
from warptour.engines.symmetric.rows import Symmetric, exact_rows
from warptour.engines.symmetric.shapes import WARP

LIMITS = [0.0125 * 2**k for k in range(9)]
FORMS = {"round by round": Symmetric, "looking ahead": exact_rows}
LANES = [32, 64, 128, 256, 512, 1024]


def main() -> None:
    """Print the points of all figures, or draw them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("folder", type=Path)
    measuring.add_argument("--device", default="auto")
    drawing = commands.add_parser("draw")
    drawing.add_argument("points", type=Path)
    drawing.add_argument("output", type=Path)
    options = parser.parse_args()
    if options.command == "draw":
        lines = [
            json.loads(line) for line in options.points.read_text(encoding="utf-8").splitlines() if line[:1] == "{"
        ]
        figures(lines, options.output)
        return
    device = find(options.device)
    measures: tuple[Callable[[Path, Device], Iterator[dict[str, Any]]], ...] = block_sizes, trade_off, cost_of_annealing
    for measure in measures:
        for point in measure(options.folder, device):
            print(json.dumps(point), flush=True)


def block_sizes(folder: Path, device: Device) -> Iterator[dict[str, Any]]:
    """Yield the milliseconds of a descent of d2103 by lanes: round by round, and with lookahead."""
    problem = tsp(folder / "d2103.tsp")
    order = np.arange(problem.n, dtype=np.int32)[None]
    for lanes in LANES:
        for form, kind in FORMS.items():
            if kind is exact_rows and lanes == WARP:  # a single warp is for short tours
                continue
            seconds, _ = timed_descent(device, partial(kind, device, problem, order, lanes=lanes))
            yield {"figure": "blocks", "instance": problem.name, "form": form, "lanes": lanes, "ms": 1e3 * seconds}


def trade_off(folder: Path, device: Device) -> Iterator[dict[str, Any]]:
    """Yield the gap of annealing d493 for a series of time limits."""
    problem = tsp(folder / "d493.tsp")
    for limit in LIMITS:
        yield {
            "figure": "trade-off",
            "instance": problem.name,
            "seconds": limit,
            "gap": annealed(problem, device, limit),
        }


def cost_of_annealing(folder: Path, device: Device) -> Iterator[dict[str, Any]]:
    """Yield the time in which annealing matches the gap of Mavroidis (2011), relative to a plain descent."""
    for name, (_, _, wanted) in TABLE.items():
        problem = tsp(folder / f"{name}.tsp")
        order = np.arange(problem.n, dtype=np.int32)[None]
        plain, _ = timed_descent(device, partial(exact_rows, device, problem, order))
        gap = limit = 0.0
        for limit in LIMITS:
            if (gap := annealed(problem, device, limit)) <= wanted:
                break
        yield {
            "figure": "cost", "instance": name, "n": problem.n, "wanted": wanted, "gap": gap, "seconds": limit,
            "descent": plain, "times": limit / plain,
        }  # fmt: skip


def tsp(path: Path) -> wt.TSP:
    problem = wt.read(path)
    assert isinstance(problem, wt.TSP)
    return problem


def annealed(problem: wt.TSP, device: Device, limit: float) -> float:
    """Return the gap in percent of annealing with a time limit of ``limit`` seconds."""
    result = wt.solve(problem, wt.Annealing(), seconds=limit, device=device.name, seed=1)
    if result.gap is None:
        raise SystemExit(f"the best known cost of {problem.name} is not in the best.csv beside it")
    return result.gap


def figures(points: list[dict[str, Any]], folder: Path) -> None:
    """Draw the measured points."""
    blocks = [point for point in points if point["figure"] == "blocks"]
    forms = {form: [(p["lanes"], p["ms"]) for p in blocks if p["form"] == form] for form in FORMS}
    draw(
        folder / "symmetric_lanes.svg",
        forms,
        Axes("lanes of the group", "milliseconds", "one descent of d2103", log_x=True, log_y=True),
    )
    draw(
        folder / "annealing_d493.svg",
        {"": [(p["seconds"], p["gap"]) for p in points if p["figure"] == "trade-off"]},
        Axes("seconds", "% above the optimum", "annealing d493", log_x=True),
    )
    draw(
        folder / "annealing_cost.svg",
        {"": [(p["n"], p["times"]) for p in points if p["figure"] == "cost"]},
        Axes("cities", "times a descent", "annealing to the percentages of Mavroidis (2011)", log_x=True, log_y=True),
        joined=False,
    )


if __name__ == "__main__":
    main()
