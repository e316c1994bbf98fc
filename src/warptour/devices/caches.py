"""Where the libraries behind devices keep what they compiled: in the user's own cache, never in a shared folder."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path


@cache
def keep_caches_private() -> None:
    """Choose the cache of PoCL, PyOpenCL and CuPy before they are loaded; what the environment says is kept.

    Without HOME, PoCL would load compiled kernels from /tmp/pocl, where any user can put some; without a home that can
    be written to, PyOpenCL and CuPy fail. The user's home is then looked up, and if there is none, a temporary folder
    that nobody else can enter is the cache until the program ends.
    """
    if os.name != "posix":
        return
    home = _home()
    folder = os.environ.get("XDG_CACHE_HOME") or (f"{home}/.cache" if home else "")
    found = _can_be_made(folder)
    if not found:
        folder = tempfile.mkdtemp(prefix="warptour-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if not (found and os.environ.get("HOME")):
        os.environ["XDG_CACHE_HOME"] = folder
    if not (os.environ.get("HOME") and _can_be_made(home)):
        os.environ.setdefault("CUPY_CACHE_DIR", f"{folder}/cupy")


def _home() -> str:
    """Return the home of this user, from the list of users if the environment does not say; empty if there is none."""
    if home := os.environ.get("HOME"):
        return home
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def _can_be_made(folder: str) -> bool:
    """Whether a folder is there and can be written to, or can be made."""
    path = Path(folder)
    if not path.is_absolute():
        return False
    there = next(place for place in (path, *path.parents) if os.path.exists(place))
    return os.path.isdir(there) and os.access(there, os.W_OK | os.X_OK)
