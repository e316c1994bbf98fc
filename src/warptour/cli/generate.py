"""``warptour generate``: a random instance, the same for the same seed."""

from __future__ import annotations

from typing import Annotated

import typer

from warptour import api
from warptour.cli.output import check_writable
from warptour.io.write import write_problem


def generate(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="uniform, clustered, grid, drilling or vrp.")],
    n: Annotated[int, typer.Argument(metavar="N", help="Cities, or customers and the depot.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Write the instance here.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same instance.")] = 0,
) -> int:
    """Write a random instance of KIND with N nodes."""
    check_writable(output, "--output")
    problem = api.generate(kind, n, seed)
    write_problem(output, problem)
    print(f"{problem.name}: {problem.n:,} nodes written to {output}")
    return 0
