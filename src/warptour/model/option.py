"""Options as they are declared: once, in the annotation of the field or parameter that they set.

``capacity: Annotated[float | None, Option("What one vehicle carries.")] = None`` gives the name, type, default and help
of ``--capacity``; :func:`rows` reads them off for the command line, its help, and the view's forms.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from typing import Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

REQUIRED: Final = MISSING
"""Default of what must be given."""

PLAIN: Final = (str, bool, int, float)
"""Types of values that a word of the command line can be."""


class Argument(NamedTuple):
    """Declares a word that is known by its place."""

    help: str
    metavar: str  # what stands for the value in the help


class Option(NamedTuple):
    """Declares an option."""

    help: str
    # spellings where they are not the field's name with two dashes: ``--output -o``; a flag that can be denied is
    # ``--latlon/--no-latlon``
    names: str = ""
    metavar: str = ""  # what stands for the value in the help; by default its type
    group: str = ""  # heading in the help
    # low, high: range of a number
    low: float | None = None
    high: float | None = None


class OptionRow(NamedTuple):
    """What is known of one option or argument."""

    name: str  # the field or parameter that it sets
    kind: Any  # one of :data:`PLAIN`
    many: bool  # whether it may be repeated; its value is a list
    default: Any  # or :data:`REQUIRED`
    declared: Option | Argument
    names: tuple[str, ...]  # spellings; empty for an argument
    denial: str  # spelling that sets a flag to False, if there is one

    @property
    def word(self) -> str:
        """The longest spelling without its dashes, as a name: ``max_distance``."""
        return max(self.names, key=len).removeprefix("--").replace("-", "_")


def row_of(name: str, hint: Any, default: Any) -> OptionRow | None:
    """Return what an annotation declares; None if it declares no option."""
    declared = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Option | Argument)), None)
    if declared is None:
        return None
    kind, many = _kind(hint.__origin__)
    if isinstance(declared, Argument):
        return OptionRow(name, kind, many, default, declared, (), "")
    spelled, _, denial = (declared.names or "--" + name.replace("_", "-")).partition("/")
    return OptionRow(name, kind, many, default, declared, tuple(spelled.split()), denial)


def rows(group: Any, names: Iterable[str] | None = None) -> Iterator[OptionRow]:
    """Yield the options that the fields of a dataclass declare: those in ``names``, or all."""
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        found = row_of(field.name, hints[field.name], field.default)
        if found is not None and (names is None or field.name in names):
            yield found


def _kind(hint: Any) -> tuple[Any, bool]:
    """Return the type of the words for an annotation, and whether it is a list; any word is a text, if that will do."""
    choices = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    plain = next((kind for kind in PLAIN if kind in choices), None)
    if plain is not None:
        return plain, False
    return next(get_args(each)[0] for each in choices if get_origin(each) is list), True
