"""What ``import warptour`` loads, and how long that takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

LAZY = set("cupy pyopencl mpi4py ray matplotlib amaranth starlette uvicorn scipy rich openpyxl pandas IPython".split())
CODE = """
import json, sys, time
import numpy
start = time.perf_counter()
import warptour
print(json.dumps({"seconds": time.perf_counter() - start, "modules": sorted(sys.modules)}))
"""


def test_import_loads_numpy_alone(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    seen = json.loads(done.stdout)
    print(f"import warptour: {seen['seconds']:.3f} s beyond numpy")
    assert "warptour" in seen["modules"]
    assert {name.partition(".")[0] for name in seen["modules"]} & LAZY == set()


def test_version_is_the_installed_one() -> None:
    from importlib.metadata import PackageNotFoundError, version

    import pytest

    import warptour._version

    try:
        installed = version("warptour")
    except PackageNotFoundError:
        pytest.skip("warptour is not installed; the tests run from the source tree")
    assert installed == warptour._version.__version__
