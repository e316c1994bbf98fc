"""What tests of the page see: pixels of the map, costs, and how much detail is drawn."""

from __future__ import annotations

import io
import re
import time
from typing import Any

import numpy as np

PATIENCE = 90.0
"""Seconds after which the page is taken to hang."""

TOUR_LIGHT = (0x0B, 0x5C, 0x74)
"""Colour of tours in the light theme, ``--tour`` in theme.css."""


def pixels(page: Any) -> Any:
    """Return the map as an array of red, green and blue, without the row of its buttons."""
    import matplotlib.image as images

    picture = images.imread(io.BytesIO(page.locator(".map").screenshot()))
    return np.rint(255 * picture[60:, :, :3]).astype(int)


def ink(page: Any, colour: tuple[int, int, int] = TOUR_LIGHT) -> int:
    """Return the number of pixels of the map that are about of this colour."""
    return int((np.abs(pixels(page) - np.array(colour)).max(axis=2) < 70).sum())


def wait_for_change(page: Any, before: Any, share: float = 0.0) -> None:
    """Wait until more than this share of the numbers that :func:`pixels` returned ``before`` are others."""
    end = time.monotonic() + PATIENCE
    while (pixels(page) != before).mean() <= share:
        assert time.monotonic() < end, "the map has not changed"


def start_run(page: Any, seconds: float) -> None:
    """Start a run of the instance that is chosen."""
    page.locator(".summary").wait_for()
    page.get_by_label("search time").fill(str(seconds))
    page.get_by_role("button", name="Find routes").click()


def wait_for_end(page: Any) -> None:
    """Wait until the run of vehicles that is shown has ended, and its last plan is."""
    page.locator(".run-list li.current", has_text="ended").wait_for()
    page.wait_for_function(
        """() => {
          const [run, replay] = [document.querySelector(".run-list li.current"), document.querySelector(".replay")];
          const last = `traces/${run.dataset.trace}/tours/${replay.querySelector("input").max}`;
          const cost = run.querySelector(".choose .figures").textContent;
          return replay.querySelector("output").textContent.endsWith(` ${cost}`)
            && document.querySelector(".routes").dataset.tour === last;
        }"""
    )
    page.locator('canvas.lines[data-detail="full"]').wait_for()


def cost_of(page: Any) -> float:
    """Return the cost of the run that is shown."""
    return float(page.locator(".run-list li.current .choose .figures").inner_text().replace(",", ""))


def falls(page: Any) -> list[list[float]]:
    """Return how high each curve of the chart stands after each of its improvements."""
    paths = [curve.get_attribute("d") for curve in page.locator(".chart path.series").all()]
    return [[-float(down) for down in re.findall(r"(?:^M\S+ |V)([\d.]+)", path)] for path in paths]


def wait_for_detail(page: Any, vertices: int) -> None:
    """Wait until so many vertices are drawn in full detail, and shown."""
    page.locator(f'canvas.lines[data-detail="full"][data-vertices="{vertices}"]').wait_for()
    page.evaluate("() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))")
