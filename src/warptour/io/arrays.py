"""NumPy arrays: points, or matrices of distances."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from warptour.io.source import load
from warptour.model.errors import InputError, UsageError
from warptour.model.memory import require_memory
from warptour.model.metric import METRICS
from warptour.model.mistakes import ADVICE, look_like_degrees
from warptour.model.problem import TSP

MAGIC: Final = b"\x93NUMPY"
"""First bytes of an ``.npy`` file."""

MAPPED_BYTES: Final = 1 << 30
"""Smallest array of float64 points that stays mapped: it is never in memory twice, and need not fit."""

WRITTEN_ROWS: Final = 1 << 20
"""Rows that are written at once."""


def load_array(path: str | PathLike[str], shape: str) -> NDArray[Any]:
    """Return the numbers in an ``.npy`` file; they are mapped, so that a false shape allocates nothing.

    ``shape`` is the expected one, for messages.
    """
    name = fspath(path)
    if not Path(name).is_file():
        load(path)  # raises a specific error
        raise InputError("is not a file", path)
    try:
        with open(name, "rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise ValueError  # an archive or a pickle, which NumPy would open
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy warns about unusual but readable headers
            array: NDArray[Any] = np.load(name, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path) from None
    except Exception:  # damaged files raise many types of errors
        raise InputError("is not a NumPy file of numbers, or is cut off; numpy.save writes one", path) from None
    if array.dtype.kind not in "fiu":
        raise InputError(f"holds no array of numbers; it should be of shape {shape}", path)
    return array


def array_chunks(array: NDArray[Any]) -> Iterator[bytes]:
    """Yield the contents of an ``.npy`` file of ``array``, in pieces."""
    head = BytesIO()
    np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(array))
    yield head.getvalue()
    for at in range(0, len(array), WRITTEN_ROWS):
        yield np.ascontiguousarray(array[at : at + WRITTEN_ROWS]).tobytes()


def _coordinates(array: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Return mapped points as float64: large ones as they are mapped, others as a copy."""
    if array.dtype == np.float64 and array.flags.c_contiguous and array.nbytes >= MAPPED_BYTES:
        return array.view(np.ndarray)
    require_memory(len(array), array.shape[1] * 8, name)
    with np.errstate(over="ignore"):  # what becomes infinite is refused
        return np.array(array, np.float64, order="C")


def read_npy(path: str | PathLike[str], latlon: bool | None, notes: list[str]) -> TSP:
    """Read points of shape (n, 2) or (n, 3), or an (n, n) distance matrix with n above 3.

    Points have unrounded Euclidean distances, or with ``latlon`` great-circle distances between latitudes and
    longitudes; otherwise ``notes`` receives a line if they look like degrees. Points of float64 stay mapped from
    ``MAPPED_BYTES`` on, so that the file must not change while the problem is in use.
    """
    name = fspath(path)
    array = load_array(path, "(n, 2) or (n, 3)")
    if array.ndim != 2 or len(array) == 0 or (array.shape[1] not in (2, 3) and array.shape[0] != array.shape[1]):
        raise InputError(f"has the shape {array.shape}; it should be (n, 2) or (n, 3), or (n, n) for distances", path)
    stem = Path(name).stem
    if latlon and array.shape[1] != 2:
        raise UsageError(f"{name} has the shape {array.shape}; latitude and longitude (--latlon) have (n, 2)")
    try:
        if array.shape[1] > 3:
            return TSP.from_matrix(np.array(array), name=stem)
        metric = METRICS["GREAT_CIRCLE" if latlon else "EUCLIDEAN" if array.shape[1] == 2 else "EUCLIDEAN_3D"]
        points = _coordinates(array, name)
        if latlon is None and look_like_degrees(points):
            notes.append(f"{name}: the coordinates {ADVICE}")
        return TSP(stem, metric, points)
    except InputError as error:
        raise InputError(error.message, path) from None
