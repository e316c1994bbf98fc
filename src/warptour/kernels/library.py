"""Load the native library: the build for the best instruction set that this CPU supports.

Two environment variables override the choice: ``WARPTOUR_ISA`` names a variant
(``baseline``, ``avx2``, ``avx512``) and ``WARPTOUR_LIBRARY`` a file, such as one
built with sanitizers. The library is loaded on the first call.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warptour.model.errors import MissingLibrary, UnsupportedError

VARIANTS = ("avx512", "avx2", "baseline")
"""Instruction sets for which a library may exist, best first."""

SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
_FOLDER = Path(__file__).resolve().parent / "lib"
_ADVICE = "build it with `make native` in the source tree, or install again with `pip install .`"
_BUILD_ALL = "install a wheel, or build again with WARPTOUR_VARIANTS=all set"


def library_name(variant: str) -> str:
    """Return the file name of the library for `variant`; must match ``build.py``, which is not imported here."""
    return f"libwarptour-{variant}{SUFFIX}"


def library() -> ctypes.CDLL:
    """Return the native library, loaded once."""
    return _chosen()[0]


def variant() -> str:
    """Return the instruction set of the loaded library, or the path that ``WARPTOUR_LIBRARY`` gave."""
    return _chosen()[1]


def library_file() -> str:
    """Return path, size in bytes and modification time of the loaded library's file."""
    path = library()._name
    facts = os.stat(path)
    return f"{path} {facts.st_size} {facts.st_mtime_ns}"


@cache
def kernel(name: str, *argtypes: Any) -> Callable[..., None]:
    """Return the kernel `name` as a function that takes ``GROUP, GROUPS`` and then `argtypes`.

    The function checks its arguments against `argtypes`, returns None and runs without
    the interpreter lock.

    ``name``: symbol, with its suffix if the kernel is built per metric: ``window_search_euc``
    ``*argtypes``: scalars such as ``ctypes.c_int32``, and arrays from :func:`array`
    """
    return function(name, None, ctypes.c_int32, ctypes.c_int32, *argtypes)


@cache
def function(name: str, restype: Any, *argtypes: Any) -> Callable[..., Any]:
    """Return a native function that is not a kernel; `argtypes` are all its arguments."""
    try:
        found = library()[name]
    except AttributeError:
        raise MissingLibrary(f"the native library ({variant()}) has no {name}: {_ADVICE}") from None
    found.restype = restype
    found.argtypes = argtypes
    return found


@cache
def array(dtype: npt.DTypeLike, ndim: int = 1, *, output: bool = False, optional: bool = False) -> type:
    """Return an argument type: a C-contiguous array of `dtype` with `ndim` dimensions, passed by address.

    A mismatching array raises TypeError before the call; the check takes about a microsecond.

    ``dtype``: must match exactly; nothing is converted, since the kernel would write to a copy
    ``ndim``: number of dimensions
    ``output``: whether the kernel writes to the array; read-only arrays are then rejected
    ``optional``: whether None is accepted and passed as a null pointer
    """
    wanted = np.dtype(dtype)
    # Takes a third of the time of value.ctypes.data.
    first_byte: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
    by_reference = ctypes.byref

    def from_param(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            if value.dtype == wanted and value.ndim == ndim and value.flags.c_contiguous:
                if value.flags.writeable and value.size:
                    return by_reference(first_byte(value))
                if not output or not value.size:
                    return ctypes.c_void_p(value.ctypes.data)
        elif value is None and optional:
            return ctypes.c_void_p()
        raise TypeError(f"expected {described}, got {_describe(value)}")

    described = f"a C-contiguous {'writable ' if output else ''}{ndim}-d array of {wanted}"
    return type(f"array_{wanted}_{ndim}d", (), {"from_param": staticmethod(from_param)})


def _describe(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return type(value).__name__
    layout = "" if value.flags.c_contiguous else "strided "
    access = "" if value.flags.writeable else "read-only "
    return f"a {layout}{access}{value.ndim}-d array of {value.dtype}"


@lru_cache(maxsize=1)
def _chosen() -> tuple[ctypes.CDLL, str]:
    if path := os.environ.get("WARPTOUR_LIBRARY"):
        return _load(Path(path)), path
    if wanted := os.environ.get("WARPTOUR_ISA"):
        if wanted not in VARIANTS:
            raise UnsupportedError(f"WARPTOUR_ISA={wanted}: expected one of {', '.join(VARIANTS)}")
        if not _supports(wanted):
            raise UnsupportedError(f"WARPTOUR_ISA={wanted}: this CPU has no such instructions")
        if not _built(wanted):
            raise MissingLibrary(f"WARPTOUR_ISA={wanted}: not built here, where the CPU has a better one: {_BUILD_ALL}")
        return _load(_file(wanted)), wanted
    _check_age(_FOLDER)
    built = [name for name in VARIANTS if _built(name)]
    for name in built:
        if _supports(name):
            return _load(_file(name)), name
    if built:
        raise MissingLibrary(f"the native library was built for {built[0]}, which this CPU lacks: {_BUILD_ALL}")
    return _load(_file("baseline")), "baseline"


def _file(name: str) -> Path:
    return _FOLDER / library_name(name)


def _built(name: str) -> bool:
    return _file(name).exists()


def _supports(name: str) -> bool:
    """Return whether this CPU can run the library for `name`; what asks is a library of its own, for any CPU."""
    if name == "baseline":
        return True
    return _built("cpu") and bool(_load(_file("cpu")).wt_cpu_supports(name.encode()))


def _check_age(folder: Path) -> None:
    """Refuse a library that a source tree's own texts have outgrown: calls with other arguments would crash."""
    stamp = folder / "objects" / "texts.digest"
    if not stamp.exists():
        return
    built = stamp.stat().st_mtime_ns
    if any(text.stat().st_mtime_ns > built for text in folder.parent.rglob("*.[ch]")):
        from warptour.kernels.build import digest_of_texts

        if digest_of_texts(folder.parent) != stamp.read_text(encoding="utf-8"):
            raise MissingLibrary("the native library is older than its sources: build it again with `make native`")


def _load(path: Path) -> ctypes.CDLL:
    if not path.exists():
        raise MissingLibrary(f"no native library at {path}: {_ADVICE}")
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise MissingLibrary(f"the native library does not load ({error}): {_ADVICE}") from None
