"""A quick part of the kernel tests, under the address and undefined-behaviour sanitizers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sanitized

LARGE = (
    "reference cpu-97 cpu-41-500 cpu-11-500 cpu-21-500 cpu-64 cpu-65 -101] 400 GEO line-CEIL line-MAN line-EUCLIDEAN"
    " 5-stops 5-roads 2-stops 2-roads fixed_edges_and_ends routes_are_feasible"
).split()
"""Words of cases that take long where each access is checked, and whose code smaller ones run, too."""


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tests/sanitized.py", *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode == sanitized.UNAVAILABLE:
        pytest.skip(done.stderr.strip())
    return done


@pytest.mark.long
def test_kernels_are_clean_under_the_address_and_undefined_sanitizers(root: Path) -> None:
    chosen = ("-m", "sanitize_quick", "-k", " and ".join(f"not {word}" for word in LARGE))
    files = sorted((root / "tests").rglob("test_*.py"))
    marked = [path for path in files if "@pytest.mark.sanitize_quick\n" in path.read_text()]
    folders = {path.relative_to(root).parts[1] for path in marked}
    assert folders == {"candidates", "kernels", "papers", "roads", "routes", "tours"}
    done = run(root, "address,undefined", *chosen, *map(str, marked))
    assert done.returncode == 0, done.stdout + done.stderr


def test_make_sanitize_runs_all_sanitizers_even_if_each_fails(root: Path, tmp_path: Path) -> None:
    """A stub in the place of Python notes how it was called and fails."""
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\nexit 1\n')
    python.chmod(0o755)
    for stamp in (".created", ".installed", ".dev"):
        (tmp_path / stamp).touch()
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "sanitize", f"VENV={tmp_path}"]
    done = subprocess.run(command, cwd=root, env=plain, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    calls = (tmp_path / "calls").read_text().splitlines()
    assert [call.split()[:2] for call in calls] == [
        ["tests/sanitized.py", kinds] for kinds in ("address,undefined", "address", "thread")
    ]


@pytest.mark.parametrize(
    ("fault", "report"),
    [
        ("out[n] = 1;", "heap-buffer-overflow"),
        ("out[0] = n << (n + 30);", "shift exponent"),
        ("out[0] = (int32)(n * 1e9);", "outside the range of representable values"),
    ],
    ids=["address", "undefined", "float-cast-overflow"],
)
def test_a_faulty_kernel_is_caught(fault: str, report: str, tmp_path: Path) -> None:
    """Else a clean run would prove nothing."""
    preload = sanitized.runtime("address,undefined")
    if preload is None:
        pytest.skip("this compiler has no address sanitizer that can be preloaded")
    (tmp_path / "fault.c").write_text(f"KERNEL(fault, GLOBAL int32 *out, int32 n) {{ {fault} }}\n")
    (library,) = sanitized.build.build(tmp_path / "lib", sources=tmp_path, sanitize="address,undefined")
    code = (
        "import ctypes, numpy as np\n"
        "from warptour.kernels.library import array, kernel\n"
        "out = np.zeros(4096, np.int32)\n"
        "kernel('fault', array(np.int32, output=True), ctypes.c_int32)(0, 1, out, len(out))\n"
    )
    environment = sanitized.environment("address,undefined", library, preload)
    environment["PYTHONPATH"] = str(sanitized.build.HERE.parents[1])
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert report in done.stderr


def test_a_race_is_caught(tmp_path: Path) -> None:
    preload = sanitized.runtime("thread")
    if preload is None:
        pytest.skip("this compiler has no thread sanitizer that can be preloaded")
    # Volatile, else the sum is one write and the threads may well take turns.
    loop = "volatile int32 *shared = out; for (int32 i = 0; i < n; i++) shared[0] += GROUP;"
    (tmp_path / "race.c").write_text(f"KERNEL(race, GLOBAL int32 *out, int32 n) {{ {loop} }}\n")
    (library,) = sanitized.build.build(tmp_path / "lib", sources=tmp_path, sanitize="thread")
    code = (
        "import ctypes, threading, numpy as np\n"
        "from warptour.kernels.library import array, kernel\n"
        "out = np.zeros(1, np.int32)\n"
        "race = kernel('race', array(np.int32, output=True), ctypes.c_int32)\n"
        "threads = [threading.Thread(target=race, args=(k, 2, out, 100_000_000)) for k in range(2)]\n"
        "[t.start() for t in threads]\n"
        "[t.join() for t in threads]\n"
    )
    environment = sanitized.environment("thread", library, preload)
    environment["PYTHONPATH"] = str(sanitized.build.HERE.parents[1])
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "data race" in done.stderr
