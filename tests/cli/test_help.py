"""What is printed is what was written: no word is taken for a style of the terminal."""

import os
import re
import subprocess
import sys

import pytest

from warptour.cli.commands import COMMANDS, command_of
from warptour.cli.declare import table_of

PROGRAM = [sys.executable, "-m", "warptour"]


def plain(text):
    """Text without frames and line breaks."""
    return re.sub(r"[\s│]+", " ", text)


def written(name):
    """The help texts of a command, as its source has them."""
    command = command_of(name)
    yield command.__doc__
    for row in table_of(command):
        yield row.declared.help


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_every_word(name, call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "2000")
    shown = plain(call(name, "--help").out)
    texts = list(written(name))
    assert texts
    assert [text for text in texts if plain(text) not in shown] == []


def test_the_walk_finds_declarations_of_both_kinds():
    assert "needs warptour[fpga]." in " ".join(written("fpga"))
    assert "What one vehicle carries." in written("solve")


@pytest.mark.parametrize("name", ["a[bold]", "[red]", "[]", "$x^$"])
def test_brackets_in_names_are_letters(name, call, tmp_path):
    (tmp_path / f"{name}.csv").write_text(f"name,x,y\n{name},0,0\n[/bold],3,4\n[link=x],5,6\n")
    done = call("solve", f"{name}.csv", "--iterations", "1", "-o", "-")
    assert done.code == 0 and "[/bold]" in done.out and f"problem  {name}, 3 cities" in done.err


@pytest.mark.parametrize("words", [["--help"], ["solve", "--help"], ["--version"]])
def test_help_ends_quietly_where_nobody_reads_it(words):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*PROGRAM, *words], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")
