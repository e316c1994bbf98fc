"""HiGHS, the solver of linear programs: the one place that imports it here."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, cast

from warptour.model.errors import MissingLibrary


def require_highs(what: str) -> None:
    """Raise :class:`MissingLibrary` where HiGHS is not installed; ``what`` needs it."""
    if find_spec("highspy") is None:
        raise MissingLibrary(f"{what} need HiGHS: pip install 'warptour[highs]'")


def quiet_solver() -> tuple[Any, Any]:
    """Return a solver with one thread that neither prints nor presolves, and what its statuses are called."""
    import highspy

    solver: Any = cast(Any, highspy).Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("parallel", "off"), ("presolve", "off")):
        solver.setOptionValue(option, value)
    return solver, highspy.HighsModelStatus
