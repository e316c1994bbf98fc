"""A command's table of options, read off from the parameters of its function, and the call with what was given."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, NamedTuple, get_type_hints

from warptour.cli.arguments import read_arguments
from warptour.model.option import REQUIRED, OptionRow, row_of, rows
from warptour.observe.interrupt import Interrupt


class Only(NamedTuple):
    """Annotates a parameter that is a dataclass of options: the command has those in ``names``, separated by spaces."""

    names: str


class Context(NamedTuple):
    """What a command may ask for besides its options."""

    command: str  # its name
    interrupt: Interrupt  # the signals that end it
    table: Sequence[OptionRow]  # its options and arguments
    given: Mapping[str, Any]  # their values

    def line(self, *unsaid: str) -> str:
        """Return the command line that does the same, without ``unsaid`` options and defaults."""
        line = ["warptour", self.command]
        for row in self.table:
            value = self.given[row.name]
            if row.name in unsaid or value in (None, [], False) or value == row.default:
                continue
            for each in value if row.many else [value]:
                text = f"{each:g}" if isinstance(each, float) else str(each)
                line += row.names[:1] if each is True else [*row.names[:1], text]
        return shlex.join(line)


def table_of(command: Callable[..., int]) -> list[OptionRow]:
    """Return the options and arguments of a command, in the order of its parameters and their fields."""
    return [row for _, _, found in _parts(command) for row in found]


def prepared(name: str, command: Callable[..., int], words: Sequence[str], interrupt: Interrupt) -> Callable[[], int]:
    """Return the call of a command that ``words`` ask for; it may be one of its help."""
    parts = list(_parts(command))
    table = [row for _, _, found in parts for row in found]
    given = read_arguments(f"warptour {name}", table, words)
    if given is None:
        from warptour.cli.help import show_help

        return lambda: show_help(name, inspect.getdoc(command) or "", table)
    values: dict[str, Any] = {}
    for parameter, kind, found in parts:
        if kind is Context:
            values[parameter] = Context(name, interrupt, table, given)
        elif is_dataclass(kind):
            values[parameter] = kind(**{row.name: given[row.name] for row in found})  # type: ignore[operator]
        else:
            values[parameter] = given[parameter]
    return lambda: command(**values)


def _parts(command: Callable[..., int]) -> Iterator[tuple[str, Any, list[OptionRow]]]:
    """Yield each parameter of a command with its type and the rows of the table that it stands for."""
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        hint, default = hints[name], parameter.default
        kind = getattr(hint, "__origin__", hint)
        single = row_of(name, hint, REQUIRED if default is inspect.Parameter.empty else default)
        if single is not None:
            yield name, None, [single]
        elif kind is Context:
            yield name, kind, []
        else:
            only = next((each.names.split() for each in getattr(hint, "__metadata__", ())), None)
            yield name, kind, list(rows(kind, only))
