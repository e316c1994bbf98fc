"""Atomic file output: files appear complete or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path
from types import ModuleType
from typing import IO, Final

from warptour.model.errors import OutputError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

BINARY: Final = getattr(os, "O_BINARY", 0)
NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)
"""Flags of ``os.open``. Without BINARY, Windows translates line ends; it has no NONBLOCK, as no file name there is a
pipe."""

LONGEST_NAME: Final = 200
"""Maximum bytes of a file name that its temporary file repeats: file systems allow 255 in all."""


def write_atomic(path: str | PathLike[str], chunks: Iterable[bytes]) -> None:
    """Write ``chunks`` to ``path`` through :func:`whole_file`."""
    with whole_file(path) as file:
        file.writelines(chunks)


@contextmanager
def whole_file(path: str | PathLike[str], *, wait: bool = True) -> Iterator[IO[bytes]]:
    """Open a file that replaces ``path`` once it is complete, so that readers never see a partial file.

    The data goes to a temporary file in the same folder, which is synced and renamed. Symbolic links are kept, and
    their targets replaced. Pipes and devices are written directly; unless ``wait``, a pipe without a reader is an
    error. Raises :class:`OutputError` if the file cannot be written.
    """
    name = fspath(path)
    try:
        if "\0" in name:
            raise OSError(errno.EINVAL, "there is a zero byte in its name")
        target = Path(os.path.realpath(name))
        if target.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if is_special(name):
            with open_special(name, wait) as special:
                buffer = BytesIO()  # some writers need to seek
                yield buffer
                special.write(buffer.getbuffer())
            return
        _remove_abandoned(target)
        part, descriptor = _create_part(target)
        try:
            with open(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(descriptor)
                if fcntl is not None:
                    os.replace(part, target)  # while open and locked, so that it does not count as abandoned
            if fcntl is None:
                os.replace(part, target)  # Windows does not rename open files
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {name}: {error.strerror or error}") from None


def why_not_writable(path: str | PathLike[str]) -> str | None:
    """Return why :func:`whole_file` would fail, as far as can be determined now, or None."""
    if "\0" in fspath(path):
        return "there is a zero byte in its name"
    target = Path(os.path.realpath(path))
    if target.is_dir():
        return "this is a folder"
    if target.is_socket():
        return "this is a socket"
    if is_special(path):
        return None if os.access(path, os.W_OK) else "permission denied"
    if not target.parent.is_dir():
        return f"there is no folder {target.parent if Path(path).is_symlink() else Path(path).parent}"
    return None if os.access(target.parent, os.W_OK) else "permission denied"


def open_alone(path: str | PathLike[str]) -> IO[bytes]:
    """Open a file, emptied, that is written bit by bit; raise OSError if another run is writing it.

    Pipes and devices may be shared, and so may everything where there are no locks.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | BINARY, 0o666)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            lock_alone(descriptor)
            os.truncate(descriptor, 0)
        return open(descriptor, "wb", buffering=0)
    except OSError:
        os.close(descriptor)
        raise


def is_special(path: str | PathLike[str]) -> bool:
    """Return whether ``path`` is a pipe, a device or the like; the names of some, as of /dev/stdout, lead nowhere."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def open_regular(path: str | PathLike[str]) -> IO[bytes]:
    """Open a regular file for reading; pipes and devices, which may be endless, raise OSError."""
    descriptor = os.open(path, os.O_RDONLY | BINARY | NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return open(descriptor, "rb")


def open_special(path: str | PathLike[str], wait: bool = True) -> IO[bytes]:
    """Open a pipe or device for writing; unless ``wait``, a pipe without a reader raises OSError."""
    try:
        descriptor = os.open(path, os.O_WRONLY | BINARY | (0 if wait else NONBLOCK))
    except OSError as error:
        if error.errno == errno.ENXIO and Path(path).is_fifo():
            raise OSError(errno.ENXIO, "nobody reads this pipe", fspath(path)) from None
        raise
    if not wait and NONBLOCK:
        os.set_blocking(descriptor, True)
    return open(descriptor, "wb")


def _create_part(target: Path) -> tuple[Path, int]:
    """Create a temporary file next to ``target`` with an unpredictable name, locked while open."""
    while True:
        part = target.with_name(f".{_short(target.name)}.{secrets.token_hex(8)}.part")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
        _lock(descriptor)
        if part.exists():
            return part, descriptor
        os.close(descriptor)  # another process removed it as abandoned before it was locked


def _remove_abandoned(target: Path) -> None:
    """Remove temporary files of ``target`` left by killed processes: those without a lock."""
    pattern = re.compile(re.escape(f".{_short(target.name)}.") + r"[0-9a-f]{16}\.part")
    names: list[str] = []
    with suppress(OSError):  # the folder may be writable but not readable
        names = os.listdir(target.parent)
    for name in filter(pattern.fullmatch, names):
        with suppress(OSError):
            if fcntl is None:
                target.with_name(name).unlink()  # Windows refuses that while the file is open
                continue
            descriptor = os.open(target.with_name(name), os.O_RDONLY | os.O_NOFOLLOW | NONBLOCK)
            try:
                if stat.S_ISREG(os.fstat(descriptor).st_mode) and _lock(descriptor, fcntl.LOCK_NB):
                    target.with_name(name).unlink()
            finally:
                os.close(descriptor)


def _lock(descriptor: int, flags: int = 0) -> bool:
    """Lock an open file until it is closed; return whether that succeeded, as some file systems have no locks."""
    if fcntl is None:
        return False
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | flags)
        return True
    return False


def lock_alone(descriptor: int) -> None:
    """Lock an open file until it is closed; raise OSError if another has locked it."""
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OSError(errno.EAGAIN, f"{_owner_of_lock(descriptor)} is writing it") from None
    except OSError:
        pass  # a file system without locks


def _owner_of_lock(descriptor: int) -> str:
    """Return the process that has locked a file, as far as the system tells."""
    inode = str(os.fstat(descriptor).st_ino)
    with suppress(OSError, ValueError), open("/proc/locks", encoding="ascii") as locks:
        for _, kind, _, _, process, place, *_ in map(str.split, locks):
            if kind == "FLOCK" and place.rpartition(":")[2] == inode and int(process) > 0:
                return f"process {process}"
    return "another run"


def _short(name: str) -> str:
    """Return ``name``, or its hash if it is too long for a suffix."""
    code = os.fsencode(name)
    return name if len(code) <= LONGEST_NAME else hashlib.blake2b(code, digest_size=16).hexdigest()
