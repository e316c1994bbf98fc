"""Messages as data: JSON that names dataclasses and their fields, and arrays. Reading one runs no code of its sender.

A dataclass is made without its constructor. It is warptour's own, or of a module that the reader has loaded, unless the
sender may name modules to import: the process that started this one may, and Ray, which runs what it is sent anyway.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Arrays: TypeAlias = list[NDArray[Any]]

PLAIN: Final = (type(None), bool, int, float, str)
KINDS: Final = "biufU"
"""Kinds of arrays: Booleans, numbers and text."""
OWN: Final = tuple(
    f"warptour.{layer}." for layer in ("cluster", "strategies", "tours", "routes", "papers", "search", "model")
)
"""Modules of warptour with classes that are sent; they may not be loaded yet."""


def encode(value: object, arrays: Arrays) -> bytes:
    """Return ``value`` as JSON; its arrays are appended to ``arrays``. Raises TypeError for what is no data."""

    def tree(one: Any) -> Any:
        kind = type(one)
        if kind in PLAIN:
            return one
        if kind is list:
            return [tree(each) for each in one]
        if kind is tuple:
            return {"tuple": [tree(each) for each in one]}
        if kind is dict:
            return {"dict": [[tree(key), tree(each)] for key, each in one.items()]}
        if kind is bytes:
            arrays.append(np.frombuffer(one, np.uint8))
            return {"bytes": len(arrays) - 1}
        if isinstance(one, np.ndarray | np.generic) and one.dtype.kind in KINDS:
            arrays.append(np.asarray(one))
            return {"array": len(arrays) - 1, "scalar": isinstance(one, np.generic)}
        if isinstance(one, BaseException):
            return {"error": name_of(kind), "args": tree(one.args), "facts": tree(vars(one))}
        return {"class": name_of(kind), "fields": {name: tree(getattr(one, name)) for name in _fields(kind)}}

    return json.dumps(tree(value)).encode()


def decode(text: bytes, arrays: Sequence[NDArray[Any]], imports: bool = False) -> Any:
    """Return the value that :func:`encode` was given; ``imports`` says whether its sender may name modules to import.

    Raises various errors if it is none.
    """

    def value(one: Any) -> Any:
        if isinstance(one, list):
            return [value(each) for each in one]
        if not isinstance(one, dict):
            return one
        match one:
            case {"tuple": each}:
                return tuple(map(value, each))
            case {"dict": pairs}:
                return {value(key): value(each) for key, each in pairs}
            case {"bytes": place}:
                return arrays[place].tobytes()
            case {"array": place, "scalar": scalar}:
                return arrays[place][()] if scalar else arrays[place]
            case {"error": name, "args": args, "facts": facts}:
                return _error(find(name), value(args), value(facts))
            case {"class": name, "fields": given}:
                return _made(find(name), {key: value(each) for key, each in given.items()})
        raise ValueError(f"unknown kind of value: {', '.join(one)}")

    def find(name: str) -> Any:
        module, _, path = name.partition(":")
        if imports or module.startswith(OWN):
            import_module(module)
        found: Any = sys.modules[module]
        for part in path.split("."):
            found = vars(found)[part]
        return found

    return value(json.loads(text))


def name_of(kind: type) -> str:
    """Return the module and name of a class."""
    return f"{kind.__module__}:{kind.__qualname__}"


def _fields(kind: type) -> Sequence[str]:
    """Return the fields of a dataclass or named tuple."""
    if is_dataclass(kind):
        return [field.name for field in fields(kind)]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        names: Sequence[str] = kind._fields
        return names
    raise TypeError(f"{kind.__qualname__} is neither data nor a dataclass")


def _made(kind: Any, given: dict[str, Any]) -> Any:
    if not isinstance(kind, type) or set(_fields(kind)) != given.keys():
        raise TypeError(f"{kind} has other fields than {', '.join(given)}")
    if issubclass(kind, tuple):
        return tuple.__new__(kind, [given[name] for name in _fields(kind)])
    made = object.__new__(kind)
    for name, each in given.items():
        object.__setattr__(made, name, each)
    return made


def _error(kind: Any, args: tuple[Any, ...], facts: dict[str, Any]) -> BaseException:
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        raise TypeError(f"{kind} is no error")
    error = BaseException.__new__(kind, *args)
    error.__dict__.update(facts)
    return error
