"""Groups of symmetric segments that a loop of the machine evaluates."""

from __future__ import annotations


def most_elements(n: int) -> int:
    """Return the maximum number of processing elements that ``n`` cities can use."""
    return n // 4


def groups_of(n: int, elements: int) -> list[int]:
    """Return the shift s of each group of segments that a loop evaluates, in order."""
    pairs = -(-(n // 4) // elements) if elements else 0
    return [2 * elements * g + odd for g in range(pairs) for odd in (0, 1)]
