"""Arrays that nobody can write to."""

from __future__ import annotations

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
