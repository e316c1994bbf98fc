"""``warptour demo``: a thousand cities in five seconds, drawn in the terminal."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer

from warptour import api
from warptour.cli.output import check_writable
from warptour.cli.show import show_rows
from warptour.cli.solve import summary
from warptour.io.generate import demo_problem
from warptour.observe.picture import braille, write_svg
from warptour.observe.progress import progress

FILES = ("warptour-demo.svg", "warptour-demo.tour")


def demo(
    context: typer.Context,
    seconds: Annotated[float, typer.Option(help="How long to search.")] = 5.0,
    seed: Annotated[int, typer.Option(help="The one source of randomness.")] = 0,
) -> int:
    """Solve a bundled instance of 1,000 cities and show the tour."""
    for path in FILES:
        check_writable(path, "the demo")
    problem = demo_problem()
    strategy = api.choose_strategy(problem, None)
    print(f"warptour demo: the shortest tour through {problem.n:,} cities, {seconds:g} s on this machine\n", flush=True)
    with progress(sys.stderr, problem, seconds, strategy.iteration) as shown:
        result = api.solve(problem, strategy, seconds=seconds, seed=seed, listeners=[shown], interrupt=context.obj)
    picture, tour = FILES
    write_svg(picture, problem, result.tour)
    api.write(tour, problem, result)
    columns, lines = shutil.get_terminal_size((80, 40))
    print(braille(problem, result.tour, min(80, columns - 1, 2 * max(lines - 10, 10))), end="\n\n")
    show_rows(summary(result, strategy.iteration) | {"written": f"{picture}, {tour}"})
    return 0
