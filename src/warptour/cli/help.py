"""Help pages, drawn by rich, which is imported for them and for progress only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from warptour.cli.arguments import HELP
from warptour.model.option import REQUIRED, Option, OptionRow

ABOUT: Final = "Short tours and cheap vehicle routes by local search."
OPTIONS: Final = "Options"
"""Heading of options without a group."""


def show_help(name: str, about: str, table: Sequence[OptionRow]) -> int:
    """Print the help of a command."""
    places = [row for row in table if not row.names]
    line = " ".join(row.declared.metavar if row.default is REQUIRED else f"[{row.declared.metavar}]" for row in places)
    groups: dict[str, list[OptionRow]] = {"Arguments": places, OPTIONS: []}
    for row in (*table, HELP):
        if isinstance(row.declared, Option):
            groups.setdefault(row.declared.group or OPTIONS, []).append(row)
    _show(f"{name} [OPTIONS] {line}", about, {title: map(cells, rows) for title, rows in groups.items() if rows})
    return 0


def show_commands(table: Sequence[OptionRow], commands: Mapping[str, str]) -> int:
    """Print the help of the program: its own options, and its commands with what they do."""
    own = [cells(row) for row in (*table, HELP)]
    listed = [(name, "", about) for name, about in commands.items()]
    _show("[OPTIONS] COMMAND [ARGS]...", ABOUT, {OPTIONS: own, "Commands": listed})
    return 0


def cells(row: OptionRow) -> tuple[str, str, str]:
    """Return the spellings, the value and the help of an option or argument."""
    names = ", ".join((*row.names, row.denial) if row.denial else row.names) or row.declared.metavar
    value = row.declared.metavar if row.names else ""
    if not value and row.names and row.kind is not bool:
        value = f"<{row.kind.__name__}>"
    notes = [row.declared.help]
    if row.default is REQUIRED:
        notes.append("[required]")
    elif row.default not in (None, False, ()):
        notes.append(f"[default: {row.default}]")
    return names, value, " ".join(notes)


def _show(usage: str, about: str, panels: Mapping[str, Iterable[tuple[str, str, str]]]) -> None:
    """Print a page; texts are shown as they are written, brackets included."""
    console: Any = Console(highlight=False)
    with console.capture() as page:  # rich would end the program where the reader of standard output has gone
        console.print(Text.assemble(("\n Usage: ", "bold yellow"), (f"warptour {usage}", "bold"), f"\n\n {about}\n"))
        for title, lines in panels.items():
            grid = Table(box=None, show_header=False, padding=(0, 1), expand=True)
            grid.add_column(no_wrap=True)
            grid.add_column(no_wrap=True)
            grid.add_column(ratio=1)
            for names, value, text in lines:
                grid.add_row(Text(names, "bold cyan"), Text(value, "bold yellow"), Text(text))
            console.print(Panel(grid, title=title, title_align="left", border_style="dim", box=box.ROUNDED))
    print(page.get(), end="", flush=True)
