"""The words of the command line, read by the table of a command's options, and the values that they say.

The standard library's argparse refuses values that begin with a dash, such as ``--from -a`` and ``--target -1e9``, and
its import takes longer than all that is read here.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, Union, get_args, get_origin

from warptour.model.errors import UsageError
from warptour.model.option import REQUIRED, Option, OptionRow

HELP: Final = OptionRow("help", bool, False, False, Option("Show this message and exit."), ("--help", "-h"), "")

TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def read_arguments(command: str, table: Sequence[OptionRow], words: Sequence[str]) -> dict[str, Any] | None:
    """Return the value of each row of a table by its name; None if the help is asked for.

    ``command`` is named in messages: ``warptour solve``.
    """
    try:
        given, others = _collected(table, words)
        if HELP.name in given:
            return None
        return _values(table, given | _placed(table, others))
    except _Misused as error:
        raise UsageError(f"{error} (see {command} --help)") from None


class _Misused(Exception):
    """Words that mean nothing to the command."""


def _collected(table: Sequence[OptionRow], words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the options as texts, lists of texts or flags, and the words that belong to none."""
    spelled = {name: row for row in (*table, HELP) for name in (*row.names, row.denial) if name}
    given: dict[str, Any] = {}
    others: list[str] = []
    for name, text in _pairs(words, spelled):
        row = spelled.get(name)
        if row is None:
            others.append(text)
        elif row.kind is bool:
            wanted = name != row.denial
            if given.setdefault(row.name, wanted) is not wanted:
                raise UsageError(f"{'/'.join(row.names)} and {row.denial} are both given")
        elif row.many:
            given.setdefault(row.name, []).append(text)
        elif row.name in given:
            raise UsageError(f"{'/'.join(row.names)} is given twice: {given[row.name]} and {text}")
        else:
            given[row.name] = text
    return given, others


def _pairs(words: Sequence[str], spelled: dict[str, OptionRow]) -> Iterator[tuple[str, str]]:
    """Yield each option with its text, empty for a flag; the words that belong to none with an empty option."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from (("", each) for each in rest)
        elif word == "-" or not word.startswith("-"):
            yield "", word
        elif word.startswith("--"):
            name, equals, text = word.partition("=")
            if not _is_flag(name, spelled):
                yield name, text if equals else _following(name, rest)
            elif equals:
                raise _Misused(f"{name} takes no value")
            else:
                yield name, ""
        else:
            for place, letter in enumerate(word[1:], 2):
                name = "-" + letter
                if not _is_flag(name, spelled):
                    yield name, word[place:] or _following(name, rest)
                    break
                yield name, ""


def _is_flag(name: str, spelled: dict[str, OptionRow]) -> bool:
    if name not in spelled:
        from difflib import get_close_matches  # its import would slow every start

        close = get_close_matches(name, spelled, 3)
        raise _Misused(f"there is no option {name}" + (f"; did you mean {' or '.join(close)}?" if close else ""))
    return spelled[name].kind is bool


def _following(name: str, rest: Iterator[str]) -> str:
    text = next(rest, None)
    if text is None:
        raise _Misused(f"{name} takes a value, and none follows")
    return text


def _placed(table: Sequence[OptionRow], others: list[str]) -> dict[str, Any]:
    """Return the arguments by their places."""
    found: dict[str, Any] = {}
    for row in table:
        if not row.names and others:
            found[row.name] = others if row.many else others[0]
            others = [] if row.many else others[1:]
    if others:
        raise _Misused(f"{others[0]!r} is a word too many")
    return found


def _values(table: Sequence[OptionRow], given: dict[str, Any]) -> dict[str, Any]:
    """Return what the texts say, and the defaults of what is not given."""
    found: dict[str, Any] = {}
    for row in table:
        text = given.get(row.name)
        if text is not None:
            found[row.name] = [_value(row, each) for each in text] if row.many else _value(row, text)
        elif row.default is REQUIRED:
            raise _Misused(f"{shown(row)} is missing")
        else:
            found[row.name] = row.default
    return found


def shown(row: OptionRow) -> str:
    """Return what an option or argument is called in messages."""
    return "/".join(row.names) or row.declared.metavar


def _value(row: OptionRow, text: Any) -> Any:
    if row.kind is bool:
        return text
    try:
        value = convert(text, row.kind, shown(row))
    except UsageError as error:
        raise _Misused(str(error)) from None
    if isinstance(row.declared, Option):
        low, high = row.declared.low, row.declared.high
        if (low is not None and not low <= value) or (high is not None and not value <= high):
            span = f"{low:g} or more" if high is None else f"from {low:g} to {high:g}"
            raise _Misused(f"{shown(row)} is {span}, not {text}")
    return value


def convert(text: str, annotation: Any, what: str) -> Any:
    """Return ``text`` converted to ``annotation``: a number, a Boolean, a word, a tuple of them, or None."""
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        choices = get_args(annotation)
        if type(None) in choices and text.lower() in ("none", ""):
            return None
        rest = [choice for choice in choices if choice is not type(None)]
        for choice in rest:
            try:
                return convert(text, choice, what)
            except UsageError:
                continue
        return convert(text, rest[0], what)
    if origin is Literal:
        words = {str(word): word for word in get_args(annotation)}
        if text not in words:
            raise UsageError(f"{what} is one of {', '.join(words)}, not {text!r}")
        return words[text]
    if origin is tuple:
        return tuple(convert(part.strip(), get_args(annotation)[0], what) for part in text.split(","))
    if annotation is bool:
        if text.lower() not in TRUTHS:
            raise UsageError(f"{what} is true or false, not {text!r}")
        return TRUTHS[text.lower()]
    if annotation in (int, float):
        try:
            return annotation(text.replace("_", "")) if annotation is float else _whole(text)
        except ValueError:
            noun = "a whole number" if annotation is int else "a number"
            raise UsageError(f"{what} is {noun}, not {text!r}") from None
    if annotation is str:
        return text
    raise UsageError(f"{what} cannot be set from the command line; use Python for it")


def _whole(text: str) -> int:
    """Return an integer written as ``1000``, ``1_000`` or ``1e3``."""
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():
            raise ValueError(text) from None
        return int(number)
