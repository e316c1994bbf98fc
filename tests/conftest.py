"""What all tests share: the public instances, hypothesis profiles, and ``--require``."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from requirements import WANTS, verdict, want
from sampled import leave_to_long
from shared_programs import SharedPrograms
from warptour.devices import Device, DeviceError, find
from warptour.devices.opencl import OpenCL

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

ROOT = Path(__file__).resolve().parent.parent

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


ACCELERATORS = [pytest.param(kind, marks=pytest.mark.compiles) for kind in ("opencl", "cuda")]
"""Devices whose kernels are compiled when they are used."""

OPEN_MPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
"""Variables for Open MPI, which others ignore: as root, and more ranks than cores."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require",
        action="append",
        default=[],
        choices=[*WANTS],
        help="fail, where a test would skip, because this is not there; may be repeated. Unknown reasons fail, too",
    )
    parser.addoption(
        "--native-only",
        action="store_true",
        help="leave out tests that compile something (marker `compiles`): sanitizers check the native library alone",
    )
    parser.addoption(
        "--every-build",
        action="store_true",
        help="compile every set of options that is chosen for CUDA, on every architecture; else a sample of them",
    )
    parser.addoption(
        "--examples",
        type=int,
        default=20,
        metavar="N",
        help="random problems that a fuzzer draws; `make sanitize` has more",
    )
    parser.addoption(
        "--record-golden", action="store_true", help="write the solutions of tests/golden to its runs.json, one worker"
    )


def pytest_configure() -> None:
    """Let programs that tests start hear SIGHUP, even if this one is run by nohup, and be ranks of any MPI."""
    os.environ.update(OPEN_MPI)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)  # handlers are not inherited, SIG_IGN is


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        mark = item.get_closest_marker("long_on_opencl")
        given = {*item.callspec.id.split("-")} if mark else {}  # type: ignore[attr-defined]
        if mark and "opencl" in given and (not mark.args or not given.isdisjoint(mark.args)):
            item.add_marker(pytest.mark.long)
    leave_to_long(items)
    if not config.getoption("--native-only"):
        return
    left_out = [item for item in items if item.get_closest_marker("compiles")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _demanded(item.config, (yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _demanded(collector.config, (yield))


def _demanded(config: pytest.Config, report: Report) -> Report:
    """Return a report that fails, if its test was skipped for want of what is required."""
    if report.skipped and isinstance(report.longrepr, tuple):
        why = verdict(report.longrepr[2], config.getoption("--require"))
        if why is not None:
            report.outcome, report.longrepr = "failed", why
    return report


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep what tests find of devices out of the user's cache."""
    os.environ["WARPTOUR_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def skip_without() -> Callable[[str, str], None]:
    """Call ``skip_without(name, reason)`` to skip; under ``--require name`` that is a failure."""

    def skip(name: str, reason: str) -> None:
        pytest.skip(reason if want(reason) == name else f"no device {name}: {reason}")

    return skip


@pytest.fixture(scope="session")
def find_or_skip(skip_without: Callable[[str, str], None]) -> Callable[[str], Device]:
    """Call ``find_or_skip(kind)`` for the first device of a kind; a test is skipped where there is none.

    OpenCL builds a text once for all tests of a worker: tests of PoCL took most of their time to build it again.
    """
    shared: list[SharedPrograms] = []

    def found(kind: str) -> Device:
        try:
            device = find(kind, 2)
        except DeviceError as error:
            skip_without(kind, str(error))
            raise
        if isinstance(device, OpenCL):
            shared[:] = shared or [SharedPrograms(device.cl)]
            device.cl = shared[0]
        return device

    return found


@pytest.fixture(scope="module", params=["cpu", *ACCELERATORS])
def device(request: pytest.FixtureRequest, find_or_skip: Callable[[str], Device]) -> Device:
    """Each kind of device in turn."""
    return find_or_skip(request.param)


@pytest.fixture(scope="module", params=ACCELERATORS)
def accelerator(request: pytest.FixtureRequest, find_or_skip: Callable[[str], Device]) -> Device:
    """Each kind of device but the CPU, for tests that compare it with the CPU."""
    return find_or_skip(request.param)


@pytest.fixture(scope="module", params=ACCELERATORS)
def gpu(request: pytest.FixtureRequest, find_or_skip: Callable[[str], Device]) -> Device:
    """Each kind of device but the CPU, with the builds that engines choose for a GPU.

    PoCL, which is a CPU, runs them with one lane a group: several take its compiler minutes.
    """
    device = find_or_skip(request.param)
    if device.lanes == 1:
        build = device.build

        def with_one_lane(name: str, special: str | None = None, *, lanes: int | None = None, **defines: Any) -> Any:
            return build(name, special, lanes=1, **defines)

        device.lanes, device.simd, device.build = 32, 1, with_one_lane  # type: ignore[method-assign]
    return device


@pytest.fixture(scope="session")
def opencl(find_or_skip: Callable[[str], Device]) -> Device:
    """PoCL where there is one, so that the same compiler is tested everywhere; else the first OpenCL device."""
    from warptour.devices.opencl import find_all

    pocl = (device for device in find_all()[0] if device.platform == "Portable Computing Language")
    return next(pocl, None) or find_or_skip("opencl")


@pytest.fixture(scope="session")
def data(skip_without: Callable[[str, str], None]) -> Path:
    """The folder of public instances, with ``tsp`` and ``vrp`` inside."""
    chosen = os.environ.get("WARPTOUR_DATA")
    folder = Path(chosen) if chosen else ROOT.parent / "shared" / "data"
    if not (folder / "tsp").is_dir():
        skip_without("data", f"no public instances at {folder}: set WARPTOUR_DATA to a folder with tsp/ and vrp/")
    return folder


@pytest.fixture(scope="session")
def rich(data: Path, skip_without: Callable[[str, str], None]) -> Path:
    """The folder of public instances with time windows and more, a folder for each kind."""
    if not (data / "rich").is_dir():
        skip_without("data", f"no public instances at {data / 'rich'}")
    return data / "rich"


@pytest.fixture(scope="session")
def examples(request: pytest.FixtureRequest) -> int:
    """How many random problems a fuzzer draws."""
    count: int = request.config.getoption("--examples")
    return count


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the source tree."""
    return ROOT
