"""Child processes import nothing from the current folder, where the files of a stranger may lie."""

import os
import re
import subprocess
from pathlib import Path

import pytest

import warptour
from warptour.observe.child import program, python

POISON = "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\nraise SystemExit('poisoned')\n"
NAMES = ("numpy", "warptour", "json", "subprocess")
TOOL = (
    "from pathlib import Path; from warptour.papers.mavroidis.fpga.rtl.tools import Tool;"
    " Tool('tool', 'numpy', 'size').run([], Path())"
)
ALONE = "from warptour.bench.cluster import _alone; _alone('uniform:100:1', 2, 1, 0.1)"
PEER = """
import sys
from warptour.compare.peers.modules import PyVrp
class Harmless(PyVrp):
    module = package = "numpy"
Harmless(sys.executable)
"""


@pytest.fixture
def poisoned(tmp_path):
    """A folder whose modules leave a trace when they are imported."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(POISON)
    yield tmp_path
    assert not list(tmp_path.glob("*.ran"))


def succeed(command, folder):
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(command, cwd=folder, env=plain, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr


def test_the_poison_works(poisoned):
    unsafe = [word for word in program("--version") if word != "-P"]
    assert "poisoned" in subprocess.run(unsafe, cwd=poisoned, capture_output=True, text=True, check=False).stderr
    (poisoned / "warptour.ran").unlink()


@pytest.mark.parametrize(
    "words", [["--version"], ["solve", "uniform:50:1", "--iterations", "1", "--cluster", "local:2"]]
)
def test_the_program_runs_among_strange_modules(words, poisoned):
    succeed(program(*words), poisoned)


@pytest.mark.parametrize(
    "code",
    [ALONE, PEER, TOOL],
    ids=["bench cluster", "compare", "fpga tools"],
)
def test_what_starts_children_runs_among_strange_modules(code, poisoned):
    succeed(python("-c", code), poisoned)


def test_python_is_started_in_one_place():
    """Only an interpreter of the user's choice, in a comparison, may be older than ``-P``."""
    package = Path(warptour.__file__).parent
    starts = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"\[sys\.executable", path.read_text(encoding="utf-8"))
    }
    assert starts == {"observe/child.py", "compare/peers/modules.py"}
