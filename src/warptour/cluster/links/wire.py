"""Messages as bytes: their data (data.py), and large arrays beside it, which are neither copied nor moved.

Links that carry bytes read them on a thread of their own, which leaves them in a queue.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO, TypeAlias

import numpy as np

from warptour.cluster.links.data import KINDS, Arrays, decode, encode
from warptour.cluster.links.link import LostError, UnreadableError, sleep_on
from warptour.model.errors import UsageError

Part: TypeAlias = Any
"""Something with the buffer interface, of bytes."""

BESIDE_BYTES = 4096
"""Smaller arrays are in the first part."""

COUNT = struct.Struct("<I")
SIZE = struct.Struct("<Q")
LENGTHS = struct.Struct("<QQ")
"""Bytes of the data, and of the types and shapes of its arrays."""


class QueueLink:
    """A link whose messages are in a queue: their parts, and at the end a text that says how the other end has gone."""

    imports = False
    """Whether the other end may name modules to import."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.wake: Callable[[], object] = sleep_on
        self.sent = self.received = 0
        self._inbox = SimpleQueue[list[Part] | str]()

    def receive(self, seconds: float) -> object | None:
        """Return the next message, or None if there is none within ``seconds``; raises :class:`LostError`."""
        try:
            parts = self._inbox.get(timeout=seconds) if seconds > 0 else self._inbox.get_nowait()
        except Empty:
            return None
        if isinstance(parts, str):
            self._inbox.put(parts)
            raise LostError(parts)
        self.received += sum(map(size_of, parts))
        return unpack(parts, imports=self.imports)


def pack(message: object) -> list[Part]:
    """Return the parts of a message: its data with the small arrays, then each large array."""
    arrays: Arrays = []
    try:
        text = encode(message, arrays)
    except TypeError as error:
        raise UsageError(f"{type(message).__name__} cannot be sent to another process: {error}") from None
    rows = [[array.dtype.str, array.shape] for array in arrays]
    flat = [np.ascontiguousarray(array).reshape(-1).view(np.uint8) for array in arrays]
    small = [part.tobytes() for part in flat if part.nbytes < BESIDE_BYTES]
    head = json.dumps(rows).encode()
    first = b"".join([LENGTHS.pack(len(text), len(head)), text, head, *small])
    return [first, *(memoryview(part) for part in flat if part.nbytes >= BESIDE_BYTES)]  # type: ignore[arg-type]


def unpack(parts: Sequence[Part], imports: bool = False) -> object:
    """Return the message of ``parts``; its large arrays use their memory. ``imports`` as for :func:`decode`."""
    try:
        first = bytes(parts[0])
        length, more = LENGTHS.unpack_from(first)
        at = LENGTHS.size + length + more
        beside, arrays = iter(parts[1:]), []
        for kind, shape in json.loads(first[at - more : at]):
            dtype = np.dtype(kind)
            if dtype.kind not in KINDS:
                raise TypeError(f"{kind} is no kind of array")
            size = dtype.itemsize * math.prod(shape)
            small = size < BESIDE_BYTES
            flat = (
                np.frombuffer(first, dtype, math.prod(shape), at).copy()
                if small
                else np.frombuffer(next(beside), dtype)
            )
            at += size if small else 0
            arrays.append(flat.reshape(shape))
        return decode(first[LENGTHS.size : LENGTHS.size + length], arrays, imports)
    except Exception as error:  # whatever damage leads to
        raise UnreadableError(f"{type(error).__name__}: {error}") from None


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
