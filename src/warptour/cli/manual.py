"""The manual page in troff, from the tables of commands: ``python -m warptour.cli.manual > release/warptour.1``."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Final

from warptour.cli.arguments import HELP
from warptour.cli.commands import COMMANDS, VERSION, command_of
from warptour.cli.declare import table_of
from warptour.cli.help import ABOUT, cells
from warptour.model.option import OptionRow

STATUS: Final = {
    "0": "solved; of check: feasible",
    "1": "nothing feasible was found; of check: infeasible; of doctor: a fault",
    "2": "bad usage or input, one line on standard error",
    "70, 71, 74": "an internal error; memory, threads or a device failed; an output could not be written",
    "129, 130, 141, 143": "ended by a signal, the best solution so far written",
}
"""Exit codes."""


def manual() -> str:
    """Return the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    name, _, about = ABOUT.partition(" by ")
    yield '.TH WARPTOUR 1 "" "" "User Commands"'
    yield ".SH NAME"
    yield rf"warptour \- {name[0].lower()}{name[1:]} by {about.rstrip('.')}"
    yield ".SH SYNOPSIS"
    yield ".B warptour\n[COMMAND] [OPTIONS] [ARGUMENTS]"
    yield ".SH DESCRIPTION"
    yield "Without a command it shows what can be done with the files of the current folder."
    yield from _options([VERSION, HELP])
    for command in COMMANDS:
        function = command_of(command)
        yield f".SH {command.upper()}"
        yield _plain(inspect.getdoc(function) or "")
        yield from _options(table_of(function))
    yield ".SH EXIT STATUS"
    for code, about in STATUS.items():
        yield f".TP\n{code}\n{about}"


def _options(table: list[OptionRow]) -> Iterator[str]:
    for row in table:
        names, value, text = cells(row)
        yield ".TP"
        yield rf"\fB{_plain(names)}\fR {_plain(value)}".rstrip()
        yield _plain(text)


def _plain(text: str) -> str:
    """Return a text that troff prints as it is."""
    escaped = " ".join(text.replace("\\", "\\e").replace("-", "\\-").split())
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    print(manual(), end="")
