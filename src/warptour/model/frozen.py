"""Arrays that nobody can write to."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


def freeze(owner: object, name: str, array: NDArray[Any], given: object = None) -> None:
    """Store ``array`` in a frozen dataclass as one that cannot be made writable: kernels rely on what was checked.

    ``given`` is what ``array`` was made from; its memory is shared only if it is read-only, else its owner may write.
    """
    if isinstance(given, np.ndarray) and given.flags.writeable and np.may_share_memory(array, given):
        array = array.copy()
    object.__setattr__(owner, name, immutable(array))


def immutable(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view of ``array`` whose ``flags.writeable`` cannot be set, and whose ``base`` cannot be written."""
    return np.asarray(memoryview(array).toreadonly())  # type: ignore[arg-type]  # Python 3.12 declares it


class ComparedByValue:
    """Dataclasses with arrays that are equal where all that counts of them is: shapes and entries of the arrays."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert is_dataclass(self)
        return all(same(getattr(self, each.name), getattr(other, each.name)) for each in fields(self) if each.compare)

    def __hash__(self) -> int:
        assert is_dataclass(self)
        values = (getattr(self, each.name) for each in fields(self) if each.compare)
        return hash(tuple(value for value in values if isinstance(value, str | int | float | None)))


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal, also if they are arrays or hold some."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
