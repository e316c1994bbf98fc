"""Example files bundled with the package, used by the documentation."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from warptour.io.files import write_atomic
from warptour.io.source import quote
from warptour.model.errors import InputError, UsageError

FOLDER: Final = Path(__file__).parent.parent / "data"

EXAMPLES: Final = {
    "stops.csv": "48 stops in a town: name, lat, lon",
    "customers.csv": "a depot and 40 customers: name, x, y, demand",
    "deliveries.csv": "a depot and 80 customers: name, lat, lon, demand, service in minutes",
    "fleet.csv": "vehicles for deliveries.csv: bicycles, vans and a truck",
    "demo1000.tsp": "1,000 cities in clusters, TSPLIB",
}
"""Contents of each file."""


def copy_example(name: str) -> None:
    """Copy one example file into the current folder; raise if a different file is there."""
    if name not in EXAMPLES:
        raise UsageError(f"there is no example {quote(name)}; there are {', '.join(EXAMPLES)}")
    data = (FOLDER / name).read_bytes()
    here = Path(name)
    if here.exists():
        if not here.is_file() or here.read_bytes() != data:
            raise InputError("is here already and differs from the example; rename it or go to another folder", name)
        return
    write_atomic(here, [data])
