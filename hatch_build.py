"""Hatchling's hook: compile the native library, put it into the wheel, and tag the wheel by platform.

The library needs no Python headers, so one wheel serves every Python version of a platform. ``WARPTOUR_WHEEL`` names
one of :data:`PLATFORMS`, for which zig then cross-compiles.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNELS = Path("src/warptour/kernels")

PLATFORMS = {
    "manylinux_2_17_x86_64": ("linux", "x86_64", "x86_64-linux-gnu.2.17"),
    "manylinux_2_17_aarch64": ("linux", "aarch64", "aarch64-linux-gnu.2.17"),
    "musllinux_1_2_x86_64": ("linux", "x86_64", "x86_64-linux-musl"),
    "musllinux_1_2_aarch64": ("linux", "aarch64", "aarch64-linux-musl"),
    "macosx_10_13_x86_64": ("darwin", "x86_64", "x86_64-macos.10.13"),
    "macosx_11_0_arm64": ("darwin", "arm64", "aarch64-macos.11.0"),
    "win_amd64": ("win32", "amd64", "x86_64-windows-gnu"),
}
"""Platform tags of wheels, with Python's names of system and architecture and zig's name of both."""

ZIG = "ziglang==0.17.0"
"""The compiler that is asked for, as in the dependency group ``release``; such requirements cannot have a hash."""


class NativeLibrary(BuildHookInterface):  # type: ignore[misc,type-arg]
    """Builds in place for an editable install, in ``build/`` for another platform, else in a scratch folder."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for a C compiler from the package index where the system has none."""
        if self.target_name != "wheel":
            return []
        compiled = not os.environ.get("WARPTOUR_WHEEL") and build_script(self.root).system_compiler()
        return [] if compiled else [ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build for wheels, ``standard`` and ``editable``; a source distribution carries the texts alone."""
        if self.target_name != "wheel":
            return
        script = build_script(self.root)
        platform = os.environ.get("WARPTOUR_WHEEL") if version != "editable" else None
        if platform and platform not in PLATFORMS:
            sys.exit(f"warptour: WARPTOUR_WHEEL={platform}: expected one of {', '.join(PLATFORMS)}")
        try:
            libraries = script.build(
                self._folder(version, platform),
                target=script.BuildTarget(*PLATFORMS[platform]) if platform else script.HOST,
            )
        except script.BuildError as error:
            sys.exit(f"warptour: the native library was not built: {error}")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform or _platform()}"
        if version != "editable":
            for library in libraries:
                build_data["force_include"][str(library)] = f"warptour/kernels/lib/{library.name}"

    def _folder(self, version: str, platform: str | None) -> Path:
        if version == "editable":
            return Path(self.root, KERNELS, "lib")
        if platform:  # kept, so that the next release compiles only what has changed
            return Path(self.root, "build", platform)
        self.scratch = tempfile.TemporaryDirectory(prefix="warptour-wheel-")
        return Path(self.scratch.name)


def _platform() -> str:
    if sys.platform == "darwin":
        # sysconfig says universal2, the compiler builds for one architecture.
        from packaging.tags import platform_tags

        return next(iter(platform_tags()))
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def build_script(root: str) -> ModuleType:
    """Load ``kernels/build.py`` by path: the package it lives in is not installed yet."""
    name = "warptour_kernels_build"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(root, KERNELS, "build.py"))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
