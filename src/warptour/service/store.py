"""Jobs in a file of SQLite: what has been accepted is there after any crash."""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal

from warptour.model.errors import InputError

State = Literal["waiting", "running", "done", "failed"]

VERSION: Final = 1
"""Of the table; a file of another is refused."""
MAX_ATTEMPTS: Final = 3
"""Times that a job is begun: one that takes the whole service with it each time is given up."""
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE NOT NULL,
    state TEXT NOT NULL,
    held INTEGER NOT NULL,
    options TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    arrived REAL NOT NULL,
    began REAL,
    ended REAL,
    code INTEGER,
    message TEXT NOT NULL DEFAULT '',
    request BLOB NOT NULL,
    answer BLOB
);
CREATE INDEX IF NOT EXISTS by_state ON jobs (state, number);
"""
FACTS: Final = "id, state, held, options, attempts, arrived, began, ended, code, message"


@dataclass(frozen=True)
class StoredJob:
    """A job as it stands."""

    id: str
    state: State  # "waiting" or "running" or "done" or "failed"
    held: bool  # whether a client waits for the answer on its connection; without the client nobody would ask for it
    options: dict[str, Any]  # of ``solve``, by name
    attempts: int  # times that it was begun; more than one after the service itself ended
    # arrived, began, ended: seconds since 1970; None for what is yet to come
    arrived: float
    began: float | None
    ended: float | None
    code: int | None  # how its process ended
    message: str  # why it failed, or what there is to say about the answer


class JobStore:
    """The jobs of one service. Every change is on the disk when its method returns."""

    def __init__(self, path: Path) -> None:
        self._lock = Lock()
        try:
            self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version not in (0, VERSION):
                raise InputError(f"is of version {version}, and this program writes {VERSION}; name another", str(path))
            self._database.executescript(SCHEMA + f"PRAGMA user_version = {VERSION};")
        except sqlite3.Error as error:
            raise InputError(f"{error}; it is no file of jobs", str(path)) from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def recover(self) -> list[str]:
        """Let what ran when the last service ended wait again; return those that are given up."""
        with self._lock:
            self._database.execute("DELETE FROM jobs WHERE held AND state IN ('waiting', 'running')")
            lost = self._database.execute(
                "UPDATE jobs SET state = 'failed', ended = ?, message = ? WHERE state = 'running' AND attempts >= ? "
                "RETURNING id",
                (time.time(), f"the service ended {MAX_ATTEMPTS} times while it ran", MAX_ATTEMPTS),
            ).fetchall()
            self._database.execute("UPDATE jobs SET state = 'waiting' WHERE state = 'running'")
        return [id for (id,) in lost]

    def add(self, request: bytes, options: dict[str, Any], held: bool) -> str:
        """Add a job; return its name."""
        id = secrets.token_urlsafe(12)
        row = (id, "waiting", held, json.dumps(options), time.time(), request)
        with self._lock:
            self._database.execute(
                "INSERT INTO jobs (id, state, held, options, arrived, request) VALUES (?, ?, ?, ?, ?, ?)", row
            )
        return id

    def begin(self) -> tuple[StoredJob, bytes] | None:
        """Return the job that has waited longest, which runs now, and its request; None if none waits."""
        with self._lock:
            found = self._database.execute(
                "UPDATE jobs SET state = 'running', began = ?, attempts = attempts + 1 WHERE number = "
                f"(SELECT min(number) FROM jobs WHERE state = 'waiting') RETURNING {FACTS}, request",
                (time.time(),),
            ).fetchone()
        return None if found is None else (_job(found[:-1]), found[-1])

    def wait_again(self, id: str) -> None:
        """Let a job wait for the next service, as if it had not begun."""
        with self._lock:
            self._database.execute("UPDATE jobs SET state = 'waiting', attempts = attempts - 1 WHERE id = ?", (id,))

    def end(self, id: str, answer: bytes | None, code: int, message: str) -> None:
        """Keep how a job ended; with an answer it is done."""
        row = ("failed" if answer is None else "done", time.time(), answer, code, message, id)
        with self._lock:
            self._database.execute(
                "UPDATE jobs SET state = ?, ended = ?, answer = ?, code = ?, message = ? WHERE id = ?", row
            )

    def job(self, id: str) -> StoredJob | None:
        """Return a job, if there is one of this name."""
        with self._lock:
            found = self._database.execute(f"SELECT {FACTS} FROM jobs WHERE id = ?", (id,)).fetchone()
        return None if found is None else _job(found)

    def answer(self, id: str) -> bytes | None:
        """Return the answer of a job, if it has one."""
        with self._lock:
            found = self._database.execute("SELECT answer FROM jobs WHERE id = ?", (id,)).fetchone()
        return None if found is None else found[0]

    def latest(self, most: int) -> list[StoredJob]:
        """Return the jobs that arrived last, the latest first."""
        with self._lock:
            found = self._database.execute(f"SELECT {FACTS} FROM jobs ORDER BY number DESC LIMIT ?", (most,)).fetchall()
        return [_job(row) for row in found]

    def counts(self) -> dict[str, int]:
        """Return the number of jobs by state."""
        with self._lock:
            found = self._database.execute("SELECT state, count(*) FROM jobs GROUP BY state").fetchall()
        return {"waiting": 0, "running": 0, "done": 0, "failed": 0} | dict(found)

    def remove(self, id: str) -> None:
        """Remove a job and its answer."""
        with self._lock:
            self._database.execute("DELETE FROM jobs WHERE id = ?", (id,))

    def forget(self, keep: int) -> None:
        """Remove the oldest jobs that have ended but for ``keep``."""
        with self._lock:
            self._database.execute(
                "DELETE FROM jobs WHERE number IN (SELECT number FROM jobs WHERE state IN ('done', 'failed') "
                "ORDER BY number DESC LIMIT -1 OFFSET ?)",
                (keep,),
            )


def _job(row: Iterable[Any]) -> StoredJob:
    id, state, held, options, *others = row
    return StoredJob(id, state, bool(held), json.loads(options), *others)
