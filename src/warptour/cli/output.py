"""Files a command will write, checked before it works for them."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from warptour.model.errors import InputError, UsageError


def check_writable(path: str | None, option: str, suffixes: Collection[str] = (), source: str | None = None) -> None:
    """Refuse a file that could not be written at the end of a long run, or that would replace what is read."""
    if path is None:
        return
    file = Path(path)
    if suffixes and file.suffix.lower() not in suffixes:
        raise UsageError(f"{option} {path}: the suffix says the format and is one of {', '.join(suffixes)}")
    if file.is_dir():
        raise InputError(f"{option} needs a file, and this is a folder", path)
    folder = file.parent
    if not folder.is_dir():
        raise InputError(f"{option} cannot be written: there is no folder {folder}", path)
    if not os.access(folder, os.W_OK):  # files are written beside their place and moved there
        raise InputError(f"{option} cannot be written: permission denied", path)
    if source is not None and file.exists() and Path(source).exists() and file.samefile(source):
        raise UsageError(f"{option} {path} would replace the file that is read")
