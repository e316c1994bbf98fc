"""What compilers made for tests, kept in the user's cache so that all clones of the repository share it.

A file is named by a hash of everything that it was made from, so none is ever out of date, and deleting any is safe.
"""

from __future__ import annotations

import os
from pathlib import Path


def folder(name: str) -> Path | None:
    """Return a folder in ``WARPTOUR_TEST_CACHE``, else in the user's cache; None if that is empty or nobody's.

    Shared temporary folders are never used: another user could plant objects there.
    """
    chosen = os.environ.get("WARPTOUR_TEST_CACHE")
    if chosen is None:
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        chosen = os.path.join(home, "warptour-tests")
    if not os.path.isabs(chosen):
        return None
    kept = Path(chosen, name)
    try:
        kept.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return kept if os.access(kept, os.W_OK | os.X_OK) else None
