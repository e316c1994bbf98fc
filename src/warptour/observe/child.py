"""Commands of child processes: this interpreter, and warptour itself.

A child started with ``-c`` or ``-m`` would import modules from the current folder first: a ``numpy.py`` beside
somebody's stops would be run. ``-P`` keeps that folder off its path.
"""

from __future__ import annotations

import sys


def python(*words: str) -> list[str]:
    """Return the command that runs this interpreter on ``words``, with no module from the current folder."""
    return [sys.executable, "-P", *words]


def program(*words: str, module: str = "warptour") -> list[str]:
    """Return the command that runs a module of this package, by default the command line, with ``words``."""
    return python("-m", module, *words)
