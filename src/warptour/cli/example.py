"""``warptour example``: example files."""

from __future__ import annotations

from typing import Annotated

import typer

from warptour.cli.show import show_rows
from warptour.io.examples import EXAMPLES, copy_example


def example(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help=f"Any of: {', '.join(EXAMPLES)}; all by default.")
    ] = None,
) -> int:
    """Copy example files into the current folder."""
    chosen = names or list(EXAMPLES)
    for name in chosen:
        copy_example(name)
    show_rows({name: EXAMPLES[name] for name in chosen})
    return 0
