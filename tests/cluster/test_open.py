"""Clusters by name."""

from __future__ import annotations

import pytest

from warptour.cluster.links.hello import fair_threads, hello, stranger
from warptour.cluster.links.open import open_cluster, process_count, split, timeout_seconds
from warptour.cluster.messages import Hello
from warptour.kernels.cores import usable_cores
from warptour.model.errors import UsageError


@pytest.mark.parametrize("word", ["", "slurm", "mpi:4", "local:0", "local:x", "local:-1", "local:4:4", "Local", 4])
def test_a_wrong_name_is_one_line(word: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_cluster(word)
    assert "\n" not in str(caught.value)
    assert "local:4" in str(caught.value)


def test_names_have_two_parts() -> None:
    assert split("local:4") == ("local", "4")
    assert split("mpi") == ("mpi", "")
    assert split("ray:ray://head:10001") == ("ray", "ray://head:10001")


def test_local_alone_has_a_process_for_every_two_cores() -> None:
    assert process_count("") == max(2, usable_cores() // 2)
    assert process_count("3") == 3


def test_the_timeout_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert timeout_seconds() == 60
    monkeypatch.setenv("WARPTOUR_TIMEOUT", "7.5")
    assert timeout_seconds() == 7.5
    monkeypatch.setenv("WARPTOUR_TIMEOUT", "soon")
    with pytest.raises(UsageError, match="WARPTOUR_TIMEOUT=soon"):
        timeout_seconds()


def member_on(host: str, *processors: int, cores: int | None = None) -> Hello:
    return Hello("1", "k", host, cores or len(processors), processors)


def test_threads_are_shared_out_among_the_members_of_a_machine() -> None:
    assert fair_threads([member_on("a", *range(8))] * 4) == 2
    assert fair_threads([member_on("a", 0, 1), member_on("a", 2, 3)]) == 2, "bound to cores of their own"
    assert fair_threads([member_on("a", *range(8)), member_on("b", *range(4))]) == 4
    assert fair_threads([member_on("a", *range(64), cores=4)] * 2) == 2, "a container's quota"
    assert fair_threads([member_on("a", 0)] * 4) == 1


def test_other_versions_and_kernels_are_strangers() -> None:
    ours = hello()
    assert stranger(ours) is None
    assert "0.0.1, not " in str(stranger(Hello("0.0.1", ours.kernels, "b", 1, (0,))))
    assert "other kernels" in str(stranger(Hello(ours.version, "x", "b", 1, (0,))))
