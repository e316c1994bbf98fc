"""The commands by name, each imported when it is asked for: together they take most of a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Final

from warptour._version import full_version
from warptour.cli.arguments import read_arguments
from warptour.cli.declare import prepared
from warptour.model.errors import UsageError
from warptour.model.option import Option, OptionRow
from warptour.observe.interrupt import Interrupt

COMMANDS: Final = (
    "solve", "bound", "check", "generate", "info", "roads", "plot", "view", "serve", "devices", "compare", "bench",
    "reproduce", "fpga", "example", "template", "demo", "doctor", "completion",
)  # fmt: skip
"""Names of the commands in the order of the help; each is the function of this name in the module of this name."""

VERSION: Final = OptionRow("version", bool, False, False, Option("Print the version and exit."), ("--version",), "")


def command_of(name: str) -> Callable[..., Any]:
    """Return the function of a command."""
    command: Callable[..., Any] = getattr(import_module(f"warptour.cli.{name}"), name)
    return command


def program(words: Sequence[str], interrupt: Interrupt) -> Callable[[], int]:
    """Return the call that the words of a command line ask for; what it needs is imported."""
    if not words:
        from warptour.cli.here import show_here

        return show_here
    name, *rest = words
    if name in COMMANDS:
        return prepared(name, command_of(name), rest, interrupt)
    if not name.startswith("-"):
        from difflib import get_close_matches

        close = get_close_matches(name, COMMANDS)
        guess = f"; did you mean {' or '.join(close)}?" if close else ""
        raise UsageError(f"there is no command {name!r}{guess} (see warptour --help)")
    options = [word for word in words if word.startswith("-")]
    if read_arguments("warptour", [VERSION], options) is not None:
        return _print_version
    from warptour.cli.help import show_commands

    return lambda: show_commands([VERSION], {each: command_of(each).__doc__ or "" for each in COMMANDS})


def _print_version() -> int:
    print(f"warptour {full_version()}")
    return 0
