"""Python in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest


@pytest.fixture
def run_python() -> Callable[[str], str]:
    """Run a program text and return what it prints."""

    def run_python(code: str) -> str:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    return run_python
