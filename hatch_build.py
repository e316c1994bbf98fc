"""Hatchling's hook: compile the native library, put it into the wheel with a bill of materials, and tag the wheel.

The library needs no Python headers, so one wheel serves every Python version of a platform. ``WARPTOUR_WHEEL`` names
one of :data:`PLATFORMS`, for which zig then cross-compiles. The same sources and compiler give the same bytes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
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

ZIG_FILES = {
    "linux-x86_64": "e3a07def2ec478e46b804b0edad1915afd6cf49dc58820e0476ad4d0154207ad",
    "linux-aarch64": "fe175248600e9fb3743ea96c3c78fa225ce00bbd7dea20053bb87c337b193652",
    "darwin-x86_64": "56c64229eb4716aa5ff20ce63a225f59f30118bec504ce373e053778bd42f291",
    "darwin-arm64": "bf697f9a6da64afd66effe921359d7001fc9298e4006eed0663b8778f9deb335",
}
"""So the hook checks, before it runs that compiler, that its files have the digest of those published for this
system and architecture, as :func:`digest_of_files` computes it."""


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
        tag = os.environ.get("WARPTOUR_WHEEL") if version != "editable" else None
        if tag and tag not in PLATFORMS:
            sys.exit(f"warptour: WARPTOUR_WHEEL={tag}: expected one of {', '.join(PLATFORMS)}")
        target = script.BuildTarget(*PLATFORMS[tag]) if tag else script.HOST
        try:
            check_compiler(script.find_compiler(target))
            libraries = script.build(self._folder(version, tag), target=target)
        except script.BuildError as error:
            sys.exit(f"warptour: the native library was not built: {error}")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag or _platform()}"
        if version != "editable":
            for library in libraries:
                build_data["force_include"][str(library)] = f"warptour/kernels/lib/{library.name}"
            self.bill = tempfile.TemporaryDirectory(prefix="warptour-bill-")
            at = commit_to_name(Path(self.root), self.metadata.version)
            if at:
                named = Path(self.bill.name, "_commit.txt")
                named.write_text(at + "\n", encoding="ascii")
                build_data["force_include"][str(named)] = "warptour/_commit.txt"
            bill = Path(self.bill.name, "warptour.cdx.json")
            bill.write_text(json.dumps(self.bill_of_materials(libraries), indent=1) + "\n", encoding="utf-8")
            build_data["sbom_files"].append(str(bill))

    def bill_of_materials(self, libraries: Sequence[Path]) -> dict[str, Any]:
        """Return what the wheel holds and what it installs, in CycloneDX's form; nothing in it is a time or a place."""
        core = self.metadata.core
        package = f"pkg:pypi/{core.name}@{self.metadata.version}"
        hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in libraries}
        compiled = [
            {"type": "file", "bom-ref": name, "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}
            for name, digest in sorted(hashes.items())
        ]
        required = [_requirement(text, "required") for text in sorted(core.dependencies)]
        extras = {text for texts in core.optional_dependencies.values() for text in texts}
        optional = [_requirement(text, "optional") for text in sorted(extras) if not text.startswith(core.name)]
        return {
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, package + json.dumps(hashes, sort_keys=True))}",
            "version": 1,
            "metadata": {
                "component": {
                    "type": "library",
                    "bom-ref": package,
                    "name": core.name,
                    "version": self.metadata.version,
                    "purl": package,
                    "licenses": [{"license": {"id": core.license_expression}}],
                }
            },
            "components": [*compiled, *required, *optional],
            "dependencies": [{"ref": package, "dependsOn": [each["bom-ref"] for each in [*compiled, *required]]}],
        }

    def _folder(self, version: str, tag: str | None) -> Path:
        if version == "editable":
            return Path(self.root, KERNELS, "lib")
        if tag:  # kept, so that the next release compiles only what has changed
            return Path(self.root, "build", tag)
        self.scratch = tempfile.TemporaryDirectory(prefix="warptour-wheel-")
        return Path(self.scratch.name)


def commit_to_name(root: Path, version: str) -> str | None:
    """Return the commit of a checkout, None where there is no git or the commit is tagged as this version."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    if not (root / ".git").exists():
        return None
    try:
        tags = git("tag", "--points-at", "HEAD").split()
        return None if f"v{version}" in tags else git("rev-parse", "--short", "HEAD") or None
    except OSError:
        return None


def _requirement(text: str, scope: str) -> dict[str, Any]:
    """Return a requirement as a component; which version is installed, the installer decides within its bounds."""
    name = re.match(r"[A-Za-z0-9][\w.-]*", text)
    assert name is not None
    facts = {"type": "library", "bom-ref": text, "name": name[0], "purl": f"pkg:pypi/{name[0].lower()}", "scope": scope}
    return facts | {"properties": [{"name": "warptour:requirement", "value": text}]}


def check_compiler(compiler: Sequence[str]) -> None:
    """Stop unless `compiler` is the user's own, or the package ``ziglang`` as it was published."""
    package = Path(compiler[0]).parent
    if package.name != ZIG.partition("==")[0] or not (package / "__init__.py").exists():
        return
    system = f"{sys.platform}-{platform.machine().lower()}"
    known = ZIG_FILES.get(system)
    if known is None:
        sys.exit(f"warptour: {ZIG} is not known for {system}: install gcc or clang, or set CC to a compiler you trust")
    if digest_of_files(package) != known:
        sys.exit(f"warptour: the files in {package} are not those of {ZIG}: install it again, or set CC to a compiler")


def digest_of_files(folder: Path) -> str:
    """Return the SHA-256 of the sorted lines ``sha256  path`` of all files of a package but compiled Python."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    with ThreadPoolExecutor() as pool:
        hashes = pool.map(lambda path: hashlib.sha256(path.read_bytes()).hexdigest(), files)
    lines = [f"{text}  {path.relative_to(folder).as_posix()}\n" for text, path in zip(hashes, files, strict=True)]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


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
