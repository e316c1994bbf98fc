"""What a service allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from warptour.kernels.cores import usable_cores
from warptour.model.errors import UsageError
from warptour.model.memory import free_memory
from warptour.model.option import Option

GROUP = "Limits"


@dataclass(frozen=True)
class ServiceLimits:
    """Limits of a service, per job where they do not say otherwise."""

    jobs: Annotated[int | None, Option("Jobs at once; by default one per core and thread.", low=1, group=GROUP)] = None
    threads: Annotated[int, Option("Threads of a job.", low=1, high=1024, group=GROUP)] = 1
    seconds: Annotated[
        float | None, Option("Time limit where a request names none; small problems end earlier.", low=0, group=GROUP)
    ] = None
    max_seconds: Annotated[float, Option("Longest time limit that a request may name.", low=0, group=GROUP)] = 3600.0
    max_megabytes: Annotated[float, Option("Largest request.", low=0, group=GROUP)] = 64.0
    max_memory: Annotated[
        float | None, Option("Gigabytes of memory; by default an equal share (Linux).", low=0, group=GROUP)
    ] = None
    max_waiting: Annotated[int, Option("Jobs that may wait; others are refused.", low=0, group=GROUP)] = 1000
    keep: Annotated[int, Option("Answers that are kept; the oldest go first.", low=1, group=GROUP)] = 10_000

    def __post_init__(self) -> None:
        if self.seconds is not None and self.seconds > self.max_seconds:
            raise UsageError(f"--seconds {self.seconds:g} is above --max-seconds {self.max_seconds:g}")

    @property
    def at_once(self) -> int:
        """Jobs that run side by side."""
        return self.jobs or max(1, usable_cores() // self.threads)

    @property
    def body_bytes(self) -> int:
        """Largest body of a request."""
        return int(self.max_megabytes * 1e6)

    @property
    def memory_bytes(self) -> int:
        """Address space of a job."""
        return int(self.max_memory * 1e9) if self.max_memory else int(free_memory() / self.at_once)
