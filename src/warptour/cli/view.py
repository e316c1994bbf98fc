"""``warptour view``: runs and traces in the browser."""

from __future__ import annotations

from typing import Annotated

from warptour.cli.declare import Context
from warptour.model.option import Argument, Option


def view(
    context: Context,
    source: Annotated[
        str | None, Argument("A problem, or the .jsonl that solve --trace wrote or is writing.", "FILE|TRACE")
    ] = None,
    port: Annotated[int, Option("Where to listen; 0 is any port that is free.")] = 0,
    host: Annotated[str, Option("Address to listen on; others than this one reach beyond.")] = "127.0.0.1",
    no_browser: Annotated[bool, Option("Print the address only.")] = False,
) -> int:
    """Show runs and traces in the browser, and start runs there."""
    from warptour.view.serve import serve  # asyncio and the like would slow the start of every command

    serve(source, host, port, not no_browser, context.interrupt.redirect)
    return 0
