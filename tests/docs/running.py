"""Runs the blocks of a document: its Python in one namespace, its commands in one folder."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import traceback
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from called_program import called_program
from documents import ROOT, Block, blocks
from warptour.cli import main
from warptour.devices import DeviceError, find

SHELL = {"", "sh", "bash", "console"}

SHELLS_OWN = set("|<>;&*?$`")
"""Characters that a shell must read; commands without them need none."""


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
    except Exception as error:
        skip_for_want(str(error))
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
    program, *words = shlex.split(command, comments=True)
    if program == "pip":
        return  # it changes the environment that the tests run in
    if program == "mpiexec" and shutil.which(program) is None:
        return  # the tests of `--cluster mpi` are skipped then, too
    if program == "make":
        code, out, err = run_process(command.replace("make", "make --dry-run", 1), ROOT)
    elif program == "warptour" and SHELLS_OWN.isdisjoint("".join(words)):
        code, out, err = call(*words)
    else:
        code, out, err = run_process(command)
    device = re.search(r"--device (cuda|opencl)", command)
    if device and not is_there(device[1]):
        expected = code == 2 and err.count("\n") == 1 and f"no device {device[1]}" in err
    else:
        expected = code == 0
    if not expected:
        skip_for_want(err)
        pytest.fail(f"{place}: {command}\nexit status {code}\n{out}{err}", pytrace=False)


def skip_for_want(error: str) -> None:
    """Skip the rest of a document if an ``error`` says which extra to install."""
    if extra := re.search(r"pip install 'warptour\[(\w+)\]'", error):
        pytest.skip(f"the extra {extra[1]} is not installed")


def run_process(command: str, folder: Path | None = None) -> tuple[int, str, str]:
    """Return exit status, output and errors of a shell's ``command``."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, done.stdout, done.stderr


def call(*words: str) -> tuple[int, str, str]:
    """Return the same of the program, called inside this process: a process takes most of a second to start."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with called_program(), redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0), *(stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]


def is_there(kind: str) -> bool:
    try:
        find(kind)
    except DeviceError:
        return False
    return True
