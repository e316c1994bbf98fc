"""Every device does the same with the same verbs."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import numpy as np
import pytest

from warptour.devices import Device, DeviceError, find, present
from warptour.devices.cpu import Cpu
from warptour.devices.measure import VECTORS, WIDTHS, flop_test, measure
from warptour.devices.text import assemble, names


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint64, np.float32, np.float64])
@pytest.mark.parametrize("shape", [0, 1, 7, (3, 5)])
def test_arrays_come_back_as_they_were_sent(device: Device, dtype: type, shape: int | tuple[int, ...]) -> None:
    values = np.arange(int(np.prod(shape)), dtype=dtype).reshape(shape)
    array = device.send(values)
    values_back = device.fetch(array)
    assert (values_back.reshape(shape if values.size else -1)[: values.size] == values).all()
    if values.size:
        device.fill(array, values[::-1])
        assert (device.fetch(array) == values[::-1]).all()
        assert (device.fetch(device.zeros(shape, dtype)) == 0).all()
        assert device.fetch(device.empty(shape, dtype)).shape == values.shape


def test_keys_are_sorted_stably_and_sums_run(device: Device) -> None:
    keys = np.random.default_rng(0).integers(0, 10, 1000).astype(np.uint32)
    assert (device.fetch(device.order(device.send(keys))) == keys.argsort(kind="stable")).all()
    values = np.random.default_rng(1).integers(-5, 2**40, 1000)
    assert (device.fetch(device.running_sum(device.send(values))) == np.cumsum(values)).all()


def told(device: Device, lanes: int, count: int = 5, size: int = 64, groups: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """What the lanes of ``lanes.c`` tell each other, and what they should."""
    values = np.round(np.random.default_rng(lanes).random((count, size)) * 101)
    out = device.zeros((count, 8), np.float64)
    program = device.build("lanes", lanes=lanes)
    numbers = np.int32(count), np.int32(size), np.int32(3)
    program.launch("lanes", groups, *numbers, device.send(values), out, local=8 * size)
    first = values.max(axis=1), values.argmax(axis=1)
    above = (values > 100).any(axis=1)
    expected = np.column_stack((values.sum(axis=1), above, values[:, 3], *first, *first, np.full(count, size - 1)))
    return device.fetch(out), expected


def test_lanes_tell_each_other_what_they_should(device: Device) -> None:
    for lanes in (1,) if device.name == "cpu" else (32, 64) if device.name.startswith("cuda") else (1, 4, 32):
        found, expected = told(device, lanes)
        assert (found == expected).all(), f"{lanes} lanes"


@pytest.mark.compiles
def test_what_a_first_launch_compiles_is_compile_time(opencl: Device) -> None:
    built: list[float] = []
    for _ in range(2):
        program = opencl.build("lanes", lanes=1)
        built.append(opencl.compile_seconds)
        arrays = opencl.send(np.ones((2, 4))), opencl.zeros((2, 8), np.float64)
        for _ in range(2):
            program.launch("lanes", 2, np.int32(2), np.int32(4), np.int32(0), *arrays, local=32)
            built.append(opencl.compile_seconds)
    assert built[0] < built[1] == built[2]


class Deserted:
    """Threads whose work nobody waits for, as after Ctrl-C."""

    def map(self, run: Callable[[int], None], groups: object) -> None:
        self.run = run
        raise KeyboardInterrupt


def test_a_thread_keeps_the_arrays_it_works_on() -> None:
    device, pool = Cpu(2), Deserted()
    device.__dict__["pool"] = pool
    values, out = np.ones((2, 4)), np.zeros((2, 8))
    kept = weakref.ref(out)
    with suppress(KeyboardInterrupt):
        device.build("lanes").launch("lanes", 2, np.int32(2), np.int32(4), np.int32(0), values, out, local=32)
    del values, out
    assert kept() is not None
    pool.run(0)
    assert kept()[0, 0] == 4  # the sum of the first row
    del pool.run
    assert kept() is None


def test_recorded_launches_do_the_same_again(device: Device) -> None:
    lanes = 32 if device.lanes > 1 else 1
    program = device.build("lanes", lanes=lanes)
    values, out = device.send(np.ones((2, 4))), device.zeros((2, 8), np.float64)

    def work() -> None:
        program.launch("lanes", 2, np.int32(2), np.int32(4), np.int32(0), values, out, local=32)

    work()
    again = device.record(work)
    device.fill(values, np.full((2, 4), 2.0))
    again()
    assert (device.fetch(out)[:, 0] == 8).all()


def test_copies_run_ahead_of_the_launches_that_read_them(device: Device) -> None:
    program = device.build("lanes", lanes=32 if device.lanes > 1 else 1)
    values, out = device.zeros((2, 4), np.float64), device.zeros((2, 8), np.float64)
    host = device.pinned((2, 4), np.float64)
    host[...] = 3
    arrived = device.fill_ahead(values, host)
    arrived()
    program.launch("lanes", 2, np.int32(2), np.int32(4), np.int32(0), values, out, local=32)
    assert (device.fetch(out)[:, 0] == 12).all()


def test_kernels_write_to_memory_of_the_host(device: Device) -> None:
    program = device.build("lanes", lanes=32 if device.lanes > 1 else 1)
    told = device.mapped((2, 8), np.float64)
    assert (told.read() == 0).all()
    program.launch(
        "lanes", 2, np.int32(2), np.int32(4), np.int32(0), device.send(np.ones((2, 4))), told.array, local=32
    )
    device.mark()()
    assert (told.read()[:, 0] == 4).all()


def test_plain_numbers_are_refused_since_they_have_no_width(device: Device) -> None:
    program = device.build("lanes", lanes=32 if device.lanes > 1 else 1)
    with pytest.raises(TypeError, match=r"np\.int32"):
        program.launch("lanes", 1, 5, np.int32(4), np.int32(0), None, None, local=32)


def test_time_passes(device: Device) -> None:
    with device.timed() as elapsed:
        told(device, 32 if device.lanes > 1 else 1)
    assert elapsed.seconds > 0
    device.synchronise()


def test_a_device_says_what_it_is_and_what_it_computes(device: Device) -> None:
    about = device.about()
    assert about.name == device.name and about.title and about.units > 0 and about.memory > 2**28
    rates = measure(device, 100_000, 0.001)
    assert set(rates.operations) == set(rates.roots) == set(WIDTHS)
    assert all(rate > 0 for rate in (*rates.operations.values(), *rates.roots.values()))


def test_the_flop_test_has_both_types_and_every_width(device: Device) -> None:
    rates = flop_test(device, 100_000, 0.001)
    assert set(rates) == {(kind, width) for kind in ("float32", "float64") for width in VECTORS}
    assert all(rate > 0 for rate in rates.values())


def test_too_much_memory_is_one_sentence(accelerator: Device) -> None:
    with pytest.raises(DeviceError, match=r"no room for .* GB .*device cpu"):
        accelerator.empty(10**13, np.float64)


@pytest.mark.parametrize("name", ["gpu", "cuda:x", "cpu:1", ""])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(DeviceError, match="auto, cpu, cuda:N or opencl:N"):
        find(name)


@pytest.mark.parametrize("name", ["cuda:99", "opencl:99"])
def test_a_missing_device_is_named_with_what_to_do(name: str) -> None:
    with pytest.raises(DeviceError, match=f"no device {name}; "):
        find(name)


def test_the_cpu_is_always_there() -> None:
    found, missing = present(1)
    assert found[0].name == "cpu" and found[0].about().units == 1
    assert all(sentence.startswith(("CUDA: ", "OpenCL: ")) for sentence in missing)
    assert find("auto", 1).name in ("cpu", "cuda:0")


def test_every_text_is_one_piece() -> None:
    for name, dialect in product(names(), ("cuda", "opencl")):
        source = assemble(name, dialect, None, 32, {"EXTRA": 5}).source
        assert "#include" not in source, name
        assert "#define LANES 32\n" in source and "#define EXTRA 5\n" in source, name
