"""Services in threads, and problems for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from service_caller import PATIENCE, Caller
from warptour.service.limits import ServiceLimits
from warptour.service.serve import Serving


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., tuple[Serving, Caller]]]:
    """Call it for a service and its caller; words are further options of ``solve``, keywords are limits."""
    for library in ("starlette", "uvicorn"):
        pytest.importorskip(library)
    begun: list[tuple[Serving, threading.Thread]] = []

    def serve(*words: str, token: str = "", folder: str = "jobs", **limits: Any) -> tuple[Serving, Caller]:
        given = ServiceLimits(**{"jobs": 1} | limits)
        own = ["--device", "cpu", "--threads", "1", *words]
        serving = Serving(tmp_path / folder, "127.0.0.1", 0, token, given, own)
        thread = threading.Thread(target=serving.run)
        thread.start()
        begun.append((serving, thread))
        return serving, Caller(serving.address)

    yield serve
    for serving, thread in begun:
        serving.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def problem(stops: int = 3, **others: Any) -> dict[str, Any]:
    """Return a problem in VROOM's JSON: places in a row, one vehicle for every two jobs."""
    durations = [[100 * abs(a - b) for b in range(stops + 1)] for a in range(stops + 1)]
    vehicles = [{"id": k, "start_index": 0, "end_index": 0, "capacity": [2]} for k in range(stops // 2 + 1)]
    jobs = [{"id": k, "location_index": k, "delivery": [1]} for k in range(1, stops + 1)]
    return {"vehicles": vehicles, "jobs": jobs, "matrices": {"car": {"durations": durations}}} | others


@pytest.fixture(name="problem")
def _problem() -> Callable[..., dict[str, Any]]:
    return problem
