"""Build the native library: every ``*.c`` file below this folder, once per instruction set and for one platform.

Imports only the standard library and nothing of warptour: the package's build hook
loads this file before anything is installed, and ``python3 src/warptour/kernels/build.py``
builds in place. Object files are named by a hash of all their inputs, paths apart, so only changed sources are
compiled, copies of the tree can share them, and concurrent builds do not interfere. What the compiler warned of is
kept beside them.

A kernel declares build requirements in its first line, ``// build: WORD, WORD``:

``metrics``: compile it once per entry of :data:`SPECIALS`, each with its own symbol suffix.
``general``: compile it once more with -DGENERAL and the suffix ``general``.
``cut``: compile it once more for planar Euclidean distances cut to integers, with the suffix ``cut``.
``timed``, ``mixed``, ``pairs``, ``trips``: compile it for the CPU once more with -DGENERAL, -DTIMED and so on up to
    this one, which is the suffix.
``relaxed-float``: the compiler may reorder sums, contract products and assume finite numbers; exact code forbids it.
``branches``: compile it at -O2: its time goes to branches and memory, and -O3 would double that of the compiler.
``device``: compile it at -O1 with nothing inlined: it is for GPUs, and natively only tests run it.
``native``: compile it for the CPU only: it uses what the preludes of GPUs lack.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

HERE = Path(__file__).resolve().parent
PRELUDE = "common/prelude_native.h"
# Says beside the object files which texts the libraries were made of.
TEXTS = "texts.digest"
CPU_FLAGS = Path("/proc/cpuinfo")

COMMON = (
    "-std=c11 -O3 -g0 -fvisibility=hidden -Wall -Wextra -Wno-unknown-pragmas -fopenmp-simd"
    " -fno-math-errno -fno-trapping-math -ffp-contract=off -D_POSIX_C_SOURCE=200809L"
).split()

# Compile time only: when linking, -ffast-math would make the whole process flush denormals to zero. It also promises
# that no number is infinite or NaN, without which a minimum does not vectorise; input files and arrays are checked.
RELAXED = "-ffast-math -ffp-contract=fast".split()

SPECIALS: dict[str, tuple[str, ...]] = {
    "euc": ("-DNORM=EUCLIDEAN_2D", "-DROUNDING=NEAREST", "-DSPECIAL=euc"),
    "flat": ("-DNORM=EUCLIDEAN_2D", "-DROUNDING=NONE", "-DSPECIAL=flat"),
    "ceil": ("-DNORM=EUCLIDEAN_2D", "-DROUNDING=CEILING", "-DSPECIAL=ceil"),
    "any": ("-DSPECIAL=any",),
}
NESTED = ("general", "timed", "mixed", "pairs", "trips")
MORE_SPECIALS: dict[str, tuple[str, ...]] = {
    "cut": ("-DNORM=EUCLIDEAN_2D", "-DROUNDING=FLOOR", "-DSPECIAL=cut"),
    **{
        name: (*(f"-D{each.upper()}" for each in NESTED[: at + 1]), f"-DSPECIAL={name}")
        for at, name in enumerate(NESTED)
    },
}
# The last of several levels counts.
LEVELS = {"branches": ("-O2",), "device": ("-O1", "-fno-inline")}
MARKERS = frozenset({"metrics", "relaxed-float", "native", *MORE_SPECIALS, *LEVELS})


@dataclass(frozen=True)
class Variant:
    """An instruction set, with its flags for gcc and clang and its CPU name for zig, which defaults to the host CPU."""

    name: str
    flags: tuple[str, ...] = ()
    zig_cpu: str = "baseline"

    @property
    def instructions(self) -> set[str]:
        """Instruction set extensions, as Linux lists them."""
        return {flag.removeprefix("-m") for flag in self.flags if "=" not in flag}

    def options(self, compiler: Sequence[str]) -> list[str]:
        """Return the flags that make `compiler` emit this instruction set."""
        return [f"-mcpu={self.zig_cpu}"] if is_zig(compiler) else list(self.flags)


BASELINE = Variant("baseline")
# cpu.c alone, which the loader asks before it loads a library that needs more than the baseline.
PROBE = Variant("cpu")
AVX2 = Variant("avx2", ("-mavx2", "-mfma"), "x86_64+avx2+fma")
AVX512 = Variant(
    "avx512",
    ("-mavx2", "-mfma", "-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mprefer-vector-width=512"),
    "x86_64+avx2+fma+avx512f+avx512dq+avx512bw+avx512vl",
)


@dataclass(frozen=True)
class BuildTarget:
    """A platform to build for: `system` and `machine` as Python names them, `triple` as zig does if not this one."""

    system: str
    machine: str
    triple: str | None = None

    @property
    def suffix(self) -> str:
        """File name suffix of a library."""
        return {"darwin": ".dylib", "win32": ".dll"}.get(self.system, ".so")

    @property
    def options(self) -> list[str]:
        """Flags for compiling and linking."""
        position = [] if self.system == "win32" else ["-fPIC"]
        return [*position, *(["-target", self.triple] if self.triple else [])]

    def link_options(self, name: str) -> list[str]:
        """Return flags for linking the library `name`, after its objects."""
        if self.system == "darwin":
            return [f"-Wl,-install_name,@rpath/{name}"]
        return [] if self.system == "win32" else ["-lm"]

    def variants(self) -> tuple[Variant, ...]:
        """Return all variants for the architecture; on ARM the baseline includes NEON."""
        if self.machine not in {"x86_64", "amd64"}:
            return (BASELINE,)
        # macOS enables the AVX-512 registers of a process on their first use, which cpu.c cannot see.
        return (PROBE, BASELINE, AVX2) if self.system == "darwin" else (PROBE, BASELINE, AVX2, AVX512)


HOST = BuildTarget(sys.platform, platform.machine().lower())


class BuildError(Exception):
    """The native library could not be built; the message is shown to the user who installs."""


def default_variants(target: BuildTarget = HOST) -> tuple[Variant, ...]:
    """Return the best variant for this CPU, or all of another platform, unless ``WARPTOUR_VARIANTS`` says which."""
    found = target.variants()
    wanted = os.environ.get("WARPTOUR_VARIANTS", "all" if target.triple else "best")
    if wanted not in {"best", "all"}:
        raise BuildError(f"WARPTOUR_VARIANTS={wanted}: expected best or all")
    if wanted == "all" or not CPU_FLAGS.exists():
        return found
    flags = set(re.findall(r"\w+", CPU_FLAGS.read_text(encoding="utf-8", errors="replace")))
    best = [each for each in found if each.instructions <= flags][-1]
    return (best,) if best == BASELINE else (PROBE, best)


def library_name(variant: str, target: BuildTarget = HOST) -> str:
    """Return the file name of the library for `variant`."""
    return f"libwarptour-{variant}{target.suffix}"


def is_zig(compiler: Sequence[str]) -> bool:
    """Return whether `compiler` is zig, from the ``ziglang`` package or installed."""
    return Path(compiler[0]).stem == "zig"


def packaged_zig() -> tuple[str, ...] | None:
    """Return the C compiler of the ``ziglang`` package, or None where it is not installed."""
    package = find_spec("ziglang")
    if package is None or package.origin is None:
        return None
    return (str(Path(package.origin).with_name("zig.exe" if sys.platform == "win32" else "zig")), "cc")


@lru_cache(maxsize=1)
def system_compiler() -> tuple[str, ...] | None:
    """Return ``$CC``, or the first of cc, gcc and clang that can link a shared library, or None.

    A compiler without headers is skipped. ``$CC`` is not checked.
    """
    if chosen := os.environ.get("CC"):
        return tuple(shlex.split(chosen))
    for name in ("cc", "gcc", "clang"):
        path = shutil.which(name)
        if path and _can_link(path):
            return (path,)
    return None


def find_compiler(target: BuildTarget = HOST) -> tuple[str, ...]:
    """Return the command of a C compiler: the system's, else the ``ziglang`` package's, which alone cross-compiles."""
    if target.triple is None and (found := system_compiler()):
        return found
    if zig := packaged_zig():
        return zig
    if target.triple:
        raise BuildError(f"no compiler for {target.triple}: `pip install ziglang`")
    raise BuildError("no C compiler: install gcc or clang, set CC, or `pip install ziglang`")


def build(
    output_dir: Path = HERE / "lib",
    *,
    objects_dir: Path | None = None,
    sources: Path = HERE,
    variants: Iterable[Variant] | None = None,
    target: BuildTarget = HOST,
    sanitize: str | None = None,
    werror: bool = False,
) -> list[Path]:
    """Compile the kernels and return one library per variant, in `output_dir`.

    ``output_dir``: folder of the libraries
    ``objects_dir``: folder of the object files, which several trees may share; by default ``objects`` in `output_dir`
    ``sources``: folder of the ``*.c`` and ``*.h`` files; the prelude is always the one next to this file
    ``variants``: instruction sets; by default :func:`default_variants`, or only the baseline if sanitized
    ``target``: platform; by default this one
    ``sanitize``: ``address,undefined``, ``address`` or ``thread``. The libraries then go to a sibling of `output_dir`,
        such as ``lib-sanitize-thread``.
    ``werror``: treat compiler warnings as errors, those of earlier builds included

    Raises :class:`BuildError` if there is no compiler, or with the compiler's message if it fails.
    """
    compiler = find_compiler(target)
    if sanitize:
        output_dir = output_dir.with_name(f"{output_dir.name}-sanitize-{sanitize.replace(',', '-')}")
        variants = (BASELINE,) if variants is None else variants
    chosen = tuple(default_variants(target) if variants is None else variants)
    stamps = output_dir / "objects"
    objects_dir = objects_dir or stamps
    for folder in (stamps, objects_dir):
        folder.mkdir(parents=True, exist_ok=True)

    version, made_of = _version(compiler), digest_of_texts(sources)
    with tempfile.TemporaryDirectory(prefix="warptour-build-") as scratch:
        environment = {**os.environ, "ZIG_LOCAL_CACHE_DIR": scratch, "ZIG_GLOBAL_CACHE_DIR": scratch}
        extra = _sanitizer_flags(sanitize)
        tools = _Toolchain(compiler, version, target, extra, environment, (sources, HERE), objects_dir, werror)

        objects = tools.all_compiled(sources, chosen)
        names = {variant: output_dir / library_name(variant.name, target) for variant in chosen}
        libraries = [tools.linked(name, objects[variant]) for variant, name in names.items()]
    with _replacing(stamps / TEXTS) as temporary:
        temporary.write_text(made_of, encoding="utf-8")

    _forget(objects_dir, set(chain(*objects.values())), hours=1 if objects_dir == stamps else 7 * 24)
    return libraries


@dataclass(frozen=True)
class _Toolchain:
    """Compiles and links for one platform; files that are up to date are not built again."""

    compiler: Sequence[str]
    version: str
    target: BuildTarget
    extra: list[str]
    environment: dict[str, str]
    folders: Sequence[Path]
    objects_dir: Path
    werror: bool

    def all_compiled(self, sources: Path, variants: Sequence[Variant]) -> dict[Variant, list[Path]]:
        """Return the object files of each variant; the probe is only of ``cpu.c``."""
        # Large sources first, so that no core is left with one at the end.
        texts = sorted(sources.rglob("*.c"), key=lambda path: (-path.stat().st_size, path))
        jobs = [(v, s, f) for s in texts for v in variants if v != PROBE or s.stem == "cpu" for f in compilations(s)]
        with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
            objects = list(pool.map(lambda job: self.compiled(*job), jobs))
        return {v: [o for o, job in zip(objects, jobs, strict=True) if job[0] == v] for v in variants}

    def compiled(self, variant: Variant, source: Path, flags: tuple[str, ...]) -> Path:
        """Return the object file of `source`."""
        options = [*self.target.options, *flags, *variant.options(self.compiler), *self.extra]
        command = [*self.compiler, *COMMON, *options]
        texts = (path.read_bytes() for path in _included(self.folders, source, HERE / PRELUDE))
        built = self.objects_dir / f"{source.stem}-{_digest(self.version, ' '.join(command), *texts)}.o"
        warnings = built.with_suffix(".warnings")
        if not built.exists():
            places = [*(f"-I{folder}" for folder in self.folders), "-include", str(HERE / PRELUDE)]
            with _replacing(built) as temporary:
                compile_it = [*command, *places, "-c", str(source), "-o", str(temporary)]
                said = _run(compile_it, self.environment).stderr.strip()
                if said:
                    warnings.write_text(said, encoding="utf-8")
                    print(said, file=sys.stderr)
        if self.werror and warnings.exists():
            raise BuildError(warnings.read_text(encoding="utf-8"))
        return built

    def linked(self, library: Path, objects: Iterable[Path]) -> Path:
        """Return `library`, linked of `objects`, unless its stamp shows that the same command built it."""
        options = [*self.target.options, *self.extra, *_link_options(self.compiler)]
        command = [*self.compiler, "-shared", *options, *map(str, objects), *self.target.link_options(library.name)]
        stamp, wanted = library.parent / "objects" / f"{library.name}.command", shlex.join(command)
        if library.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
            return library
        with _replacing(library) as temporary:
            said = _run([*command, "-o", str(temporary)], self.environment).stderr.strip()
            if said:
                print(said, file=sys.stderr)
        with _replacing(stamp) as temporary:
            temporary.write_text(wanted, encoding="utf-8")
        return library


def digest_of_texts(sources: Path = HERE) -> str:
    """Return a hash of all kernels and headers, with their places."""
    texts = sorted(sources.rglob("*.[ch]"))
    return _digest(*(part for text in texts for part in (text.relative_to(sources).as_posix(), text.read_bytes())))


def markers(source: Path) -> frozenset[str]:
    """Return the build markers in the first line of a kernel."""
    with source.open(encoding="utf-8") as text:
        found = re.match(r"/[/*]\s*build:\s*([\w\-, ]+)", text.readline())
    words = frozenset(word.strip() for word in found[1].rstrip().split(",")) if found else frozenset()
    if unknown := words - MARKERS:
        raise BuildError(f"{source.name}:1: unknown build marker {', '.join(sorted(unknown))}")
    return words


def compilations(source: Path) -> list[tuple[str, ...]]:
    """Return the extra flags of each compilation of `source`, by its build markers."""
    words = markers(source)
    options = [
        *(flag for word in LEVELS if word in words for flag in LEVELS[word]),
        *(RELAXED if "relaxed-float" in words else ()),
    ]
    specials: list[tuple[str, ...]] = [*SPECIALS.values()] if "metrics" in words else [()]
    specials += [flags for word, flags in MORE_SPECIALS.items() if word in words]
    return [(*options, *special) for special in specials]


def _link_options(compiler: Sequence[str]) -> list[str]:
    """Return link flags that make zig build its run-time library once for all variants, and without checks."""
    return ["-O3", "-s", *BASELINE.options(compiler)] if is_zig(compiler) else []


class _replacing:
    """Context manager: a file of that name elsewhere, which replaces `target` atomically unless an exception occurs.

    A library in use is replaced, never overwritten. Linkers write the name of a file into it: one that is drawn would
    make each build different.
    """

    def __init__(self, target: Path) -> None:
        self.target = target

    def __enter__(self) -> Path:
        self.folder = tempfile.TemporaryDirectory(prefix=".", dir=self.target.parent)
        return Path(self.folder.name, self.target.name)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self.folder as folder:
            if kind is None:
                temporary = Path(folder, self.target.name)
                temporary.chmod(0o644 if self.target.suffix in {".o", ".command"} else 0o755)
                temporary.replace(self.target)


def _included(folders: Sequence[Path], *files: Path) -> list[Path]:
    """Return `files` and the headers that they include, directly or not, whichever a condition leaves out."""
    found = list(files)
    for path in found:  # grows meanwhile
        for name in re.findall(r'^#include "(.+)"', path.read_text(encoding="utf-8"), re.MULTILINE):
            header = next((folder / name for folder in folders if (folder / name).exists()), None)
            if header is not None and header not in found:
                found.append(header)
    return found


def _digest(*parts: str | bytes) -> str:
    state = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()[:16]


def _forget(objects_dir: Path, keep: set[Path], hours: int) -> None:
    """Delete object files not in `keep` that are over `hours` old; other builds may still need younger ones."""
    limit = time.time() - 3600 * hours
    for path in objects_dir.glob("*.o"):
        if path not in keep and path.stat().st_mtime < limit:
            path.unlink(missing_ok=True)
            path.with_suffix(".warnings").unlink(missing_ok=True)


def _sanitizer_flags(kinds: str | None) -> list[str]:
    """Return sanitizer flags: -O3 as for users, but -O0 for undefined behaviour: its checks are slow to optimise.

    Among a sanitizer's checks gcc finds variables that it takes to be used before they are set, and errs.
    """
    if not kinds:
        return []
    undefined = "-fsanitize=float-cast-overflow -O0".split() if "undefined" in kinds.split(",") else []
    others = "-Wno-maybe-uninitialized -g -fno-omit-frame-pointer -fno-sanitize-recover=all".split()
    return [f"-fsanitize={kinds}", *undefined, *others]


def _can_link(compiler: str) -> bool:
    with tempfile.TemporaryDirectory(prefix="warptour-probe-") as scratch:
        source = Path(scratch, "probe.c")
        source.write_text("#include <math.h>\n#include <stdint.h>\ndouble probe(double x) { return floor(x); }\n")
        command = [compiler, "-shared", *HOST.options, str(source), "-o", str(source.with_suffix(HOST.suffix))]
        command += [] if sys.platform == "win32" else ["-lm"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _version(compiler: Sequence[str]) -> str:
    try:
        return _run([*compiler, "--version"], dict(os.environ)).stdout
    except BuildError as error:
        raise BuildError(f"the C compiler does not work: {error}") from None


def _run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)
    except OSError as error:
        raise BuildError(f"cannot run {command[0]}: {error.strerror}") from None
    if done.returncode:
        raise BuildError(f"{shlex.join(command)}\n{done.stderr.strip() or done.stdout.strip()}")
    return done


def main() -> int:
    """Build in place and print the paths of the libraries; on failure print one message and return 1."""
    parser = argparse.ArgumentParser(description="Build warptour's native library in place.")
    parser.add_argument("--output", type=Path, default=HERE / "lib", help="folder of the libraries")
    parser.add_argument("--sanitize", metavar="KINDS", help="address,undefined, address or thread")
    parser.add_argument("--werror", action="store_true", help="warnings are errors")
    options = parser.parse_args()
    try:
        libraries = build(options.output, sanitize=options.sanitize, werror=options.werror)
    except BuildError as error:
        print(f"the native library was not built: {error}", file=sys.stderr)
        return 1
    print("\n".join(os.path.relpath(path) for path in libraries))
    return 0


if __name__ == "__main__":
    sys.exit(main())
