"""What the tests of documents share."""

import logging
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import shortened

from documents import ROOT

DATA = ROOT / "src" / "warptour" / "data"


@pytest.fixture(autouse=True)
def usual_log() -> Iterator[None]:
    """Forget the level that a document sets."""
    yield
    logging.getLogger("warptour").setLevel(logging.NOTSET)


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
    beside = Path(sys.executable).parent  # mpiexec
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, (programs, beside, os.environ["PATH"]))))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (programs, Path(__file__).parent, ROOT / "src"))))
    monkeypatch.chdir(tmp_path)
    shortened.shorten(monkeypatch.setattr)
    return tmp_path
