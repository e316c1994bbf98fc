"""``warptour view``: runs and traces in the browser."""

from __future__ import annotations

from typing import Annotated

import typer


def view(
    context: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|TRACE]", help="A problem, or the .jsonl that solve --trace wrote or is writing."),
    ] = None,
    port: Annotated[int, typer.Option(help="Where to listen; 0 is any port that is free.")] = 0,
    host: Annotated[str, typer.Option(help="Address to listen on; others than this one reach beyond.")] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address only.")] = False,
) -> int:
    """Show runs and traces in the browser, and start runs there."""
    from warptour.view.serve import serve  # asyncio and the like would slow the start of every command

    serve(source, host, port, not no_browser, context.obj.redirect)
    return 0
