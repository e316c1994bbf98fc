"""The commands by name, each imported when it is asked for: together they take most of a second."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

COMMANDS: Final = (
    "solve", "bound", "check", "generate", "info", "plot", "view", "devices", "compare", "bench", "reproduce",
    "fpga", "example", "demo",
)  # fmt: skip
"""Names of the commands in the order of the help; each is the function of this name in the module of this name."""

QUICK: Final = ("solve", "bound", "check", "info")
"""Commands whose plain arguments are read without typer: people wait for their start."""


def command_of(name: str) -> Callable[..., Any]:
    """Return the function of a command."""
    command: Callable[..., Any] = getattr(import_module(f"warptour.cli.{name}"), name)
    return command
