"""Messages as bytes: a pickle, and large arrays beside it, which are neither copied nor moved."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Sequence
from typing import Any, BinaryIO, TypeAlias

import numpy as np

from warptour.cluster.links.link import UnreadableError
from warptour.model.errors import UsageError

Part: TypeAlias = Any
"""Something with the buffer interface, of bytes."""

BESIDE_BYTES = 4096
"""Smaller arrays are part of the pickle."""

COUNT = struct.Struct("<I")
SIZE = struct.Struct("<Q")


def pack(message: object) -> list[Part]:
    """Return the parts of a message: the pickle, then the arrays beside it."""
    beside: list[Part] = []

    def keep(buffer: pickle.PickleBuffer) -> bool:
        view = buffer.raw()
        if view.nbytes >= BESIDE_BYTES:
            beside.append(view)
            return False
        return True

    try:
        return [pickle.dumps(message, 5, buffer_callback=keep), *beside]
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(f"{type(message).__name__} cannot be sent to another process: {error}") from None


def unpack(parts: Sequence[Part]) -> object:
    """Return the message of ``parts``; its arrays use their memory."""
    try:
        message: object = pickle.loads(parts[0], buffers=parts[1:])
    except Exception as error:  # whatever the constructor of some class raises
        raise UnreadableError(f"{type(error).__name__}: {error}") from None
    return message


def header(parts: Sequence[Part]) -> bytes:
    """Return the number of ``parts`` and their sizes."""
    return COUNT.pack(len(parts)) + b"".join(SIZE.pack(size_of(part)) for part in parts)


def sizes_in(head: Part) -> list[int]:
    """Return the sizes that a header tells; what follows it is ignored."""
    (count,) = COUNT.unpack_from(head)
    return [int(size) for (size,) in (SIZE.unpack_from(head, COUNT.size + SIZE.size * i) for i in range(count))]


def size_of(part: Part) -> int:
    """Return the bytes of ``part``."""
    return memoryview(part).nbytes


def room(size: int) -> memoryview:
    """Return memory for a part; arrays in it are aligned and may be changed."""
    return memoryview(np.empty(size, np.uint8))  # type: ignore[arg-type]


def write(stream: BinaryIO, parts: Sequence[Part]) -> int:
    """Write a message to a pipe; return its bytes."""
    head = header(parts)
    if len(parts) == 1:
        head, parts = head + parts[0], []
    for part in (head, *parts):
        view = memoryview(part).cast("B")
        while view.nbytes:
            view = view[stream.write(view) :]
    return len(head) + sum(map(size_of, parts))


def read(stream: BinaryIO) -> list[Part]:
    """Read the parts of a message from a pipe; raises EOFError where it ends."""
    count = _fill(stream, room(COUNT.size))
    sizes = _fill(stream, room(SIZE.size * COUNT.unpack(count)[0]))
    return [_fill(stream, room(size)) for size in sizes_in(bytes(count) + bytes(sizes))]


def _fill(stream: BinaryIO, view: memoryview) -> memoryview:
    filled = 0
    while filled < view.nbytes:
        more = stream.readinto(view[filled:])  # type: ignore[attr-defined]
        if not more:
            raise EOFError
        filled += more
    return view
