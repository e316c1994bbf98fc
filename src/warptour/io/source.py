"""Raw contents of input files, with clear errors for unusable ones."""

from __future__ import annotations

import json
import re
import stat
import sys
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

from warptour.model.errors import InputError

PACKED: Final = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
"""Magic numbers of compressed files, which users may forget to unpack."""

ZIP: Final = b"PK\x03\x04"
UTF_8_MARK: Final = b"\xef\xbb\xbf"
UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
STANDARD_INPUT: Final = "-"
LONE_RETURN: Final = re.compile(rb"\r(?!\n)")


def display_name(path: str | PathLike[str]) -> str:
    """Return a file's name for messages."""
    return "standard input" if fspath(path) == STANDARD_INPUT else fspath(path)


def load_bytes(path: str | PathLike[str]) -> bytes:
    """Return the bytes of a file, or of standard input for ``-``.

    Raises :class:`InputError` if the file is missing, a directory or a device, unreadable, compressed, or, unless it is
    a workbook or UTF-16, contains zero bytes, which no text has.
    """
    name = fspath(path)
    if name == STANDARD_INPUT:
        data = _standard_input()
    else:
        data = _file(name)
    name = display_name(path)
    for magic, packer in PACKED.items():
        if data.startswith(magic):
            raise InputError(f"is compressed with {packer}; unpack it first", name, 1)
    if not data.startswith((ZIP, *UTF_16_MARKS)):
        zero = data.find(b"\0")
        if zero >= 0:
            raise InputError("has zero bytes in it, so it is not a text file", name, 1 + data.count(b"\n", 0, zero))
    if not data.strip():
        raise InputError("is empty", name, 1)
    return data


def load(path: str | PathLike[str]) -> bytes:
    """Return the bytes of a text file without its byte-order mark.

    Raises :class:`InputError` as :func:`load_bytes`, and if the file is UTF-16 or a zip archive.
    """
    name, data = display_name(path), load_bytes(path)
    if data.startswith(ZIP):
        raise InputError("is compressed with zip; unpack it first", name, 1)
    if data.startswith(UTF_16_MARKS):
        raise InputError("is UTF-16 text; save it as UTF-8 or plain ASCII", name, 1)
    data = data.removeprefix(UTF_8_MARK)
    if not data.strip():
        raise InputError("is empty", name, 1)
    return data


def _file(name: str) -> bytes:
    if "\0" in name:
        raise InputError(f"{quote(name)} is not a file name: it has a zero byte in it")
    try:
        mode = Path(name).stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError("is a directory, not a file", name)
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise InputError("is a device, not a file", name)
        return Path(name).read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", name) from None
    except MemoryError:
        raise InputError("is larger than the free memory", name) from None


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise InputError("is closed", display_name(STANDARD_INPUT))
    if sys.stdin.isatty():
        raise InputError("is a terminal; pipe a file into it", display_name(STANDARD_INPUT))
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", display_name(STANDARD_INPUT)) from None


def load_lines(path: str | PathLike[str]) -> bytes:
    """Return the bytes of a text file as :func:`load` does, with all line ends converted to line feeds.

    Old Mac files, and files assembled on several systems, end lines with carriage returns.
    """
    data = load(path)
    return LONE_RETURN.sub(b"\n", data) if data.count(b"\r") != data.count(b"\r\n") else data


def load_json(path: str | PathLike[str]) -> Any:
    """Return what a JSON file holds; raise :class:`InputError` if it is none, or nested too deeply to be read."""
    try:
        return json.loads(load(path))
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", path, error.lineno) from None
    except UnicodeDecodeError as error:
        raise InputError("is not JSON in UTF-8", path, 1 + error.object.count(b"\n", 0, error.start)) from None
    except RecursionError:
        raise InputError("is JSON that is nested too deeply", path) from None
    except ValueError:  # Python reads integers of a few thousand digits at most
        raise InputError("has an integer of too many digits", path) from None


def quote(text: bytes | str, limit: int = 40) -> str:
    """Return ``text`` in quotes on one printable line, truncated to ``limit`` characters, for a message."""
    if isinstance(text, bytes):
        text = text[: 4 * limit].decode("utf-8", "replace")
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
