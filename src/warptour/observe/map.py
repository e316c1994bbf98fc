"""Maps as HTML pages: routes in colours, a layer per vehicle, and what is known of a stop in its pop-up.

Places on the Earth are shown on a street map, which loads tiles and Leaflet from the network; without one, the page
shows what it is for coordinates of a plane, where it is complete in itself.
"""

from __future__ import annotations

from os import PathLike
from typing import Final

from warptour.io.files import write_atomic
from warptour.model.metric import Nodes
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP, Routes
from warptour.observe import street_map
from warptour.observe.page import page
from warptour.observe.sketch import sketch_of

SUFFIXES: Final = (".html", ".htm")


def write_map(path: str | PathLike[str], problem: TSP | VRP, solution: Nodes | Routes) -> None:
    """Write a map of a solution.

    Raises
    ------
    UnsupportedError
        If the problem has no coordinates.
    """
    sketch = sketch_of(problem, solution)
    text = page(sketch)
    if problem.on_earth:
        text = street_map.page(sketch, offline=text)
    write_atomic(path, [text.encode("utf-8", "replace")])
