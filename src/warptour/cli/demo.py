"""``warptour demo``: a thousand cities in five seconds, drawn in the terminal."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

from warptour import api
from warptour.cli.declare import Context
from warptour.cli.failure import SHORTAGE, UNWRITTEN, complain
from warptour.cli.output import attempt, check_writable, write_output
from warptour.cli.show import show_rows
from warptour.cli.solve import summary
from warptour.io.generate import demo_problem
from warptour.model.option import Option
from warptour.observe.picture import braille, write_svg
from warptour.observe.progress import progress

FILES = ("warptour-demo.svg", "warptour-demo.tour")


def demo(
    context: Context,
    seconds: Annotated[float, Option("How long to search.")] = 5.0,
    seed: Annotated[int, Option("The one source of randomness.")] = 0,
) -> int:
    """Solve a bundled instance of 1,000 cities and show the tour."""
    for path in FILES:
        check_writable(path, "the demo")
    problem = demo_problem()
    strategy = api.choose_strategy(problem, None)
    print(f"warptour demo: the shortest tour through {problem.n:,} cities, {seconds:g} s on this machine\n", flush=True)
    with progress(sys.stderr, problem, seconds, strategy.iteration) as shown:
        result = api.solve(
            problem, strategy, seconds=seconds, seed=seed, listeners=[shown], interrupt=context.interrupt
        )
    picture, tour = FILES
    reason = attempt(lambda: write_svg(picture, problem, result.tour))
    if reason is not None:
        complain(f"warptour: {reason}")
    written = [name for name in (None if reason else picture, write_output(tour, problem, result)) if name]
    columns, lines = shutil.get_terminal_size((80, 40))
    print(braille(problem, result.tour, min(80, columns - 1, 2 * max(lines - 10, 10))), end="\n\n")
    show_rows(summary(result, strategy.iteration) | {"written": ", ".join(written)})
    return UNWRITTEN if written != [*FILES] else SHORTAGE if result.shortage else 0
