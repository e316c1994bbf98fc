"""The line that the page draws of a solution, computed by the page's own module in Chromium."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from documents import ROOT

STRIP = ROOT / "src" / "warptour" / "view" / "static" / "tour" / "strip.js"
PROGRAM = """async ([source, open]) => {
  const { strip } = await import("data:text/javascript," + encodeURIComponent(source));
  const [places, order] = [Float32Array.from([0, 0, 1, 0, 2, 0, 3, 0]), Int32Array.of(1, 2, 3)];
  const line = strip(places, { order, lengths: Int32Array.of(2, 1), depot: 0, open }, 0);
  return { along: [...line.shades].map((shade, i) => [line.positions[2 * i], shade]), firsts: [...line.firsts] };
}"""
"""Routes 1, 2 and 3 from the depot 0, all on a line: where each vertex is, its shade, and where routes begin."""
UP = 255


@pytest.mark.parametrize(
    ("is_open", "along", "firsts"),
    [
        (False, [[0, 1], [1, 1], [2, 1], [0, 1], [0, 2], [3, 2], [0, 2]], [0, 4, 7]),
        (True, [[0, 1], [1, 1], [2, 1], [2, UP], [0, UP], [0, 2], [3, 2]], [0, 5, 7]),
    ],
)
def test_open_routes_have_no_line_back(
    chromium: Callable[..., Any], is_open: bool, along: list[list[int]], firsts: list[int]
) -> None:
    context = chromium("--disable-gpu").new_context()
    found = context.new_page().evaluate(PROGRAM, [STRIP.read_text("utf-8"), is_open])
    context.close()
    assert found == {"along": along, "firsts": firsts}
