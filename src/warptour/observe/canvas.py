"""Figures by Matplotlib: the one place that imports it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

from warptour.io.files import write_atomic
from warptour.model.errors import MissingLibrary

SUFFIXES: Final = (".svg", ".png", ".pdf")
DOTS_PER_INCH: Final = 150
WIDE: Final = 1000
"""Ratio of the ends of a logarithmic axis from which on its ticks are powers of ten only, without 2 and 5."""

SETTINGS: Final = {
    "svg.fonttype": "none",
    "svg.hashsalt": "warptour",
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
    "text.parse_math": False,  # names may hold dollar signs
}


def is_installed() -> bool:
    """Return whether Matplotlib is there."""
    try:
        import matplotlib as mpl
    except ImportError:
        return False
    return mpl is not None


def library() -> Any:
    """Return Matplotlib, or raise :class:`MissingLibrary`."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingLibrary("plots are drawn by Matplotlib: pip install 'warptour[plot]'") from None
    return mpl


@contextmanager
def settings() -> Iterator[None]:
    """Draw inside this block without formulas in names, and without warnings of letters that the font lacks."""
    with library().rc_context(SETTINGS), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@contextmanager
def figure(width: float = 6.4, height: float = 3.6) -> Iterator[tuple[Any, Any]]:
    """Yield a figure and its axes, to be drawn and saved inside the block; sizes are in inches."""
    library()
    from matplotlib.figure import Figure

    with settings():
        drawn = Figure(figsize=(width, height), layout="constrained")
        yield drawn, drawn.subplots()


def shown_axes() -> Any:
    """Return the axes of a new figure that notebooks and ``pyplot.show`` display."""
    library()
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(9.0, 6.0), layout="constrained")[1]


def save(path: str | PathLike[str], drawn: Any) -> None:
    """Write a figure atomically, in the format of the suffix."""
    buffer = BytesIO()
    suffix = Path(fspath(path)).suffix.lower().removeprefix(".")
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(suffix)
    drawn.savefig(buffer, format=suffix, dpi=DOTS_PER_INCH, metadata=metadata)
    write_atomic(path, [buffer.getvalue()])


def logarithmic(axes: Any, side: str, values: Sequence[float]) -> None:
    """Make the axis ``x`` or ``y`` logarithmic, with ticks for the range of ``values``."""
    from matplotlib.ticker import LogLocator, NullLocator

    axis = axes.xaxis if side == "x" else axes.yaxis
    (axes.set_xscale if side == "x" else axes.set_yscale)("log")
    ticks = (1.0,) if max(values) >= WIDE * min(values) else (1.0, 2.0, 5.0)
    axis.set_major_locator(LogLocator(subs=ticks, numticks=99))
    axis.set_minor_locator(NullLocator())
