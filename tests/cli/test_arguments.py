"""Words of the command line mean what the table of a command's options says."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import fields
from typing import Any

import pytest

import warptour
from warptour.api.options import SearchOptions, SolveOptions
from warptour.cli.arguments import read_arguments
from warptour.cli.commands import COMMANDS, command_of
from warptour.cli.declare import table_of
from warptour.io.reading import ReadOptions
from warptour.model.audience import at_the_command_line
from warptour.model.errors import UsageError

GIVEN: list[tuple[str, dict[str, Any]]] = [
    ("solve a.tsp", {"file": "a.tsp"}),
    ("solve - --seconds 1.5 --iterations 20 --seed 7", {"file": "-", "seconds": 1.5, "iterations": 20, "seed": 7}),
    ("solve --seconds=2. a.tsp --strategy=ils", {"file": "a.tsp", "seconds": 2.0, "strategy": "ils"}),
    ("solve a --set kicks=3 --set a=b=c", {"file": "a", "settings": ["kicks=3", "a=b=c"]}),
    ("solve a -o x.tour -o - -q", {"file": "a", "output": ["x.tour", "-"], "quiet": True}),
    ("solve a -qox.tour --seconds inf", {"file": "a", "output": ["x.tour"], "quiet": True, "seconds": float("inf")}),
    ("solve a --latlon --json --open --from 3", {"file": "a", "latlon": True, "as_json": True, "is_open": True,
                                                "from_city": "3"}),
    ("solve a --no-latlon --capacity 1e3 --depot Lager", {"file": "a", "latlon": False, "capacity": 1000.0,
                                                         "depot": ["Lager"]}),
    ("solve a --target -1e9 --from -x -o -o", {"file": "a", "target": -1e9, "from_city": "-x", "output": ["-o"]}),
    ("solve --iterations 1_000 --threads +2 -- -a", {"file": "-a", "iterations": 1000, "threads": 2}),
    ("solve a --depot none --cluster=", {"file": "a", "depot": ["none"], "cluster": ""}),
    ("compare a --seconds 1 b --seconds 2 c", {"files": ["a", "b", "c"], "seconds": [1.0, 2.0]}),
    ("reproduce --quick oneil -oout table-1 table-2", {"paper": "oneil", "exhibits": ["table-1", "table-2"],
                                                      "quick": True, "output": "out"}),
    ("check a.tsp b.tour", {"file": "a.tsp", "solution": "b.tour"}),
    ("example", {}),
]  # fmt: skip


@pytest.mark.parametrize(("line", "given"), GIVEN)
def test_what_is_given_is_read_and_all_else_has_its_default(line: str, given: dict[str, Any]) -> None:
    name, *words = line.split()
    table = table_of(command_of(name))
    found = read_arguments(name, table, words)
    assert found == {row.name: row.default for row in table} | given
    assert found is not None and all(type(found[key]) is type(value) for key, value in given.items())


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("solve", "FILE is missing"),
        ("solve a b", "'b' is a word too many"),
        ("solve a --seco 1", "there is no option --seco; did you mean --seconds"),
        ("solve a -qx", "there is no option -x"),
        ("solve a --no-open", "there is no option --no-open; did you mean"),
        ("solve a --seconds", "--seconds takes a value, and none follows"),
        ("solve a -qo", "-o takes a value, and none follows"),
        ("solve a --seconds x", "--seconds is a number, not 'x'"),
        ("solve a --threads=", "--threads is a whole number, not ''"),
        ("solve a --iterations 1.5", "--iterations is a whole number, not '1.5'"),
        ("solve a --quiet=1", "--quiet takes no value"),
        ("generate uniform x -o a.tsp", "N is a whole number, not 'x'"),
        ("generate uniform 5", "--output/-o is missing"),
        ("bench scan --threads 0", "--threads is from 1 to 1024, not 0"),
        ("bench scan --seconds 1 --seconds -1", "--seconds is 0 or more, not -1"),
        ("compare a --grace nan", "--grace is 0 or more, not nan"),
    ],
)
def test_what_means_nothing_is_refused_with_what_would_be_right(line: str, fault: str) -> None:
    name, *words = line.split()
    with at_the_command_line(), pytest.raises(UsageError) as refused:
        read_arguments(f"warptour {name}", table_of(command_of(name)), words)
    assert str(refused.value).startswith(fault) and str(refused.value).endswith(f"(see warptour {name} --help)")


@pytest.mark.parametrize("line", ["--help", "-h", "a -qh", "a --seconds x --help", "a b c -h"])
def test_help_comes_before_what_is_wrong_with_values(line: str) -> None:
    assert read_arguments("warptour solve", table_of(command_of("solve")), line.split()) is None


@pytest.mark.parametrize("name", COMMANDS)
def test_every_name_and_spelling_of_a_command_stands_once(name: str) -> None:
    table = table_of(command_of(name))
    names = [row.name for row in table]
    spellings = [each for row in table for each in (*row.names, row.denial) if each]
    assert len(set(names)) == len(names) and len(set(spellings)) == len(spellings)
    assert all(row.declared.help.endswith((".", "]")) for row in table)


def test_the_keywords_of_python_are_the_options_of_the_table() -> None:
    """``read`` and ``solve`` spell their parameters out for editors and type checkers."""
    keywords = inspect.signature(warptour.read).parameters.keys() - {"source", "open"}
    assert keywords == {field.name for field in fields(ReadOptions)} - {
        "is_open", "from_city", "to_city", "all_stops", "locked", "now", "change_cost", "strict",
    }  # fmt: skip
    options = {field.name: field.default for field in fields(SearchOptions)}
    assert options.keys() == SolveOptions.__annotations__.keys() | {"strategy"}
    spelled = inspect.signature(warptour.solve).parameters
    assert {name: each.default for name, each in spelled.items() if name != "problem"} == options


def test_unknown_commands_have_a_likely_name(call: Any) -> None:
    done = call("sol", "a.tsp")
    assert (done.code, done.fault) == (2, "there is no command 'sol'; did you mean solve? (see warptour --help)")


def test_a_search_imports_neither_rich_nor_a_parser() -> None:
    program = (
        "import sys; from warptour.cli import _run\n"
        "code = _run(['solve', 'uniform:50:1', '--iterations', '5', '-q'])[0]\n"
        "print(code, *(name for name in ('rich', 'typing_extensions') if name in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["0"]
