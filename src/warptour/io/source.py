"""Bytes of an input file, or one line that says why there are none."""

from __future__ import annotations

import re
import stat
from os import PathLike, fspath
from pathlib import Path
from typing import Final

from warptour.model.errors import InputError

PACKED: Final = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
"""First bytes of compressed files, which people download and forget to unpack."""

UTF_8_MARK: Final = b"\xef\xbb\xbf"
LONE_RETURN: Final = re.compile(rb"\r(?!\n)")


def load(path: str | PathLike[str]) -> bytes:
    """Return the bytes of a text file without its byte-order mark.

    Raises
    ------
    InputError
        If there is no such file, it is a directory or a device, cannot be read, is empty, compressed,
        UTF-16, or has zero bytes in it, which no text has.
    """
    name = fspath(path)
    if "\0" in name:
        raise InputError(f"{quote(name)} is not a file name: it has a zero byte in it")
    try:
        mode = Path(name).stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError("is a directory, not a file", name)
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise InputError("is a device, not a file", name)
        data = Path(name).read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", name) from None
    except MemoryError:
        raise InputError("is larger than the free memory", name) from None
    for magic, packer in PACKED.items():
        if data.startswith(magic):
            raise InputError(f"is compressed with {packer}; unpack it first", name, 1)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("is UTF-16 text; save it as UTF-8 or plain ASCII", name, 1)
    zero = data.find(b"\0")
    if zero >= 0:
        raise InputError("has zero bytes in it, so it is not a text file", name, 1 + data.count(b"\n", 0, zero))
    data = data.removeprefix(UTF_8_MARK)
    if not data.strip():
        raise InputError("is empty", name, 1)
    return data


def load_lines(path: str | PathLike[str]) -> bytes:
    """Return the bytes of a text file as :func:`load` does, every line ended by a line feed.

    Old Mac files, and files that were put together from several systems, end lines with carriage returns.
    """
    data = load(path)
    return LONE_RETURN.sub(b"\n", data) if data.count(b"\r") != data.count(b"\r\n") else data


def quote(text: bytes | str, limit: int = 40) -> str:
    """Return ``text`` in quotes on one printable line, shortened to ``limit`` characters, for a message."""
    if isinstance(text, bytes):
        text = text[: 4 * limit].decode("utf-8", "replace")
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")
