"""Values from the words of the command line."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin

from warptour.model.errors import UsageError

TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


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
