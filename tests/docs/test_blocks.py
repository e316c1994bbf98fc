"""Every command and every Python block of the README and of ``docs/user`` runs, on bundled data.

The blocks of a document run in order, in one folder and one Python namespace. A block that is marked ``text``, or is in
another language than Python and the shell's, does not run. Limits on time are cut down: see ``shortened.py``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shortened

from documents import ROOT, Block, blocks
from warptour.devices import DeviceError, find

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs" / "user").glob("*.md"))]
DATA = ROOT / "src" / "warptour" / "data"
SHELL = {"", "sh", "bash", "console"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: the bundled data, a ``best.csv``, the benchmarks, and programs whose limits are cut down."""
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    (tmp_path / "best.csv").write_text("name,best\n")
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")

    programs = tmp_path / "bin"
    programs.mkdir()
    for name, command in {"warptour": [sys.executable, "-m", "warptour"], "python": [sys.executable]}.items():
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        (programs / name).chmod(0o755)
    (programs / "sitecustomize.py").write_text("import shortened\nshortened.shorten()\n")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (programs, Path(__file__).parent, ROOT / "src"))))
    monkeypatch.chdir(tmp_path)
    shortened.shorten(monkeypatch.setattr)
    return tmp_path


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_block_runs(document: Path, folder: Path) -> None:
    names: dict[str, Any] = {}
    for block in blocks(document.read_text(encoding="utf-8")):
        if block.language == "python":
            run_python(document, block, names)
        elif block.language in SHELL:
            for line, command in commands(block):
                run_command(f"{document.relative_to(ROOT)}:{line}", command)


def run_python(document: Path, block: Block, names: dict[str, Any]) -> None:
    # Empty lines before it make the line numbers of a traceback those of the document.
    code = compile("\n" * (block.line - 1) + block.text, str(document), "exec")
    try:
        exec(code, names)
    except Exception:
        place = f"{document.relative_to(ROOT)}:{block.line}"
        pytest.fail(f"{place}: the block fails\n{traceback.format_exc()}", pytrace=False)


def commands(block: Block) -> Iterator[tuple[int, str]]:
    """Yield each command of a block with its line; of a ``console`` block, what follows ``$``."""
    text = re.sub(r"\\\n", lambda _: "\0", block.text)
    number = block.line
    for line in text.splitlines():
        command = line.replace("\0", " ").strip()
        if block.language == "console" or command.startswith("$"):
            command = command[1:].strip() if command.startswith("$") else ""
        if command and not command.startswith("#"):
            yield number, command
        number += 1 + line.count("\0")


def run_command(place: str, command: str) -> None:
    program = shlex.split(command, comments=True)[0]
    if program == "pip":
        return  # it changes the environment that the tests run in
    where = None
    if program == "make":
        command, where = command.replace("make", "make --dry-run", 1), ROOT
    done = subprocess.run(["bash", "-c", command], cwd=where, capture_output=True, text=True, check=False, timeout=300)
    device = re.search(r"--device (cuda|opencl)", command)
    if device and not is_there(device[1]):
        expected = done.returncode == 2 and done.stderr.count("\n") == 1 and f"no device {device[1]}" in done.stderr
    else:
        expected = done.returncode == 0
    if not expected:
        said = f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
        pytest.fail(f"{place}: {command}\n{said}", pytrace=False)


def is_there(kind: str) -> bool:
    try:
        find(kind)
    except DeviceError:
        return False
    return True
