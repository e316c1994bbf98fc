"""The private folder of a server: uploads and traces, removed at the end."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import IO, Final

from warptour.web.refusal import Refusal

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows, which refuses to remove open files instead
    fcntl = None

PREFIX: Final = "warptour-view-"
LOCK: Final = "lock"
LONGEST_NAME: Final = 60
"""Maximum characters of an uploaded file's name that are kept."""
LONGEST_BYTES: Final = 200
"""Maximum bytes of an uploaded file's name that are kept; with what is added to it, a file's name has at most 255."""
UPLOAD_BYTES: Final = 2**28
"""Maximum bytes of one upload."""
TOTAL_BYTES: Final = 2**30
"""Maximum bytes of all uploads together."""


@dataclass(frozen=True)
class Upload:
    """A file from the browser: its own folder, and a name made of letters and digits of the one it had."""

    id: str
    name: str
    path: Path
    size: int

    def shown(self, line: str) -> str:
        """Return a message about this file, with its name instead of its path."""
        return line.replace(str(self.path), self.name)


class Folder:
    """A folder that only this user can read, and that no other server takes for abandoned while this one lives."""

    def __init__(self) -> None:
        _remove_abandoned()
        self.path, self._lock = _claimed()
        self._taken = 0

    def place(self, id: str, name: str) -> Path:
        """Return a path in a new folder of its own; of ``name``, letters, digits, dots and dashes are kept."""
        folder = self.path / id
        folder.mkdir(mode=0o700)
        return folder / plain_name(name)

    def write(self, name: str, data: bytes) -> Path:
        """Write a new file that only this user can read; return its path."""
        path = self.path / name
        path.touch(0o600, exist_ok=False)
        path.write_bytes(data)
        return path

    def claim(self, more: int, of_file: int) -> None:
        """Count bytes of an upload that has ``of_file`` so far; refuse them above the limits."""
        if of_file > UPLOAD_BYTES:
            raise Refusal(
                413, f"a file has at most {UPLOAD_BYTES >> 20} MiB here; give it to warptour view by its path"
            )
        if self._taken + more > TOTAL_BYTES:
            raise Refusal(413, f"all files together have at most {TOTAL_BYTES >> 20} MiB here")
        self._taken += more

    def release(self, path: Path, size: int = 0) -> None:
        """Remove the folder of a path that :meth:`place` gave, of which ``size`` bytes were claimed."""
        self._taken -= size
        shutil.rmtree(path.parent, ignore_errors=True)

    def remove(self) -> None:
        """Remove everything."""
        if fcntl is None:
            self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def plain_name(name: str) -> str:
    """Return a name without anything that has a meaning in paths."""
    last = name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in last).lstrip(".-")
    stem, dot, suffix = kept.rpartition(".")
    stem, suffix = (stem, dot + suffix[:10]) if stem else (kept, "")
    return (stem[:LONGEST_NAME].encode()[:LONGEST_BYTES].decode(errors="ignore") or "file") + suffix


def _claimed() -> tuple[Path, IO[bytes]]:
    """Return a new folder and its lock, which is held.

    Until it is, the folder looks abandoned, and another server may be the first to lock it and remove it: what counts
    is a lock whose file is still there once it is held. Whoever comes later finds it held, and leaves the folder alone.
    """
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX))  # mode 0700
        lock = open(path / LOCK, "xb")  # noqa: SIM115 (closed by remove)
        if fcntl is None:
            return path, lock
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _is_at(lock, path / LOCK):
            return path, lock
        lock.close()


def _is_at(file: IO[bytes], path: Path) -> bool:
    """Return whether an open file is the one at a path."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _remove_abandoned() -> None:
    """Remove folders of this user's servers that were killed: nobody holds their lock."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            lock = folder / LOCK
            if folder.is_symlink() or lock.is_symlink() or not _is_ours(folder):
                continue
            if fcntl is None:
                lock.unlink()
                shutil.rmtree(folder, ignore_errors=True)
                continue
            with open(lock, "rb+") as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(held, lock):
                    shutil.rmtree(folder, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
