"""The jobs of a service in the order of their arrival, some at once, each in a process."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warptour.service.limits import ServiceLimits
from warptour.service.metrics import Metrics
from warptour.service.process import JobProcess
from warptour.service.store import JobStore


class JobQueue:
    """Runs what waits in the store.

    ``folder``: where jobs that run have their files
    ``words``: options of ``solve`` for all jobs
    ``closing``: whether no more jobs are begun
    """

    def __init__(self, store: JobStore, folder: Path, limits: ServiceLimits, words: Sequence[str]) -> None:
        self.store = store
        self.folder = folder
        self.limits = limits
        self.words = list(words)
        self.closing = False
        self.metrics = Metrics()
        self._memory = limits.memory_bytes
        self._running: dict[str, JobProcess] = {}
        self._awaited: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Go on with what an earlier service has left."""
        for id in self.store.recover():
            shutil.rmtree(self.folder / id, ignore_errors=True)
        self.wake()

    def wake(self) -> None:
        """Begin jobs that wait, as many as there is room for."""
        while not self.closing and len(self._running) < self.limits.at_once:
            found = self.store.begin()
            if found is None:
                return
            job, request = found
            words = [*self.words, *_words(job.options)]
            process = JobProcess(self.folder / job.id, job.attempts, request, words, self._memory)
            self._running[job.id] = process
            task = asyncio.create_task(self._attend(job.id, process))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def ended_job(self, id: str) -> None:
        """Wait until a job has ended or was removed, or the service ends."""
        event = self._awaited.setdefault(id, asyncio.Event())
        job = self.store.job(id)
        if job is not None and job.state in ("waiting", "running"):
            await event.wait()
        self._awaited.pop(id, None)

    def trace(self, id: str) -> Path | None:
        """Return the trace of a job that runs."""
        process = self._running.get(id)
        return None if process is None else process.trace

    async def stop(self, id: str) -> None:
        """Let a job that runs end with its best solution."""
        process = self._running.get(id)
        if process is not None:
            await process.stop()

    async def remove(self, id: str) -> None:
        """End a job and forget it."""
        self.store.remove(id)
        await self.stop(id)
        self._tell(id)

    async def close(self) -> None:
        """Let all jobs that run end with their best solutions; those that wait are there for the next service."""
        self.closing = True
        await asyncio.gather(*(process.stop() for process in self._running.values()))
        await asyncio.gather(*self._tasks)
        for id in list(self._awaited):
            self._tell(id)

    async def _attend(self, id: str, process: JobProcess) -> None:
        """Run a job and keep its answer."""
        try:
            answer, code, message = await process.run()
            if answer is None and self.closing:
                self.store.wait_again(id)
            else:
                self.store.end(id, answer, code, message)
        except Exception as error:  # a full disk, say: the others go on
            print(f"warptour: job {id}: {error}", file=sys.stderr, flush=True)
            self.store.end(id, None, 70, f"the service could not run it: {error}")
        finally:
            process.kill()
            del self._running[id]
            shutil.rmtree(self.folder / id, ignore_errors=True)
            job = self.store.job(id)
            if job is not None and job.ended is not None:
                self.metrics.job(job.state, job.ended - job.arrived)
            self.store.forget(self.limits.keep)
            self._tell(id)
            asyncio.get_running_loop().call_soon(self.wake)

    def _tell(self, id: str) -> None:
        event = self._awaited.get(id)
        if event is not None:
            event.set()


def _words(options: dict[str, Any]) -> list[str]:
    """Return options as words of the command line."""
    return [word for name, value in options.items() for word in (f"--{name}", f"{value:.15g}")]
