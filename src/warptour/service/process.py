"""A job that runs: a process of the ordinary command, which ends with the service."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from asyncio.subprocess import Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Final

from warptour.observe.child import kill, program
from warptour.web.leash import STOP
from warptour.web.refusal import one_line

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None

GRACE_SECONDS: Final = 20.0
"""How long a job that was asked to stop may take to end with its best solution."""
MAX_MESSAGES: Final = 2**16
"""Bytes of a job's messages that are kept."""
REQUEST, ANSWER, TRACE, CHECKPOINT = "request.json", "answer.json", "trace.jsonl", "checkpoint"
"""Files of a job in its folder."""
INFEASIBLE: Final = 1
SHORTAGE: Final = 71
"""Exit codes of ``solve``."""


class JobProcess:
    """The process of one attempt at a job.

    ``folder``: of the job; the attempt has one in it
    ``attempt``: From 1. A later one goes on from the best solution of those before.
    ``words``: further options of ``solve``
    ``memory``: limit on its address space in bytes
    """

    def __init__(self, folder: Path, attempt: int, request: bytes, words: Sequence[str], memory: int) -> None:
        self.folder = folder / str(attempt)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.folder / REQUEST).write_bytes(request)
        self.trace = self.folder / TRACE
        before = [folder / str(number) / CHECKPOINT for number in range(attempt - 1, 0, -1)]
        start = next((["--resume", str(path)] for path in before if path.exists()), [])
        own = ["--output", ANSWER, "--trace", TRACE, "--checkpoint", CHECKPOINT, "--quiet"]
        self._command = program("solve", REQUEST, *own, *start, *words, module="warptour.web.leash")
        self._memory = memory
        self._process: Process | None = None
        self._stopped = False

    async def run(self) -> tuple[bytes | None, int, str]:
        """Return the answer, if there is one, the exit code, and what the process has said."""
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        if resource is not None and hasattr(resource, "prlimit"):
            with suppress(ProcessLookupError, ValueError, PermissionError):
                resource.prlimit(process.pid, resource.RLIMIT_AS, (self._memory, self._memory))
        if self._stopped:  # before there was a process
            self._say_stop()
        assert process.stderr is not None
        said = b""
        while part := await process.stderr.read(MAX_MESSAGES):
            said = (said + part)[-MAX_MESSAGES:]
        code = await process.wait()
        answer = self.folder / ANSWER
        return answer.read_bytes() if answer.exists() else None, code, _message(code, said)

    async def stop(self) -> None:
        """Ask the process to end with its best solution; kill it if that takes long."""
        self._stopped = True
        if self._process is not None and self._process.returncode is None:
            self._say_stop()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._process.wait(), GRACE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process, and those that it started, at once."""
        if self._process is not None and self._process.returncode is None:
            kill(self._process)

    def _say_stop(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(STOP)


def _message(code: int, said: bytes) -> str:
    """Return what a process has said last that is of use to whoever sent the request."""
    lines = [one_line(line) for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    last = lines[-1].removeprefix("warptour: ").removeprefix(f"{REQUEST}: ") if lines else ""
    if code < 0:
        return f"the solver was killed by {signal.Signals(-code).name}"
    return last or (f"the solver ended with exit code {code}" if code else "")
