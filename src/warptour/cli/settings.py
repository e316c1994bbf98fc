"""``--set FIELD=VALUE``: strategy parameters from the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_type_hints

from warptour.cli.arguments import convert
from warptour.model.errors import UsageError
from warptour.search.strategy import Strategy
from warptour.strategies.registry import known_strategy


def configured(name: str | None, default: Strategy, settings: Sequence[str]) -> Strategy:
    """Return the strategy called ``name``, or else the type of ``default``, with ``settings`` applied.

    Each setting is ``FIELD=VALUE``; the value is converted according to the field's annotation.
    """
    kind: Any = type(default) if name is None else known_strategy(name)
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


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
