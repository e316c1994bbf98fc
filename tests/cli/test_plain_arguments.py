"""Plain arguments mean the same with and without typer."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import pytest
import typer
from typer.main import get_command

from warptour.cli.commands import COMMANDS, QUICK, command_of
from warptour.cli.declare import Context, typed
from warptour.cli.plain_arguments import plain_arguments

PLAIN = [
    "solve a.tsp",
    "solve - --seconds 1.5 --iterations 20 --seed 7",
    "solve --seconds=2. a.tsp --strategy=ils --set kicks=3 --set a=b=c -o x.tour -o - -q",
    "solve a.tsp --latlon --json --open --from 3 --bound",
    "solve a.tsp --no-latlon --capacity 1e3 --depot Lager --seconds 3",
    "bound a.tsp --seconds 4",
    "check a.tsp b.tour",
    "info a.tsp --json",
]


def by_typer(command: Any, words: list[str]) -> dict[str, Any]:
    """Return the arguments as typer reads them."""
    seen: dict[str, Any] = {}

    def record(**named: Any) -> int:
        seen.update(named)
        return 0

    known = typed(command)
    record.__signature__ = inspect.signature(known)  # type: ignore[attr-defined]
    record.__annotations__ = known.__annotations__
    alone = typer.Typer(add_completion=False)
    alone.command()(record)
    get_command(alone)(args=words, standalone_mode=False)
    return seen


@pytest.mark.parametrize("line", PLAIN)
def test_plain_arguments_are_those_of_typer(line: str) -> None:
    name, *words = line.split()
    command = command_of(name)
    plain = plain_arguments(command, words, "owner")
    expected = by_typer(command, words)
    assert plain is not None and plain.keys() == expected.keys()
    for key, value in plain.items():
        if isinstance(value, Context):
            assert value.obj == "owner"
        else:
            assert value == expected[key] or (value is None and expected[key] in ([], ()))
            assert value is None or type(value) is type(expected[key])


@pytest.mark.parametrize(
    "words",
    [
        "", "a b", "a --help", "-h", "a --seco 1", "a --seconds", "a --seconds x", "a --seconds -1", "a --seconds inf",
        "a --iterations 1.5", "a -qo b", "a --quiet=1", "a -o", "a --strategy=", "a -- b", "a --json=true", "a -o=b",
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_typer(words: str) -> None:
    assert plain_arguments(command_of("solve"), words.split(), None) is None


def test_quick_commands_are_commands() -> None:
    assert set(QUICK) <= set(COMMANDS)


def test_a_search_imports_neither_typer_nor_pydantic() -> None:
    program = (
        "import sys; from warptour.cli import _run\n"
        "code = _run(['solve', 'uniform:50:1', '--iterations', '5', '-q'])[0]\n"
        "print(code, *(name for name in ('typer', 'pydantic', 'rich') if name in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["0"]
