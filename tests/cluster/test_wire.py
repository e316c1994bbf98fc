"""Messages survive the way through bytes, arrays of any size included."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from warptour.cluster.links.link import UnreadableError
from warptour.cluster.links.wire import header, pack, read, size_of, sizes_in, unpack, write
from warptour.model.errors import UsageError


def through_a_pipe(message: object) -> object:
    ends = os.pipe()
    with os.fdopen(ends[0], "rb", 0) as inward, os.fdopen(ends[1], "wb", 0) as outward:
        writer = threading.Thread(target=write, args=(outward, pack(message)))
        writer.start()
        parts = read(inward)
        writer.join()
    return unpack(parts)


@pytest.mark.parametrize("n", [0, 1, 1000, 300_000])
def test_arrays_arrive_equal_and_writable(n: int) -> None:
    sent = {"tour": np.arange(n, dtype=np.int32), "xy": np.ones((n, 2)), "word": "x"}
    got = through_a_pipe(sent)
    assert isinstance(got, dict)
    assert got["word"] == "x"
    for key in ("tour", "xy"):
        np.testing.assert_array_equal(got[key], sent[key])
        assert got[key].flags.writeable
        assert got[key].flags.aligned


def test_large_arrays_are_beside_the_pickle_and_not_copied() -> None:
    tour = np.arange(100_000, dtype=np.int32)
    small, large = pack(tour)
    assert size_of(small) < 1000
    assert np.shares_memory(np.frombuffer(large, np.int32), tour)
    assert sizes_in(header([small, large]) + b"more") == [size_of(small), tour.nbytes]


def test_a_strided_array_arrives() -> None:
    sent = np.arange(200_000).reshape(1000, 200)[::2, ::3]
    np.testing.assert_array_equal(through_a_pipe(sent), sent)  # type: ignore[arg-type]


def test_what_cannot_be_pickled_is_refused_in_one_line() -> None:
    with pytest.raises(UsageError, match="function cannot be sent to another process"):
        pack(lambda: None)


def test_what_cannot_be_unpickled_is_told() -> None:
    with pytest.raises(UnreadableError, match="UnpicklingError"):
        unpack([b"nonsense"])


def test_the_end_of_a_pipe_in_the_midst_of_a_message_is_noticed() -> None:
    ends = os.pipe()
    with os.fdopen(ends[0], "rb", 0) as inward:
        with os.fdopen(ends[1], "wb", 0) as outward:
            outward.write(header([b"whole"]) + b"ha")
        with pytest.raises(EOFError):
            read(inward)
