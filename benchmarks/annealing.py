"""What annealing by symmetric 2-opt costs: time against quality, and time until the seed's percentages.

    python benchmarks/annealing.py FOLDER [--device cuda:0] [--curve d493 OUTPUT.svg]

For each instance of the seed's table (Mavroidis 2011, chapter 6) in FOLDER the time limit is doubled until the tour is
as good as the seed's, beside the time of a plain descent from the file's order. With ``--curve`` one instance is run
with a row of limits and drawn. Times leave compiling out; seed 1.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import warptour as wt
from warptour.bench.symmetric import TABLE

LIMITS = [0.025 * 2**k for k in range(8)]


def main() -> None:
    """Print a line a measurement as it is made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--curve", nargs=2, metavar=("NAME", "SVG"))
    options = parser.parse_args()
    if options.curve:
        name, output = options.curve
        curve(wt.read(options.folder / f"{name}.tsp"), options.device, Path(output))
        return
    print(f"{'instance':<9} {'n':>5} {'seed %':>6} {'ours %':>6} {'seconds':>8} {'descent ms':>10} {'times':>6}")
    for name, (_, _, wanted) in TABLE.items():
        file = options.folder / f"{name}.tsp"
        if not file.exists():
            continue
        problem = wt.read(file)
        plain = wt.solve(problem, wt.SymmetricTwoOpt(), seconds=60, device=options.device)
        for limit in LIMITS:
            result = wt.solve(problem, wt.Annealing(), seconds=limit, device=options.device, seed=1)
            gap = 100 * (result.cost / problem.best_known - 1)
            if gap <= wanted:
                break
        print(
            f"{name:<9} {problem.n:>5} {wanted:>6.1f} {gap:>6.2f} {result.seconds:>8.3f} {1e3 * plain.seconds:>10.2f}"
            f" {result.seconds / plain.seconds:>6.1f}",
            flush=True,
        )


def curve(problem: wt.TSP, device: str, output: Path) -> None:
    """Draw the gap over the time limit."""
    points = []
    for limit in LIMITS:
        result = wt.solve(problem, wt.Annealing(), seconds=limit, device=device, seed=1)
        points.append((limit, 100 * (result.cost / problem.best_known - 1)))
        print(f"{problem.name} {limit:>7.3f} s {points[-1][1]:>6.2f} %", flush=True)
    most = max(gap for _, gap in points)
    places = [(60 + 650 * k / (len(points) - 1), 340 - 300 * gap / most) for k, (_, gap) in enumerate(points)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    words = [
        f'<text x="{x:.0f}" y="{y - 8:.0f}" text-anchor="middle">{gap:.2f}</text>'
        f'<text x="{x:.0f}" y="360" text-anchor="middle">{limit:g}</text>'
        for (x, y), (limit, gap) in zip(places, points, strict=True)
    ]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 400" font-family="sans-serif" font-size="13">',
        '<rect width="760" height="400" fill="white"/>',
        '<path d="M60,30 V340 H720" fill="none" stroke="#1a202c"/>',
        f'<polyline points="{line}" fill="none" stroke="#c53030" stroke-width="2"/>',
        *words,
        f'<text x="60" y="20">percent above the optimum of {problem.name}, annealing on {device}</text>',
        '<text x="720" y="385" text-anchor="end">seconds</text>',
        "</svg>",
    ]
    output.write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
