"""``warptour generate``: a random instance, reproducible by its seed."""

from __future__ import annotations

from typing import Annotated

import typer

from warptour import api
from warptour.cli.output import check_writable
from warptour.io.generate import KINDS
from warptour.io.write import write_problem


def generate(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"One of {', '.join(KINDS)}.")],
    n: Annotated[int, typer.Argument(metavar="N", help="Cities, or customers and the depot.")],
    output: Annotated[
        list[str], typer.Option("--output", "-o", metavar="FILE", help="Write the instance here; may be repeated.")
    ],
    seed: Annotated[int, typer.Option(help="The same seed gives the same instance.")] = 0,
) -> int:
    """Write a random instance of KIND with N nodes."""
    for path in output:
        check_writable(path, "--output")
    problem = api.generate(kind, n, seed)
    for path in output:
        write_problem(path, problem)
    print(f"{problem.name}: {problem.n:,} nodes written to {', '.join(output)}")
    return 0
