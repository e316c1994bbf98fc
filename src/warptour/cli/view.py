"""``warptour view``: runs and traces in the browser."""

from __future__ import annotations

import sys
from typing import Annotated

from warptour.cli.declare import Context
from warptour.io.reading import ReadOptions
from warptour.model.option import Argument, Option
from warptour.observe.road_progress import road_progress


def view(
    context: Context,
    source: Annotated[
        str | None, Argument("A problem, or the .jsonl that solve --trace wrote or is writing.", "FILE|TRACE")
    ] = None,
    port: Annotated[int, Option("Where to listen; 0 is any port that is free.")] = 0,
    host: Annotated[str, Option("Address to listen on; others than this one reach beyond.")] = "127.0.0.1",
    no_browser: Annotated[bool, Option("Print the address only.")] = False,
    *,
    given: ReadOptions,
) -> int:
    """Show runs and traces in the browser, and start runs there."""
    from warptour.view.serve import serve  # asyncio and the like would slow the start of every command

    given.check_roads()
    with road_progress(sys.stderr):
        serve(source, host, port, not no_browser, context.interrupt.redirect, given)
    return 0
