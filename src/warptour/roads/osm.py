"""The one place that imports osmium, which reads and writes OpenStreetMap's formats."""

from __future__ import annotations

from typing import Any

from warptour.model.errors import MissingLibrary


def library() -> Any:
    """Return the module ``osmium``, or raise :class:`MissingLibrary`."""
    try:
        import osmium
    except ImportError:
        raise MissingLibrary("OpenStreetMap extracts are read by osmium: pip install 'warptour[roads]'") from None
    return osmium
