"""``warptour`` alone: what it can do with the files of the current folder."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from warptour.cli.help import ABOUT
from warptour.cli.show import show_rows
from warptour.io.fleets import is_fleet_sheet
from warptour.io.headers import measure_of, stop_columns

TOUR: Final = "solve {file} --seconds 10 -o {name}.tour", "a short tour"
TABLE: Final = "solve {file} --map {name}.html", "a round trip over its rows, or routes with --capacity or --fleet"
DEMANDS: Final = "solve {file} --capacity LOAD --map {name}.html", "routes of vehicles that carry so much each"
USES: Final = {
    ".tsp": TOUR,
    ".atsp": TOUR,
    ".vrp": ("solve {file} --seconds 10 -o {name}.sol", "cheap vehicle routes"),
    ".csv": TABLE,
    ".tsv": TABLE,
    ".xlsx": TABLE,
    ".gpx": ("solve {file} --map {name}.html", "a round trip over its points, on a map"),
    ".npy": ("info {file}", "points or distances"),
    ".txt": ("info {file}", "customers with time windows, if it is a benchmark's text"),
    ".jsonl": ("view {file}", "a recorded run, in the browser"),
    ".pbf": ("roads matrix STOPS --roads {file} -o {name}.npz", "driving times between stops"),
}
"""A command for files with a suffix, and what it gives."""

MOST: Final = 8
"""Files that are listed."""
HEADER: Final = 2000
"""Letters of a table's first line that are looked at."""

FIRST_STEPS: Final = {
    "warptour demo": "solve 1,000 cities and see the tour",
    "warptour example": "copy example files into this folder",
}
NEXT_STEPS: Final = {
    "warptour --help": "all commands; warptour COMMAND --help has the options of one",
    "warptour doctor": "what this machine has and lacks",
}


def show_here() -> int:
    """Print a command for each file of the current folder that can be read, and where to begin if there is none."""
    found = list(islice(_uses(Path.cwd()), MOST + 1))
    print(f"{ABOUT}\n")
    show_rows(dict(found[:MOST]) or FIRST_STEPS)
    if len(found) > MOST:
        print("...")
    print()
    show_rows(NEXT_STEPS)
    return 0


def _uses(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield a command for each file in ``folder`` whose suffix is known, and what it gives."""
    for path in sorted(folder.iterdir()):
        use = USES.get(path.suffix.lower())
        if use is None or path.name.startswith(".") or is_fleet_sheet(path.stem) or not path.is_file():
            continue
        words, about = DEMANDS if use is TABLE and _has_demands(path) else use
        file = f"./{path.name}" if path.name.startswith("-") else path.name
        name = file.removesuffix(path.suffix)
        yield shlex.join(["warptour", *(word.format(file=file, name=name) for word in words.split())]), about


def _has_demands(path: Path) -> bool:
    """Return whether the first line of a table names a column of demands; workbooks are not opened."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            header = re.split(r"[,;\t]", file.readline(HEADER))
    except OSError:
        return False
    return any(measure_of(cell.strip(' "\n'), stop_columns()["demand"]) is not None for cell in header)
