"""Forms for runs, from the fields of the strategies: their types, defaults, ranges and descriptions."""

from __future__ import annotations

import inspect
import re
import types
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from warptour.io.generate import KINDS
from warptour.io.options import PATH, SHEETS, VEHICLES
from warptour.io.read import SUFFIXES
from warptour.io.reading import ReadOptions
from warptour.io.streets import TRAVEL
from warptour.kernels.cores import usable_cores
from warptour.model.option import Option, OptionRow, rows
from warptour.strategies.registry import STRATEGIES
from warptour.tours.starts.start import installed_starts

ENTRY: Final = re.compile(r"(\w+(?:, \w+)*) : ")
"""First line of an attribute in a numpydoc docstring."""

GROUPS: Final = ("", PATH, VEHICLES, TRAVEL, SHEETS)
"""Options of a file that the page offers, in its order."""
UPLOADS: Final = ("fleet", "matrix", "durations")
"""Options that name a file, which the page uploads."""
SERVER_FILES: Final = ("roads", "profile", "snap", "traffic", "osrm", "valhalla")
"""Options that the page does not offer: they name files of the server, or another server, or go with one of these."""
FIRST: Final = (
    "capacity", "vehicles", "fleet", "speed", "depart", "shift", "max_hours", "service_minutes",
)  # fmt: skip
"""Options that planners need first, in the order of the page."""
UNITS: Final = {"KMH": "km/h", "H": "hours", "MIN": "minutes", "MINUTES": "minutes"}
"""Units of options by what stands for their values."""


def group_of(row: OptionRow) -> str:
    """Return the heading of an option in the help."""
    assert isinstance(row.declared, Option)
    return row.declared.group


READING: Final = {
    row.word: row
    for group in GROUPS
    for row in rows(ReadOptions)
    if group_of(row) == group and row.name not in SERVER_FILES
}
"""Those options by the names that the page has for them."""

VEHICLE_STARTS: Final = ["savings"]


def forms() -> dict[str, Any]:
    """Return what runs can be made of."""
    return {
        "strategies": [strategy_form(kind) for kind in STRATEGIES.values()],
        "starts": {"tsp": installed_starts(), "vrp": VEHICLE_STARTS},
        "kinds": list(KINDS),
        "suffixes": list(SUFFIXES),
        "reading": [reading_form(word, READING[word]) for word in dict.fromkeys((*FIRST, *READING))],
        "cores": usable_cores(),
    }


def reading_form(word: str, row: OptionRow) -> dict[str, Any]:
    """Return the field of an option of a file."""
    assert isinstance(row.declared, Option)
    example = row.declared.metavar
    choices = example.split("|") if "|" in example and "..." not in example else []
    shape = {"type": "choice", "optional": True, "choices": choices} if choices else _type(row.kind)
    return {
        "name": word,
        **({"type": "file"} if row.name in UPLOADS else shape),
        "default": row.default,
        "help": row.declared.help,
        "unit": UNITS.get(example),
        "example": example if row.kind is str and not choices and row.name not in UPLOADS else None,
        "group": None if word in FIRST else group_of(row) or "Distances",
    }


def strategy_form(kind: Any) -> dict[str, Any]:
    """Return the name of a strategy, what it is, and its fields."""
    title = (inspect.getdoc(kind) or "").split("\n")[0]
    return {"name": kind.name, "iteration": kind.iteration, "title": title, "fields": field_forms(kind)}


def field_forms(kind: Any, prefix: str = "") -> list[dict[str, Any]]:
    """Return the fields of a strategy, those of a group as ``group.field``."""
    hints, texts = get_type_hints(kind), descriptions(kind)
    found: list[dict[str, Any]] = []
    for each in fields(kind):
        hint = hints[each.name]
        if is_dataclass(hint):
            inner = field_forms(hint, f"{prefix}{each.name}.")
            group = _default(each)
            for row in inner:
                row["default"] = getattr(group, row["name"].rpartition(".")[2])
            found += inner
        elif each.init:
            low, high = each.metadata.get("range", (None, None))
            shape = _type(hint)
            if each.name == "start" and shape["type"] == "text":
                shape["choices"] = installed_starts()
            found.append(
                {
                    "name": prefix + each.name,
                    **shape,
                    "default": _default(each),
                    "low": low,
                    "high": high,
                    "help": texts.get(each.name, ""),
                }
            )
    return found


def _default(each: Field[Any]) -> Any:
    if each.default is not MISSING:
        return each.default
    return each.default_factory() if each.default_factory is not MISSING else None


def _type(hint: Any) -> dict[str, Any]:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        known = [choice for choice in get_args(hint) if choice is not type(None)]
        return _type(known[0]) | {"optional": len(known) < len(get_args(hint))}
    if origin is Literal:
        return {"type": "choice", "choices": list(get_args(hint))}
    if origin is tuple:
        return {"type": "words"}
    return {"type": {bool: "boolean", int: "integer", float: "number"}.get(hint, "text")}


def descriptions(kind: Any) -> dict[str, str]:
    """Return the description of each attribute in a docstring."""
    _, _, section = (inspect.getdoc(kind) or "").partition("Attributes\n----------\n")
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in section.split("\n"):
        entry = ENTRY.match(line)
        if entry is not None:
            names = entry[1].split(", ")
        elif line.startswith("    "):
            for name in names:
                found.setdefault(name, []).append(line.strip())
        elif line.strip():
            break
    return {name: " ".join(lines) for name, lines in found.items()}
