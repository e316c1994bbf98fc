"""Files appear whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path

from warptour.model.errors import UsageError


def write_atomic(path: str | PathLike[str], chunks: Iterable[bytes]) -> None:
    """Write ``chunks`` to a temporary file beside ``path`` and rename it, so that a reader never sees a part.

    A pipe or device is written to directly. Raises :class:`UsageError` where the file cannot be written.
    """
    name = fspath(path)
    try:
        target = Path(os.path.realpath(name))
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with open(target, "wb") as file:
                file.writelines(chunks)
            return
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with open(part, "wb") as file:
                file.writelines(chunks)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {name}: {getattr(error, 'strerror', None) or error}") from None
