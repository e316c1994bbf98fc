"""Counts in the text that Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

BUCKETS: Final = (0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 3600)
"""Upper bounds of the histogram of seconds."""


class Metrics:
    """What has happened since the service began."""

    def __init__(self) -> None:
        self._requests: Counter[int] = Counter()
        self._ended: Counter[str] = Counter()
        self._seconds = [0] * (len(BUCKETS) + 1)
        self._total = 0.0

    def request(self, status: int) -> None:
        """Count an answered request."""
        self._requests[status] += 1

    def job(self, state: str, seconds: float) -> None:
        """Count a job that has ended, so long after its arrival."""
        self._ended[state] += 1
        self._seconds[bisect_left(BUCKETS, seconds)] += 1
        self._total += seconds

    def text(self, counts: Mapping[str, int]) -> str:
        """Return all counts; ``counts`` are the jobs by state."""
        return "\n".join(self._lines(counts)) + "\n"

    def _lines(self, counts: Mapping[str, int]) -> Iterator[str]:
        yield "# HELP warptour_jobs Jobs that the service has, by state."
        yield "# TYPE warptour_jobs gauge"
        for state, count in counts.items():
            yield f'warptour_jobs{{state="{state}"}} {count}'
        yield "# HELP warptour_jobs_ended_total Jobs that have ended, by state."
        yield "# TYPE warptour_jobs_ended_total counter"
        for state in ("done", "failed"):
            yield f'warptour_jobs_ended_total{{state="{state}"}} {self._ended[state]}'
        yield "# HELP warptour_job_seconds Seconds from a job's arrival to its end."
        yield "# TYPE warptour_job_seconds histogram"
        below = 0
        for bound, count in zip((*BUCKETS, "+Inf"), self._seconds, strict=True):
            below += count
            yield f'warptour_job_seconds_bucket{{le="{bound}"}} {below}'
        yield f"warptour_job_seconds_sum {self._total:.3f}"
        yield f"warptour_job_seconds_count {below}"
        yield "# HELP warptour_requests_total Answered requests, by status."
        yield "# TYPE warptour_requests_total counter"
        for status, count in sorted(self._requests.items()):
            yield f'warptour_requests_total{{status="{status}"}} {count}'
