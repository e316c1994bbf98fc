"""Run tests against a native library built with sanitizers.

``python tests/sanitized.py KINDS [PYTEST ARGUMENTS]``, where KINDS is
``address,undefined``, ``address`` or ``thread``. The sanitizer's runtime must be in the
process before the interpreter allocates anything, hence LD_PRELOAD; NumPy's
arrays then come from the checked allocator too, so a kernel that reads one
element too many is caught. Tests that compile something are left out: they
check other code, and the compilers do not bear the runtime. gcc on Linux only: elsewhere the exit status is
:data:`UNAVAILABLE` and the reason goes to standard error.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from kept import folder
from warptour.kernels import build

UNAVAILABLE = 77


def runtime(kinds: str) -> str | None:
    """Return what LD_PRELOAD must name for `kinds`, or None where this compiler has no such library."""
    if sys.platform != "linux":
        return None
    names = ["libasan.so" if "address" in kinds else "libtsan.so", "libstdc++.so.6"]
    found = []
    for name in names:
        command = [*build.find_compiler(), f"-print-file-name={name}"]
        path = Path(subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip())
        if path.is_absolute() and path.exists():
            found.append(str(path.resolve()))
        elif name == names[0]:
            return None
    return " ".join(found)


def environment(kinds: str, library: Path, preload: str) -> dict[str, str]:
    """Return the variables of a process that uses the sanitized `library`."""
    return {
        **os.environ,
        "LD_PRELOAD": preload,
        "WARPTOUR_LIBRARY": str(library),
        "PYTHONMALLOC": "malloc",
        "PYTEST_ADDOPTS": "",
        # NumPy's BLAS would start threads that the thread sanitizer knows nothing of.
        "OPENBLAS_NUM_THREADS": "1",
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        # No suppressions: to ignore the interpreter is to miss its locks, and to see races where there are none.
        "TSAN_OPTIONS": "exitcode=1:halt_on_error=1:report_signal_unsafe=0",
    }


def main() -> int:
    kinds, *arguments = sys.argv[1:]
    preload = runtime(kinds)
    if preload is None:
        print(f"this compiler has no {kinds} sanitizer that can be preloaded", file=sys.stderr)
        return UNAVAILABLE
    objects = folder("objects-" + kinds.replace(",", "-"))
    (library,) = build.build(objects_dir=objects, sanitize=kinds, werror=True)
    # The descriptors are not captured: a report comes as the process ends, when nobody would print what was.
    without = [word for plugin in ("cacheprovider", "xdist", "benchmark") for word in ("-p", f"no:{plugin}")]
    pytest = ["pytest", "-q", *without, "--capture=sys", "--native-only"]
    command = [sys.executable, "-m", *pytest, *arguments]
    return subprocess.run(command, env=environment(kinds, library, preload), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
