"""Kill random members of a run at random moments: the run must end well, with all that it had reported.

``python kills.py [--kills 100] [--cluster local:4] [FILE]`` runs ``warptour solve`` with a trace, sends SIGKILL to a
random child process of it again and again, and compares its result with the best that the trace had before.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from warptour.observe.child import program


def children(parent: int) -> list[int]:
    """Return the processes that ``parent`` has started, on Linux."""
    threads = Path(f"/proc/{parent}/task")
    lists = [folder / "children" for folder in threads.iterdir()] if threads.exists() else []
    return [int(word) for one in lists if one.exists() for word in one.read_text(encoding="ascii").split()]


def best_of(trace: Path) -> float:
    """Return the lowest cost that a trace tells."""
    lines = trace.read_text(encoding="utf-8").splitlines() if trace.exists() else []
    costs = [json.loads(line).get("cost") for line in lines if line.endswith("}")]
    return min((cost for cost in costs if cost is not None), default=float("inf"))


def main() -> int:
    """Run and kill; return 0 if nothing was lost."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("file", nargs="?", default="uniform:5000:1")
    words.add_argument("--cluster", default="local:4")
    words.add_argument("--kills", type=int, default=100)
    words.add_argument("--pause", type=float, default=1.0, help="mean seconds between two kills")
    words.add_argument("--seed", type=int, default=0)
    options = words.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        trace, output = Path(folder, "trace.jsonl"), Path(folder, "best.tour")
        seconds = options.kills * options.pause + 10
        command = program("solve", options.file, "--cluster", options.cluster)
        command += ["--seconds", str(seconds), "--trace", str(trace), "-o", str(output), "--json"]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        killed = 0
        while killed < options.kills and run.poll() is None:
            time.sleep(rng.uniform(0, 2 * options.pause))
            alive = children(run.pid)
            if alive:
                victim = rng.choice(alive)
                subprocess.run(["kill", f"-{signal.SIGKILL.value}", str(victim)], check=False, capture_output=True)
                killed += 1
        known = best_of(trace)
        answer, _ = run.communicate()
        result = json.loads(answer) if answer else {}
        well = run.returncode == 0 and output.exists() and result["cost"] <= known
    print(f"{killed} kills: exit code {run.returncode}, cost {result.get('cost')}, known at the last kill {known}")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
