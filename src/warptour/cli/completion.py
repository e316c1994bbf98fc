"""``warptour completion``: what shells need to complete commands and options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Final

from warptour.cli.arguments import HELP
from warptour.cli.commands import COMMANDS, command_of
from warptour.cli.declare import table_of
from warptour.model.errors import UsageError
from warptour.model.option import Argument, OptionRow

BASH: Final = """\
_warptour() {
    local word=${COMP_WORDS[COMP_CWORD]} options
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "%(commands)s" -- "$word"))
        return
    fi
    case ${COMP_WORDS[1]} in
%(cases)s
    esac
    case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}
complete -o filenames -F _warptour warptour
"""

Tables = Mapping[str, list[OptionRow]]
"""Options by the name of their command."""


def completion(shell: Annotated[str, Argument("bash, zsh or fish.", "SHELL")]) -> int:
    """Print what completes commands and options in a shell: eval "$(warptour completion bash)"."""
    if shell not in SCRIPTS:
        raise UsageError(f"SHELL is one of {', '.join(SCRIPTS)}, not {shell!r}")
    print(SCRIPTS[shell]({name: [*table_of(command_of(name)), HELP] for name in COMMANDS}), end="")
    return 0


def _bash(tables: Tables) -> str:
    spelled = {name: " ".join(word for row in table for word in _words(row)) for name, table in tables.items()}
    cases = "\n".join(f'    {name}) options="{words}" ;;' for name, words in spelled.items())
    return BASH % {"commands": " ".join(tables), "cases": cases}


def _zsh(tables: Tables) -> str:
    return "autoload -U +X bashcompinit && bashcompinit\n" + _bash(tables)


def _fish(tables: Tables) -> str:
    lines = [f"complete -c warptour -n __fish_use_subcommand -f -a '{' '.join(tables)}'"]
    for name, table in tables.items():
        for row in table:
            about = row.declared.help.replace("\\", "\\\\").replace("'", "\\'")
            value = "" if row.kind is bool else " -r"
            for word in _words(row):
                spelling = f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}"
                lines.append(
                    f"complete -c warptour -n '__fish_seen_subcommand_from {name}' {spelling}{value} -d '{about}'"
                )
    return "\n".join(lines) + "\n"


def _words(row: OptionRow) -> list[str]:
    return [word for word in (*row.names, row.denial) if word]


SCRIPTS: Final[Mapping[str, Callable[[Tables], str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
"""The script of each shell."""
