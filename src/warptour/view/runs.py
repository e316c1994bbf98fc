"""Runs of a server: each is a process of the ordinary command, which ends with the server."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final

from warptour.kernels.cores import usable_cores
from warptour.observe.child import kill, program
from warptour.strategies.registry import known_strategy
from warptour.tours.starts.start import find_start
from warptour.view.folder import Upload
from warptour.view.forms import VEHICLE_STARTS
from warptour.view.problems import GivenProblem, option_words
from warptour.web.leash import STOP
from warptour.web.refusal import Refusal, flag_of, number_of, object_of, one_line, text_of

MAX_RUNS: Final = 4
"""Maximum number of runs at a time."""
GRACE_SECONDS: Final = 20.0
"""How long a run that was asked to stop may take to end with its best solution."""
END_SECONDS: Final = 3.0
"""How long a run may take to end with its best solution when the server ends."""
MAX_MESSAGES: Final = 2**16
"""Bytes of a run's messages that are kept."""
CLUSTER: Final = re.compile(r"local:[1-9]\d{0,2}")
PROGRAM: Final = "warptour: "
FAILED: Final = (1, 2, 70)
"""Exit codes without a feasible solution, or with a defect."""
ELSEWHERE: Final = (71, 74)
"""Exit codes with a solution, which may be in another place: its messages say where."""


class Run:
    """A process that searches, and what it has said.

    ``words``: options of ``solve``, as the user is shown them
    ``hidden``: the same with the private paths of uploads
    ``folder``: where its trace and solution go
    """

    def __init__(
        self, id: str, name: str, given: GivenProblem, words: list[str], hidden: list[str], folder: Path
    ) -> None:
        self.id = id
        self.name = name
        self.given = given
        self.trace = folder / "run.jsonl"
        self.solution = folder / f"solution{'.sol' if given.problem.kind == 'vrp' else '.tour'}"
        self.began = time.time()
        pairs = zip([given.source, *hidden], [given.shown, *words], strict=True)
        self._private = {path: shown for path, shown in pairs if path != shown}
        self._private |= {str(upload.path): upload.name for upload in given.uploads}
        options = [self._private.get(word, word) for word in given.options]
        self.command = shlex.join(["warptour", "solve", given.shown, *options, *words])
        self._stopped_at: float | None = None
        self._messages = b""
        own = ["--trace", str(self.trace), "--tours", "--quiet", "--output", str(self.solution)]
        arguments = ["solve", given.source, *given.options, *hidden, *own]
        self.process = subprocess.Popen(
            program(*arguments, module="warptour.web.leash"),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._reader = Thread(target=self._read_messages, daemon=True)
        self._reader.start()

    @property
    def running(self) -> bool:
        """Whether the process has not ended; one that was asked to stop long ago is killed."""
        if self.process.poll() is not None:
            return False
        if self._stopped_at is not None and time.monotonic() - self._stopped_at > GRACE_SECONDS:
            self.kill()
        return True

    def state(self) -> str:
        """Return ``running``, ``stopping``, ``ended`` or ``failed``."""
        if self.running:
            return "running" if self._stopped_at is None else "stopping"
        code = self.process.returncode
        failed = code < 0 or code in FAILED or not (code in ELSEWHERE or self.solution.exists())
        return "failed" if failed else "ended"

    def stop(self) -> None:
        """Ask the process to end with its best solution."""
        if self.running and self._stopped_at is None:
            self._stopped_at = time.monotonic()
            assert self.process.stdin is not None
            with suppress(OSError):
                self.process.stdin.write(STOP)
                self.process.stdin.flush()

    def kill(self) -> None:
        """End the process, and those that it started, at once."""
        kill(self.process)

    def end(self) -> None:
        """Wait until the process has ended, and kill it if that takes long."""
        self.stop()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            self.process.wait()
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()
        self._reader.join(1.0)

    def facts(self) -> dict[str, Any]:
        """Return what the page is told."""
        state = self.state()
        lines = [] if state == "running" else self._lines()
        code = self.process.returncode
        error = self._failure(lines) if state == "failed" else None
        notes = [line for line in lines if line != error]
        return {
            "id": self.id,
            "name": self.name,
            "problem": self.given.id,
            "command": self.command,
            "state": state,
            "error": error,
            "notes": notes,
            "exit": code,
            "began": self.began,
        }

    def _failure(self, lines: list[str]) -> str:
        """Return why there is no solution: what the process said last, or how it ended."""
        code: int = self.process.returncode
        if code < 0:
            return f"the solver was killed by {signal.Signals(-code).name}"
        if self._stopped_at is not None and not lines:
            return "it was stopped before there was a first solution"
        return lines[-1] if lines else f"the solver ended with exit code {code}"

    def _read_messages(self) -> None:
        """Keep the beginning of what the process says on standard error; a file might not be, on a full disk."""
        assert self.process.stderr is not None
        with self.process.stderr as stream:
            for line in stream:
                if len(self._messages) < MAX_MESSAGES:
                    self._messages += line[:MAX_MESSAGES]

    def _lines(self) -> list[str]:
        """Return what the process said, without private paths and what was said when the problem was read."""
        if self.process.returncode is not None:
            self._reader.join(1.0)
        text = self._messages.decode("utf-8", "replace")
        for hidden, shown in self._private.items():
            text = text.replace(hidden, shown)
        lines = [one_line(line.removeprefix(PROGRAM)) for line in text.splitlines() if line.strip()]
        return [line for line in lines if line not in self.given.notes]


def max_processes() -> int:
    """Return how many processes a cluster may have."""
    return max(2, usable_cores())


def run_words(given: GivenProblem, wanted: Mapping[str, Any], start: Upload | None) -> tuple[list[str], list[str]]:
    """Return the options of ``solve`` for a request: as the user is shown them, and with the paths of uploads."""
    words: list[str] = []
    strategy = text_of(wanted.get("strategy"), "a strategy")
    if strategy is not None:
        known_strategy(strategy)
        words += ["--strategy", strategy]
    for name, value in object_of(wanted.get("settings"), "settings").items():
        words += ["--set", f"{text_of(name, 'a field') or ''}={_setting(value)}"]
    device = text_of(wanted.get("device"), "a device")
    words += option_words("--device", device) if device not in (None, "auto") else []
    cluster = text_of(wanted.get("cluster"), "a cluster")
    if cluster is not None:
        if not CLUSTER.fullmatch(cluster):
            raise Refusal(400, "runs of the view use the processes of this machine: local:N")
        if int(cluster.partition(":")[2]) > max_processes():
            raise Refusal(400, f"a cluster here has at most a process for each core: local:{max_processes()}")
        words += ["--cluster", cluster]
    for name in ("threads", "seconds", "iterations", "target", "seed"):
        value = number_of(wanted.get(name), name)
        if value is not None and (name, value) != ("seed", 0):
            words += option_words(f"--{name}", value)
    words += ["--bound"] if flag_of(wanted.get("bound"), "bound") else []
    return _with_start(given, words, text_of(wanted.get("start"), "a start"), start)


def _with_start(
    given: GivenProblem, words: list[str], name: str | None, file: Upload | None
) -> tuple[list[str], list[str]]:
    """Return the words with a start: the name of a construction, never a path, or an upload."""
    if file is not None:
        return [*words, "--start", file.name], [*words, "--start", str(file.path)]
    if name is None:
        return words, words
    known = name in VEHICLE_STARTS if given.problem.kind == "vrp" else find_start(name) is not None
    if not known:
        raise Refusal(400, f"there is no start {name!r}")
    return [*words, "--start", name], [*words, "--start", name]


def _setting(value: Any) -> str:
    """Return the value of a field as ``--set`` takes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and not any(isinstance(part, list) for part in value):
        return ",".join(_setting(part) for part in value)
    if isinstance(value, int | float):
        return str(number_of(value, "a value"))
    return text_of(value, "a value") or ""
