"""``warptour example``: example files."""

from __future__ import annotations

from typing import Annotated

from warptour.cli.show import show_rows
from warptour.io.examples import EXAMPLES, copy_example
from warptour.model.option import Argument


def example(
    names: Annotated[list[str] | None, Argument(f"Any of: {', '.join(EXAMPLES)}; all by default.", "NAME")] = None,
) -> int:
    """Copy example files into the current folder."""
    chosen = names or list(EXAMPLES)
    for name in chosen:
        copy_example(name)
    show_rows({name: EXAMPLES[name] for name in chosen})
    return 0
