"""A device that fails at work says so in one line, whatever its driver raises, and a search goes on without it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

import warptour as wt
from cupy_stub import GPUS, CudaRuntimeError, OutOfMemoryError, StubCuda
from warptour.devices import Device, DeviceError
from warptour.observe.events import Note
from warptour.search.search import Search
from warptour.search.stop import Seconds
from warptour.strategies import places

ILLEGAL = "cudaErrorIllegalAddress: an illegal memory access was encountered"


def failing(*_: object, **__: object) -> None:
    raise CudaRuntimeError(f"{ILLEGAL}\nand more")


def full(*_: object, **__: object) -> None:
    raise OutOfMemoryError("Out of memory allocating 400,000,000 bytes")


def launched(device: Device) -> None:
    device.build("lanes").launch("lanes", 1, np.int32(1))


VERBS: dict[str, Callable[[Device], object]] = {
    "empty": lambda device: device.empty(5, np.int32),
    "asnumpy": lambda device: device.fetch(device.send(np.zeros(5))),
    "argsort": lambda device: device.order(device.send(np.zeros(5, np.uint32))),
    "cumsum": lambda device: device.running_sum(device.send(np.zeros(5, np.int64))),
}


@pytest.mark.parametrize("verb", VERBS)
def test_what_cupy_raises_becomes_a_sentence(verb: str) -> None:
    device = StubCuda(GPUS[-1])
    VERBS[verb](device)
    setattr(device.cupy, verb, failing)
    with pytest.raises(DeviceError, match=rf"^cuda:0 failed: {ILLEGAL}$"):
        VERBS[verb](device)
    setattr(device.cupy, verb, full)
    with pytest.raises(DeviceError, match=r"^cuda:0 (failed: Out of memory|has no room for)"):
        VERBS[verb](device)


def test_what_cupy_raises_of_a_launch_becomes_a_sentence() -> None:
    device = StubCuda(GPUS[-1])
    launched(device)
    device.on_launch = failing
    with pytest.raises(DeviceError, match=rf"^cuda:0 failed: {ILLEGAL}$"):
        launched(device)
    device.cupy.cuda.get_current_stream = lambda: SimpleNamespace(synchronize=failing)
    with pytest.raises(DeviceError, match=rf"^cuda:0 failed: {ILLEGAL}$"):
        device.synchronise()


def test_what_opencl_raises_becomes_a_sentence(opencl: Device) -> None:
    device = type(opencl)(opencl.cl, opencl._device, 7)
    array, program = device.send(np.zeros(5)), device.build("lanes")
    error = device.cl.RuntimeError("clFinish failed: OUT_OF_RESOURCES\nand more")

    def failed(*_: object) -> None:
        raise error

    device._queue = program._queue = SimpleNamespace(finish=failed)
    array.get = array.set = failed
    numbers = np.int32(2), np.int32(4), np.int32(0)
    verbs = (
        device.synchronise,
        lambda: device.fetch(array),
        lambda: device.fill(array, np.zeros(5)),
        lambda: program.launch("lanes", 1, *numbers, None, None, local=32),
    )
    for verb in verbs:
        with pytest.raises(DeviceError, match=r"^opencl:7 failed: clFinish failed: OUT_OF_RESOURCES$"):
            verb()


def test_a_gpu_that_fails_in_mid_search_is_left_for_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    launches: list[str] = []

    def at_last(name: str) -> None:
        launches.append(name)
        if len(launches) > 5:
            failing()

    notes: list[str] = []
    monkeypatch.setattr(places, "sound_device", lambda name, threads, kinds: (StubCuda(GPUS[-1], at_last), []))
    result = wt.solve(
        wt.generate("uniform", 200, 1),
        "hill",
        seconds=60,
        listeners=[lambda event: notes.append(event.text) if isinstance(event, Note) else None],
    )
    assert len(launches) == 6
    assert notes[0] == f"cuda:0 failed: {ILLEGAL}; going on with the CPU"
    assert result.device == "cpu" and "2-optimal" in notes[-1]


def test_the_cpu_goes_on_from_the_best_tour() -> None:
    problem = wt.generate("uniform", 20, 1)
    search = Search(problem, Seconds(1), start="greedy", device=StubCuda(GPUS[-1]))
    search.use_cpu("cuda:0 failed")
    assert search.device.name == "cpu" and search.start == "greedy"
    tour = np.random.default_rng(1).permutation(20).astype(np.int32)
    search.offer(tour)
    search.use_cpu("cuda:0 failed")
    assert isinstance(search.start, np.ndarray) and (search.start == tour).all()
    assert search.start is not search.best


@pytest.mark.parametrize("length", [0, 1, 6, 7, 8, 20])
def test_a_column_is_sent_in_pieces(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warptour.devices.cuda.PIECE", 7)
    device, column = StubCuda(GPUS[-1]), np.arange(2.0 * length).reshape(length, 2)[:, 1]
    assert (device.fetch(device.send(column)) == column).all()
    assert device.free_memory() == GPUS[-1].memory
