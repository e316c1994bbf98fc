"""Plant faults in copies of the tree, one at a time, and see whether the tests named for each notice.

They run as in ``make test``: without what is marked ``long``.

``python tests/planted/plant.py [WORD ...]`` plants those of ``faults.py`` whose names contain one of the words, by
default all. The named tests must pass without a fault, which is seen to first. The exit status is 0 if every fault is
caught. A fault in C costs a compilation of what includes it, so all of them take half an hour on two cores.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from planted.faults import FAULTS, Fault  # noqa: E402 (from the folder above)

BUILD = Path("src", "warptour", "kernels", "build.py")
COPIED = ("src", "tests", "pyproject.toml")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "lib-sanitize-*")

PATIENCE = 900
"""Seconds after which tests are said to hang, which is noticed, too."""


def outcome(fault: Fault | None, tests: Iterable[str]) -> str:
    """Return ``caught``, ``survived`` or what prevented the ``tests`` from running in a copy with ``fault``."""
    with tempfile.TemporaryDirectory(prefix="warptour-planted-") as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=LEFT_OUT)
            else:
                shutil.copy(source, copy / name)
        if fault is not None:
            fault.plant(copy)
            if fault.file.endswith((".c", ".h")):
                built = subprocess.run([sys.executable, BUILD], cwd=copy, capture_output=True, text=True, check=False)
                if built.returncode:
                    return f"does not compile: {built.stderr.strip()}"
        environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # plugins that tests don't need may warn, which fails them
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not long"]
        command += [f"tests/{test}" for test in tests]
        try:
            ran = subprocess.run(
                command, cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
            )
        except subprocess.TimeoutExpired:
            return "caught"
    if ran.returncode in (0, 1):
        return ("survived", "caught")[ran.returncode]
    return f"pytest ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}"


def planted(faults: Sequence[Fault]) -> bool:
    """Plant each fault, print what became of it, and return whether all were caught."""
    subprocess.run([sys.executable, ROOT / BUILD], check=True, stdout=subprocess.DEVNULL)  # copies share its objects
    sound = outcome(None, sorted({test for fault in faults for test in fault.tests}))
    if sound != "survived":
        print(f"without any fault: {sound.replace('caught', 'the tests fail')}")
        return False
    survivors = []
    for fault in faults:
        began = time.perf_counter()
        became = outcome(fault, fault.tests)
        print(f"{became} after {time.perf_counter() - began:.0f} s: {fault.name} ({fault.file})", flush=True)
        if became != "caught":
            survivors.append(fault)
    print(f"{len(faults) - len(survivors)} of {len(faults)} faults were caught")
    return not survivors


def main() -> int:
    """Plant the faults that the arguments choose."""
    words = sys.argv[1:]
    chosen = [fault for fault in FAULTS if not words or any(word in fault.name for word in words)]
    if not chosen:
        print(f"no fault's name has any of: {', '.join(words)}")
        return 2
    return 0 if planted(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
