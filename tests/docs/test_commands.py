"""Every command that a document names is there: those that are not run, too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cited import cited, faults, gone

from documents import DOCUMENTS, ROOT
from warptour.cli.commands import COMMANDS, command_of
from warptour.cli.declare import table_of

NAMED = [path for path in DOCUMENTS if path.name != "CHANGELOG.md"]
"""Documents about the program as it is."""


def test_commands_options_and_scripts_exist() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {fault}"
        for path in NAMED
        for line, command in cited(path.read_text(encoding="utf-8"))
        for fault in faults(command)
    ]
    assert found == []


def test_the_map_of_the_code_has_every_folder_and_every_command() -> None:
    text = (ROOT / "docs" / "developer" / "architecture.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)/` \| (.*) \|$", text, re.M))
    folders = {path.parent.name for path in ROOT.glob("src/warptour/*/__init__.py")} | {"data", "schemas"}
    assert rows.keys() == folders
    named = rows["cli"].partition(":")[0].split(", ")
    assert sorted(named) == sorted(COMMANDS)


def test_no_figure_needs_a_script_that_nobody_has() -> None:
    assert [fault for path in NAMED for fault in gone(path)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_of_the_user_names_every_option(name: str) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "user").glob("*.md"))
    named = set(re.findall(r"(?<![\w-])(--[a-z][a-z-]*)", text))
    assert [row.names for row in table_of(command_of(name)) if row.names and named.isdisjoint(row.names)] == []


def test_what_is_not_there_is_found(tmp_path: Path) -> None:
    """Else documents without faults would prove nothing."""
    text = (
        "Run `warptour\nsolve x --second 3`, `python benchmarks/quality.py x` or `make tets`:\n\n"
        "    mpiexec -n 2 warptour sovle x\n\n```text\nwarptour solve x --set colour=3\n```\n"
        "`pip install 'warptour[plots]'`, `warptour bench scans`, `python benchmarks/kills.py --kill 3`"
    )
    assert [(line, fault) for line, command in cited(text) for fault in faults(command)] == [
        (7, "no strategy has the parameter colour"),
        (4, "there is no command sovle"),
        (1, "solve has no --second"),
        (2, "there is no benchmarks/quality.py"),
        (2, "the Makefile has no tets"),
        (9, "there is no extra plots"),
        (9, "bench has no scans"),
        (9, "benchmarks/kills.py has no --kill"),
    ]
    (tmp_path / "a.md").write_text(
        "2 s, by a script\noutside the tree.\n3 s by scripts that are\nnot kept; a script of yours\n"
    )
    assert gone(tmp_path / "a.md") == [
        "a.md:1: by a script",
        "a.md:3: scripts that are not kept",
    ]
