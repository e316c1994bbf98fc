"""Under ``--require`` a test that has no device fails, and every test that runs on a device asks for one that way."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

KINDS = ("opencl", "cuda")

FIXTURES = {"device", "accelerator", "gpu"}
"""Those of ``tests/conftest.py`` that give a test each kind of device."""

SEARCHES = {"present", "find_all"}
FINDERS = {"conftest.py", "devices/test_verbs.py", "devices/test_backends.py"}
"""Files that may look for devices themselves: to give them out, and to test how they are found."""

HIDDEN = {"CUDA_VISIBLE_DEVICES": "", "OCL_ICD_VENDORS": "/nonexistent", "OCL_ICD_FILENAMES": ""}
"""Environment in which neither CUDA nor OpenCL finds a device."""


def modules(root: Path) -> Iterator[tuple[str, ast.Module]]:
    folder = root / "tests"
    for path in sorted(folder.rglob("*.py")):
        yield path.relative_to(folder).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def arguments(node: ast.AST) -> set[str]:
    """Return the parameters of a test, none of anything else."""
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
        return {argument.arg for argument in node.args.args}
    return set()


@pytest.fixture(scope="module")
def on_devices(root: Path) -> list[str]:
    """Test files that run on devices."""
    return [path for path, tree in modules(root) if any(arguments(node) & FIXTURES for node in ast.walk(tree))]


def test_files_that_run_on_devices_are_known(on_devices: list[str]) -> None:
    papers = {f"papers/{name}.py" for name in ("mavroidis/engine/test_rows", "scans/test_conformance")}
    known = papers | {f"tours/engine/{name}.py" for name in ("test_overlapping", "test_disjoint")}
    assert known | {"tours/strategy/test_disjoint.py", "bench/test_windows_suite.py"} <= set(on_devices)


def test_devices_come_from_fixtures_alone(root: Path) -> None:
    """A test that looks for devices itself would pass with those it finds, whatever was required."""
    found = []
    for path, tree in modules(root):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                elsewhere = name == "find" and any(kind in ast.unparse(node.args[0]) for kind in KINDS if node.args)
                if path not in FINDERS and (name in SEARCHES or elsewhere):
                    found.append(f"{path}:{node.lineno} {ast.unparse(node)}")
    assert found == []


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["one", "all"])
def test_without_devices_what_is_required_fails(root: Path, on_devices: list[str], every: bool) -> None:
    """Nothing that would run on CUDA or OpenCL passes or is skipped, in one or all of the files."""
    chosen = on_devices if every else on_devices[-1:]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")} | HIDDEN
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rpsxXfE", "-p", "no:cacheprovider", "-p", "no:xdist"]
    required = [word for kind in KINDS for word in ("--require", kind)]
    done = subprocess.run(
        [*command, *required, "-k", " or ".join(KINDS), *(f"tests/{path}" for path in chosen)],
        cwd=root, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout[-3000:] + done.stderr[-3000:]
    assert not re.findall(r"^SKIPPED .*", done.stdout, re.MULTILINE)
    outcomes = re.findall(r"^([A-Z]+) tests/(\S+?\.py)::\w+\[(cuda|opencl)[-\]]", done.stdout, re.MULTILINE)
    assert {outcome for outcome, _, _ in outcomes} == {"ERROR"}
    assert {(path, kind) for _, path, kind in outcomes} == {(path, kind) for path in chosen for kind in KINDS}
