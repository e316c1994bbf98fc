"""Compile CUDA texts with NVRTC, which needs no GPU."""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.util import find_spec
from pathlib import Path


@cache
def file() -> Path | None:
    """NVRTC from the ``nvidia-cuda-nvrtc`` package, or None."""
    spec = find_spec("nvidia")
    for folder in spec.submodule_search_locations or [] if spec else []:
        for path in sorted(Path(folder).glob("*/lib/libnvrtc.so.*")):
            return path
    return None


@cache
def library() -> ctypes.CDLL | None:
    """Return NVRTC, or None if it is not there."""
    path = file()
    return None if path is None else ctypes.CDLL(str(path))


@cache
def identity() -> tuple[str, int, int]:
    """Return what tells this NVRTC from others: file, size and time of change."""
    path = file()
    assert path is not None
    facts = path.stat()
    return str(path), facts.st_size, facts.st_mtime_ns


def compiled(source: str, name: str, *options: str) -> bytes:
    """Return the binary that NVRTC makes of ``source``; a failure raises with its log."""
    nvrtc = library()
    assert nvrtc is not None
    program = ctypes.c_void_p()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), 0, None, None) == 0
    try:
        words = [option.encode() for option in options]
        failed = nvrtc.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
        if failed:
            raise RuntimeError(_bytes(nvrtc, program, "ProgramLog").decode(errors="replace"))
        return _bytes(nvrtc, program, "CUBIN")
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def _bytes(nvrtc: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{what}")(program, text)
    return text.raw.rstrip(b"\0") if what == "ProgramLog" else text.raw
