"""The program: its commands, and its behaviour without one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from warptour._version import __version__
from warptour.cli.commands import COMMANDS, command_of
from warptour.cli.declare import typed
from warptour.model.errors import UsageError


class OnceEach(TyperCommand):
    """A command that takes each option once, except those that are lists."""

    def make_parser(self, ctx: Any) -> Any:
        """Return typer's parser, which would take the last of several values."""
        parser: Any = super().make_parser(ctx)
        for option in {*parser._long_opt.values(), *parser._short_opt.values()}:
            option.process = partial(_process_once, option, option.process)
        return parser


def _process_once(option: Any, process: Callable[[Any, Any], None], value: Any, state: Any) -> None:
    """Raise UsageError if ``option`` has a value already; a flag may be repeated, but not contradicted."""
    if option.dest in state.opts and option.action in ("store", "store_const"):
        earlier = state.opts[option.dest]
        names = "/".join(option.obj.opts)
        if option.action == "store":
            raise UsageError(f"{names} is given twice: {earlier} and {value}")
        if earlier != option.const:
            raise UsageError(f"{names} and {'/'.join(option.obj.secondary_opts)} are both given")
    process(value, state)


class Commands(TyperGroup):
    """The commands, each imported when it is asked for."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # the names alone

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of this name, or None."""
        if cmd_name not in COMMANDS:
            return None
        alone = typer.Typer(add_completion=False)
        alone.command(cls=OnceEach)(typed(command_of(cmd_name)))
        return _verbatim(get_command(alone))


def _verbatim(command: Any) -> Any:
    """Return ``command`` with help that is shown as it is written: rich would take ``[fpga]`` for a style."""
    for one in (command, *command.params):
        one.help = escape(one.help) if one.help else one.help
    return command


app = typer.Typer(
    cls=Commands,
    help="Short tours and cheap vehicle routes by local search.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"warptour {__version__}")
        raise typer.Exit


@app.callback()
def warptour(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Short tours and cheap vehicle routes by local search."""
