"""``--set FIELD=VALUE``: strategy parameters from the command line."""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from warptour.model.errors import UsageError
from warptour.search.strategy import Strategy
from warptour.strategies.registry import STRATEGIES

TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def configured(name: str | None, default: Strategy, settings: Sequence[str]) -> Strategy:
    """Return the strategy called ``name``, or else the type of ``default``, with ``settings`` applied.

    Each setting is ``FIELD=VALUE``; the value is converted according to the field's annotation.
    """
    if name is not None and name not in STRATEGIES:
        raise UsageError(f"unknown strategy {name!r}; there are {', '.join(STRATEGIES)}")
    kind: Any = type(default) if name is None else STRATEGIES[name]
    if not settings:
        plain: Strategy = default if name is None else kind()
        return plain
    known = _fields(kind)
    values: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {}
    texts: dict[str, str] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        key = key.strip().replace("-", "_")
        if not equals:
            raise UsageError(f"--set takes FIELD=VALUE, not {setting!r}; the fields of {kind.name} are {_list(known)}")
        if key not in known:
            raise UsageError(f"{kind.name} has no field {key!r}; its fields are {_list(known)}")
        if key in texts:
            raise UsageError(f"--set {key} is given twice: {texts[key]} and {text.strip()}")
        texts[key] = text.strip()
        group, dot, name_in_group = key.rpartition(".")
        place = groups.setdefault(group, {}) if dot else values
        place[name_in_group] = convert(texts[key], known[key], f"{kind.name}.{key}")
    try:
        for group, changes in groups.items():
            values[group] = replace(getattr(kind(), group), **changes)
        return kind(**values)  # type: ignore[no-any-return]
    except (TypeError, ValueError) as error:
        raise UsageError(f"{kind.name}: {error}") from None


def _fields(kind: Any) -> dict[str, Any]:
    """Return the annotation of each field by name, of nested groups as ``group.field``."""
    hints = get_type_hints(kind)
    found: dict[str, Any] = {}
    for field in fields(kind):
        annotation = hints[field.name]
        if is_dataclass(annotation):
            found |= {f"{field.name}.{name}": inner for name, inner in _fields(annotation).items()}
        elif field.init:
            found[field.name] = annotation
    return found


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


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
