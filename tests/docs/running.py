"""Runs the blocks of a document: its Python in one namespace, its commands in one folder."""

from __future__ import annotations

import re
import shlex
import subprocess
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from documents import ROOT, Block, blocks
from warptour.devices import DeviceError, find

SHELL = {"", "sh", "bash", "console"}


def run_document(document: Path) -> dict[str, Any]:
    """Run every block of ``document``; return what its Python has defined."""
    names: dict[str, Any] = {}
    for block in blocks(document.read_text(encoding="utf-8")):
        if block.language == "python":
            run_python(document, block, names)
        elif block.language in SHELL:
            for line, command in commands(block):
                run_command(f"{document.relative_to(ROOT)}:{line}", command)
    return names


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
