"""Load a service: many clients at once, and kills of the whole service meanwhile; every accepted job must be answered.

``python service.py [--clients 50] [--jobs 1000] [--stops 100] [--seconds 0.2] [--kills 0]`` starts ``warptour serve``
in a temporary folder. Each client sends a problem to ``POST /jobs``, asks until it has ended, checks that its answer
serves or lists every job, and sends the next. A client whose connection breaks asks again; a job is lost if the
service does not know it any more, or has no answer to it.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from warptour.observe.child import program

PORT = 3999
BROKEN = (OSError, http.client.HTTPException)
"""What a client sees of a service that is killed."""


@dataclass
class Tally:
    """What the clients have seen; the lock is for its changes."""

    left: int
    seconds: list[float] = field(default_factory=list)
    lost: int = 0
    wrong: int = 0
    attempts: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def problem(stops: int, seed: int) -> bytes:
    """Return a problem in VROOM's JSON: ``stops`` jobs in the plane, ten vehicles."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 3000, (stops + 1, 2))
    durations = np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))).astype(int)
    vehicles = [{"id": k, "start_index": 0, "end_index": 0, "capacity": [stops // 8]} for k in range(10)]
    jobs = [{"id": k, "location_index": k, "delivery": [1]} for k in range(1, stops + 1)]
    return json.dumps(
        {"vehicles": vehicles, "jobs": jobs, "matrices": {"car": {"durations": durations.tolist()}}}
    ).encode()


def ask(method: str, path: str, body: bytes | None = None) -> tuple[int, Any]:
    """Return the status and the JSON of an answer; while there is no service, ask again."""
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
        try:
            connection.request(method, path, body)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except BROKEN:
            time.sleep(0.2)
        finally:
            connection.close()


def client(tally: Tally, options: argparse.Namespace, seed: int) -> None:
    """Send jobs until there are enough."""
    while True:
        with tally.lock:
            if not tally.left:
                return
            tally.left -= 1
            number = tally.left
        began = time.perf_counter()
        status, job = ask("POST", f"/jobs?seconds={options.seconds}&seed={seed}", problem(options.stops, number))
        while status == 503:
            time.sleep(1.0)
            status, job = ask("POST", f"/jobs?seconds={options.seconds}&seed={seed}", problem(options.stops, number))
        while status < 300 and job["state"] in ("waiting", "running"):
            time.sleep(0.1)
            status, job = ask("GET", f"/jobs/{job['id']}")
        took = time.perf_counter() - began
        found, answer = ask("GET", f"/jobs/{job['id']}/answer") if status == 200 else (status, None)
        with tally.lock:
            tally.seconds.append(took)
            tally.lost += found != 200
            tally.wrong += found == 200 and not _is_whole(answer, options.stops)
            tally.attempts += job.get("attempts", 1) - 1 if status == 200 else 0


def _is_whole(answer: Any, stops: int) -> bool:
    """Return whether an answer serves every job once, or lists it."""
    served = [step["id"] for route in answer["routes"] for step in route["steps"] if step["type"] == "job"]
    return sorted(served + [each["id"] for each in answer["unassigned"]]) == list(range(1, stops + 1))


def start(folder: str) -> subprocess.Popen[bytes]:
    """Return a service that answers."""
    command = program("serve", "--port", str(PORT), "--folder", folder)
    service = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    ask("GET", "/health")
    return service


def main() -> int:
    """Run; return 0 if no job was lost."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--clients", type=int, default=50)
    words.add_argument("--jobs", type=int, default=1000)
    words.add_argument("--stops", type=int, default=100)
    words.add_argument("--seconds", type=float, default=0.2)
    words.add_argument("--kills", type=int, default=0)
    words.add_argument("--seed", type=int, default=0)
    options = words.parse_args()
    rng, tally = random.Random(options.seed), Tally(options.jobs)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as parent:
        folder = str(Path(parent, "jobs"))
        service = start(folder)
        clients = [threading.Thread(target=client, args=(tally, options, options.seed)) for _ in range(options.clients)]
        for each in clients:
            each.start()
        for kill in range(options.kills):
            target = options.jobs * (kill + rng.random()) / options.kills
            while len(tally.seconds) < target and any(each.is_alive() for each in clients):
                time.sleep(0.05)
            service.send_signal(signal.SIGKILL)
            service.wait()
            service = start(folder)
        for each in clients:
            each.join()
        service.terminate()
        code = service.wait()
    took = time.perf_counter() - began
    half, most = np.percentile(tally.seconds, [50, 99])
    print(
        f"{options.jobs} jobs of {options.stops} stops, {options.seconds:g} s each, {options.clients} clients, "
        f"{options.kills} kills: {took:.1f} s, {options.jobs / took:.2f} jobs/s; p50 {half:.2f} s, p99 {most:.2f} s; "
        f"{tally.lost} lost, {tally.wrong} incomplete, {tally.attempts} begun again; exit code {code}"
    )
    return int(tally.lost + tally.wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
