"""The hardware description language Amaranth, imported at first use: ``hdl.Signal``, ``hdl.Module`` and so on."""

from __future__ import annotations

from typing import Any

from warptour.model.errors import MissingLibrary


def __getattr__(name: str) -> Any:
    """Return what Amaranth calls ``name``: of its language, its memories, its simulator or its RTLIL writer.

    Raises :class:`MissingLibrary` if Amaranth is not installed.
    """
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        import amaranth.back.rtlil
        import amaranth.hdl
        import amaranth.lib.memory
        import amaranth.sim
    except ImportError:
        raise MissingLibrary("hardware is described in Amaranth: pip install 'warptour[fpga]'") from None
    for place in (amaranth.lib.memory, amaranth.hdl, amaranth.sim, amaranth.back.rtlil):
        if name in place.__all__:
            return getattr(place, name)
    raise AttributeError(name)
