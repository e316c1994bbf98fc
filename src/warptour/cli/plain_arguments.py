"""Command-line arguments of the plain kind, read without typer's own parser, whose imports outlast a small search.

What is not plain is left to typer and its messages: help, unknown or abbreviated options, bundled flags, options given
twice, numbers that do not look like one.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from warptour.cli.declare import Argument, Context, Declared, Option

NUMBERS: Final = {int: re.compile(r"\d{1,18}", re.ASCII), float: re.compile(r"\d+(\.\d*)?(e-?\d{1,3})?", re.ASCII)}
"""Numbers as they are usually written."""

PLAIN_FACTS: Final = frozenset(("metavar", "help", "show_default", "rich_help_panel"))
"""Facts of a declaration that do not change what a word means."""


class Meaning(NamedTuple):
    """What a word on the command line sets: a parameter, to a value of ``kind`` or, for a flag, to ``flag``."""

    name: str
    kind: Any
    flag: bool | None = None


def plain_arguments(command: Callable[..., Any], words: Sequence[str], owner: object) -> dict[str, Any] | None:
    """Return the arguments that ``words`` give to ``command``; None if typer has to read them.

    ``owner`` becomes ``obj`` of the command's context.
    """
    hints = get_type_hints(command, include_extras=True)
    given: dict[str, Any] = {}
    options: dict[str, Meaning] = {}
    places: list[str] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if hints[name] is Context:
            given[name] = Context(owner)
            continue
        if parameter.default is not inspect.Parameter.empty:
            given[name] = parameter.default
        kind, declared = _declared(hints[name])
        if isinstance(declared, Option):
            options |= _meanings(name, kind, declared)
        elif isinstance(declared, Argument) and kind is str and name not in given:
            places.append(name)
        else:
            return None
    found = _read(words, options)
    if found is None or len(found[1]) != len(places):
        return None
    given |= found[0] | dict(zip(places, found[1], strict=True))
    return given if given.keys() == hints.keys() - {"return"} else None


def _declared(hint: Any) -> tuple[Any, Declared | None]:
    """Return the type of a parameter without None, and its declaration; None for the latter if it is not plain."""
    kind, declared = (hint.__origin__, hint.__metadata__[0]) if hasattr(hint, "__metadata__") else (hint, None)
    kinds = [one for one in get_args(kind) if one is not NoneType] if NoneType in get_args(kind) else [kind]
    plain = len(kinds) == 1 and kinds[0] in (str, int, float, bool, list[str])
    if not plain or not isinstance(declared, Declared) or not PLAIN_FACTS.issuperset(declared.facts):
        return None, None
    return kinds[0], declared


def _meanings(name: str, kind: Any, declared: Option) -> dict[str, Meaning]:
    """Return what each word of an option means."""
    usual = "--" + name.replace("_", "-")
    words = declared.names or (f"{usual}/--no-{usual[2:]}" if kind is bool else usual,)
    if kind is not bool:
        return {word: Meaning(name, kind) for word in words}
    return {
        side: Meaning(name, kind, flag)
        for word in words
        for side, flag in zip(word.split("/"), (True, False), strict=False)
    }


def _read(words: Sequence[str], options: dict[str, Meaning]) -> tuple[dict[str, Any], list[str]] | None:
    """Return the values of the options in ``words``, and the other words; None if they are not plain."""
    values: dict[str, Any] = {}
    others: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "-" or not word.startswith("-"):
            others.append(word)
            continue
        head, equals, text = word.partition("=") if word.startswith("--") else (word, "", "")
        option = options.get(head)
        if option is None or (option.flag is not None and equals):
            return None
        if option.name in values and option.kind != list[str]:
            return None
        if option.flag is not None:
            values[option.name] = option.flag
            continue
        text = text if equals else next(rest, "")
        number = NUMBERS.get(option.kind)
        if not text or (text.startswith("-") and text != "-") or (number and not number.fullmatch(text)):
            return None
        if option.kind == list[str]:
            values.setdefault(option.name, []).append(text)
        else:
            values[option.name] = option.kind(text)
    return values, others
