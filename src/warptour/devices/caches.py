"""Location of the compile caches of PoCL, PyOpenCL and CuPy: always private to the user, never a shared folder."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path


@cache
def keep_caches_private() -> None:
    """Set the caches of PoCL, PyOpenCL and CuPy before these are imported; existing environment variables win.

    Without HOME, PoCL would load compiled kernels from /tmp/pocl, where any user can plant one; without a writable
    home, PyOpenCL and CuPy fail. In these cases the home comes from the user database; if there is none, a private
    temporary folder serves as the cache and is deleted at exit.
    """
    if os.name != "posix":
        return
    home = _home()
    folder = os.environ.get("XDG_CACHE_HOME") or (f"{home}/.cache" if home else "")
    found = _can_be_made(folder)
    if not found:
        import atexit
        import shutil
        import tempfile

        folder = tempfile.mkdtemp(prefix="warptour-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if not (found and os.environ.get("HOME")):
        os.environ["XDG_CACHE_HOME"] = folder
    if not (os.environ.get("HOME") and _can_be_made(home)):
        os.environ.setdefault("CUPY_CACHE_DIR", f"{folder}/cupy")


def _home() -> str:
    """Return the user's home from the environment or else the user database; empty if there is none."""
    if home := os.environ.get("HOME"):
        return home
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def _can_be_made(folder: str) -> bool:
    """Return whether a folder is writable, or can be created."""
    path = Path(folder)
    if not path.is_absolute():
        return False
    there = next(place for place in (path, *path.parents) if os.path.exists(place))
    return os.path.isdir(there) and os.access(there, os.W_OK | os.X_OK)
