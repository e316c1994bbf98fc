"""Check the libraries in wheels: format, architecture, exported kernels, and what they need of the system.

``python release/check.py WHEEL...`` prints the faults found and exits with 1 if there are any. LIEF reads the three
formats, so each wheel is checked on any machine.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import lief

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hatch_build import PLATFORMS, build_script  # noqa: E402 (from the folder above)

lief.logging.disable()  # it complains of the empty tables of Mach-O

build = build_script(str(ROOT))
LIBRARIES = "warptour/kernels/lib/"
MACHINES = {"x86_64": "X86_64", "amd64": "AMD64", "aarch64": "AARCH64", "arm64": "ARM64"}
"""LIEF's names of architectures."""


def faults(wheel: Path) -> list[str]:
    """Return what is wrong with the libraries in `wheel`, a sentence each."""
    platform = wheel.stem.rpartition("-")[2]
    target = build.BuildTarget(*PLATFORMS[platform])
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith(LIBRARIES)]
        texts = {Path(name).name: archive.read(name) for name in names}
    expected = {build.library_name(variant.name, target) for variant in target.variants()}
    found = [f"there is no {name}" for name in sorted(expected - set(texts))]
    found += [f"there is a file {name}" for name in sorted(set(texts) - expected)]
    for name, data in sorted(texts.items()):
        binary = lief.parse(list(data))
        if binary is None:
            found.append(f"{name} is not a library")
            continue
        wanted = {"wt_cpu_supports"} if "-cpu." in name else kernels()
        exported = exports(binary)
        found += [f"{name} does not export {symbol}" for symbol in sorted(wanted - exported)]
        found += [f"{name}: {fault}" for fault in needs(binary, platform)]
    return found


@cache
def kernels() -> set[str]:
    """Return the names of all kernels and exported functions, from the preprocessed sources."""
    compiler = build.find_compiler()
    jobs = [(source, flags) for source in build.HERE.rglob("*.c") for flags in build.compilations(source)]

    def names(job: tuple[Path, tuple[str, ...]]) -> set[str]:
        source, flags = job
        command = [
            *compiler,
            *build.COMMON,
            *flags,
            "-include",
            str(build.HERE / build.PRELUDE),
            f"-I{build.HERE}",
            "-E",
            str(source),
        ]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return set(re.findall(r'visibility\("default"\)\)\) +\w+ \*?(\w+)\(', text))

    with ThreadPoolExecutor() as pool:
        return set[str]().union(*pool.map(names, jobs))


def exports(binary: lief.Binary) -> set[str]:
    """Return the names that `binary` exports, as C has them."""
    if isinstance(binary, lief.PE.Binary):
        table = binary.get_export()
        return {str(entry.name) for entry in table.entries} if table else set()
    prefix = "_" if isinstance(binary, lief.MachO.Binary) else ""
    return {str(symbol.name).removeprefix(prefix) for symbol in binary.exported_symbols}


def needs(binary: lief.Binary, platform: str) -> list[str]:
    """Return what `binary` needs that `platform` does not promise."""
    found = []
    architecture = {
        lief.ELF.Binary: lambda: binary.header.machine_type,
        lief.PE.Binary: lambda: binary.header.machine,
        lief.MachO.Binary: lambda: binary.header.cpu_type,
    }[type(binary)]().name
    if architecture != MACHINES[PLATFORMS[platform][1]]:
        found.append(f"built for {architecture}")
    if isinstance(binary, lief.ELF.Binary):
        found += _elf_needs(binary, platform)
    elif isinstance(binary, lief.MachO.Binary):
        found += _mach_o_needs(binary, platform)
    else:
        allowed = re.compile(r"api-ms-win-crt-[\w-]+\.dll|kernel32\.dll|ucrtbase\.dll", re.IGNORECASE)
        found += [f"needs {each.name}" for each in binary.imports if not allowed.fullmatch(each.name)]
    return found


def _elf_needs(binary: lief.ELF.Binary, platform: str) -> list[str]:
    libc = platform.partition("_")[0]
    allowed = {"manylinux": {"libc.so.6", "libm.so.6"}, "musllinux": {"libc.so"}}[libc]
    found = [f"needs {name}" for name in map(str, binary.libraries) if name not in allowed]
    newest = tuple(int(part) for part in platform.split("_")[1:3])
    for library in binary.symbols_version_requirement:
        for version in library.get_auxiliary_symbols():
            number = re.fullmatch(r"GLIBC_([\d.]+)", str(version.name))
            if libc != "manylinux" or number is None or tuple(map(int, number[1].split("."))) > newest:
                found.append(f"needs {version.name} of {library.name}")
    return found


def _mach_o_needs(binary: lief.MachO.Binary, platform: str) -> list[str]:
    own = binary.get(lief.MachO.LoadCommand.TYPE.ID_DYLIB).name
    found = [f"needs {each.name}" for each in binary.libraries if each.name not in {own, "/usr/lib/libSystem.B.dylib"}]
    if not own.startswith("@rpath/"):
        found.append(f"is called {own}")
    version = binary.build_version.minos if binary.has_build_version else binary.version_min.version
    if tuple(version[:2]) > tuple(int(part) for part in platform.split("_")[1:3]):
        found.append(f"needs macOS {'.'.join(map(str, version))}")
    if platform.endswith("arm64") and not binary.has_code_signature:
        found.append("is not signed, as ARM requires")
    return found


def main(paths: list[str]) -> int:
    """Print the faults of the wheels; return 1 if there are any."""
    found = [f"{Path(path).name}: {fault}" for path in paths for fault in faults(Path(path))]
    print("\n".join(found or [f"{len(paths)} wheels checked"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
