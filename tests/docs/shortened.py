"""Cuts the limits of searches down, so that what the documents run ends soon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warptour.compare.ours import CpuSeconds
from warptour.search.stop import Iterations, Seconds

MOST = {Seconds: ("seconds", 0.1), CpuSeconds: ("seconds", 0.1), Iterations: ("iterations", 5000)}
"""The most that a rule may ask for."""


def shorten(replace: Callable[[Any, str, Any], None] = setattr) -> None:
    """Cut every limit in this process down to :data:`MOST`; ``replace`` puts a function in the place of another."""
    for rule, (name, most) in MOST.items():

        def cut(self: Any, check: Any = rule.__post_init__, name: str = name, most: float = most) -> None:
            check(self)
            object.__setattr__(self, name, min(most, getattr(self, name)))

        replace(rule, "__post_init__", cut)
