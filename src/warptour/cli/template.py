"""``warptour template``: an empty plan to fill in."""

from __future__ import annotations

import sys
from typing import Annotated

from warptour.cli.output import check_writable
from warptour.io.files import write_atomic
from warptour.io.template import template_bytes
from warptour.model.errors import UsageError
from warptour.model.option import Option


def template(
    output: Annotated[
        str | None, Option("Write it here instead of standard output.", "--output -o", metavar="FILE.xlsx")
    ] = None,
) -> int:
    """Write an empty workbook of stops, vehicles and depots, with examples and help: warptour template > plan.xlsx."""
    if output is not None:
        check_writable(output, "--output")
        write_atomic(output, [template_bytes()])
        return 0
    if sys.stdout is None or sys.stdout.isatty():
        raise UsageError("a workbook is nothing to read in a terminal: warptour template > plan.xlsx")
    sys.stdout.buffer.write(template_bytes())
    return 0
