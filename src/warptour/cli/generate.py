"""``warptour generate``: a random instance, reproducible by its seed."""

from __future__ import annotations

from typing import Annotated

from warptour import api
from warptour.cli.output import check_writable
from warptour.io.generate import KINDS
from warptour.io.write import write_problem
from warptour.model.option import Argument, Option


def generate(
    kind: Annotated[str, Argument(f"One of {', '.join(KINDS)}.", "KIND")],
    n: Annotated[int, Argument("Cities, or customers and the depot.", "N")],
    output: Annotated[list[str], Option("Write the instance here; may be repeated.", "--output -o", metavar="FILE")],
    seed: Annotated[int, Option("The same seed gives the same instance.")] = 0,
) -> int:
    """Write a random instance of KIND with N nodes."""
    for path in output:
        check_writable(path, "--output")
    problem = api.generate(kind, n, seed)
    for path in output:
        write_problem(path, problem)
    print(f"{problem.name}: {problem.n:,} nodes written to {', '.join(output)}")
    return 0
