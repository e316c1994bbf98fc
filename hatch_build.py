"""Hatchling's hook: compile the native library, put it into the wheel, and tag the wheel by platform.

The library needs no Python headers, so one wheel serves every Python version of a platform.
"""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNELS = Path("src/warptour/kernels")


class NativeLibrary(BuildHookInterface):  # type: ignore[misc,type-arg]
    """Builds in place for an editable install, else in a scratch folder that lasts as long as the build."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for a C compiler from the package index where the system has none."""
        if self.target_name != "wheel" or _build_script(self.root).system_compiler():
            return []
        return ["ziglang"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build for wheels, ``standard`` and ``editable``; a source distribution carries the texts alone."""
        if self.target_name != "wheel":
            return
        script = _build_script(self.root)
        kernels = Path(self.root, KERNELS)
        if version == "editable":
            output = kernels / "lib"
        else:
            self.scratch = tempfile.TemporaryDirectory(prefix="warptour-wheel-")
            output = Path(self.scratch.name)
        try:
            libraries = script.build(output)
        except script.BuildError as error:
            sys.exit(f"warptour: the native library was not built: {error}")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform()}"
        if version != "editable":
            for library in libraries:
                build_data["force_include"][str(library)] = f"warptour/kernels/lib/{library.name}"


def _platform() -> str:
    if sys.platform == "darwin":
        # sysconfig says universal2, the compiler builds for one architecture.
        from packaging.tags import platform_tags

        return next(iter(platform_tags()))
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _build_script(root: str) -> ModuleType:
    """Load ``kernels/build.py`` by path: the package it lives in is not installed yet."""
    name = "warptour_kernels_build"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(root, KERNELS, "build.py"))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
