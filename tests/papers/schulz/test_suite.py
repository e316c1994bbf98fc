"""The suite of giant tours measures what it says; how fast is not tested."""

from __future__ import annotations

import pytest

from warptour.bench import Options, run
from warptour.devices import Device
from warptour.papers.schulz.engine.search import GiantSearch
from warptour.papers.schulz.suites import giant
from warptour.papers.schulz.suites.giant import (
    instance_of,
    iteration_seconds,
    kernel_share,
    local_optimum,
    rehearse,
)
from warptour.papers.schulz.suites.giant_kernels import kernel_seconds
from warptour.routes.starts.insertion import insertion
from warptour.routes.starts.savings import savings


def test_it_has_no_time_of_a_gpu_beside_a_cpu() -> None:
    rows = list(run("giant", Options("cpu", 1, quick=True)))
    assert [row.case for row in rows] == [
        f"{hood}{rest}"
        for hood in ("2-opt", "3-opt")
        for rest in (" from insertion", " from one vehicle a customer", ", load and proof of a local optimum")
    ]
    assert all(row.value > 0 and row.n == 57 and row.peer is None for row in rows)


def test_its_peers_are_those_of_table_5_in_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(giant, "beside_gpu", lambda device, value: value)
    rows = list(run("giant", Options("cpu", 1, quick=True)))
    assert [row.peer for row in rows] == pytest.approx(3 * [0.499] + 3 * [1.23])


def test_instances_have_the_nodes_asked_for_and_starts_within_their_limits() -> None:
    instance = instance_of(57)
    assert instance.nodes == 57 and instance.routes == instance.customers == 28
    assert instance.problem.check(savings(instance.problem)).feasible


def test_iterations_are_counted_up_to_the_proof(device: Device) -> None:
    instance = instance_of(25)
    search = GiantSearch(instance, device, ("2-opt",))
    start = instance.enter(insertion(instance.problem))
    optimum = local_optimum(search, start)
    assert search.best_move(optimum) is None
    search.load(start)
    made = search.steps(1000)
    count, working = rehearse(search, start, 60.0)
    assert count >= working > 0 and working <= made + 1
    assert iteration_seconds(search, start, 0.001) > 0


def test_kernels_of_one_iteration_take_time(device: Device) -> None:
    instance = instance_of(25)
    start = instance.enter(insertion(instance.problem))
    assert kernel_seconds(device, instance, ("2-opt", "3-opt"), start) > 0
    assert kernel_share(device, instance, ("2-opt",), 0.001) > 0
