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

import numpy as np
import pytest
import shortened

import warptour as wt
from documents import ROOT, Block, blocks
from warptour.devices import DeviceError, find
from warptour.io.write import write_problem

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs" / "user").glob("*.md"))]
DATA = ROOT / "src" / "warptour" / "data"
SHELL = {"", "sh", "bash", "console"}

INSTANCES = {
    "pr1002.tsp": ("uniform", 1002),
    "d493.tsp": ("uniform", 493),
    "a.tsp": ("uniform", 200),
    "big.tsp": ("uniform", 2000),
    "X-n502-k39.vrp": ("vrp", 100),
}
TABLES = {
    "stops.csv": "name,lat,lon\nDepot,48.2,16.4\nWarehouse,48.1,16.3\nLast stop,48.3,16.5\n"
    + "".join(f"Stop {k},{48 + 0.037 * (k * 7 % 11):.3f},{16 + 0.029 * (k * 5 % 13):.3f}\n" for k in range(20)),
    "customers.csv": "name,x,y,demand\nDepot,50,50,0\n"
    + "".join(f"Customer {k},{k * 37 % 101},{k * 53 % 97},{1 + k % 9}\n" for k in range(40)),
}
"""What a reader is taken to have, as far as it is not bundled; the names of public instances are stand-ins."""


def given() -> dict[str, Any]:
    """Return the variables that a reader is taken to have."""
    rng = np.random.default_rng(1)
    points = rng.random((1002, 2))
    return {
        "xy": points,
        "stops": 40 + 10 * rng.random((50, 2)),
        "distances": np.linalg.norm(points[:, None] - points[None], axis=2),
        "my_tour": rng.permutation(1000),
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: the bundled data, the rest that documents name, and programs whose limits are cut down."""
    for name, (kind, n) in INSTANCES.items():
        write_problem(tmp_path / name, wt.generate(kind, n, 1))
    for name, text in TABLES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "best.csv").write_text("name,best\n")
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
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
    names = given()
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
    if device and not present(device[1]):
        expected = done.returncode == 2 and done.stderr.count("\n") == 1 and f"no device {device[1]}" in done.stderr
    else:
        expected = done.returncode == 0
    if not expected:
        said = f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
        pytest.fail(f"{place}: {command}\n{said}", pytrace=False)


def present(kind: str) -> bool:
    try:
        find(kind)
    except DeviceError:
        return False
    return True
