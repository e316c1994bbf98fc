"""Declarations of options and arguments for typer, which is imported only where it has to read or explain them.

Commands whose start people wait for use it in place of typer's own: :mod:`warptour.cli.plain_arguments` reads their
usual arguments, and :func:`typed` turns the declarations into typer's for all else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_type_hints


class Declared:
    """An option or argument with the names and facts that typer is given."""

    def __init__(self, *names: str, **facts: Any) -> None:
        self.names = names
        self.facts = facts


class Option(Declared):
    """Stands for ``typer.Option``."""


class Argument(Declared):
    """Stands for ``typer.Argument``."""


class Context:
    """Stands for ``typer.Context``: what commands use of it."""

    def __init__(self, obj: Any) -> None:
        self.obj = obj


def spread(*names: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return a decorator of commands that have a dataclass of options among their parameters.

    The command line has its fields in the place of that parameter: those of ``names``, or all.
    """

    def decorated(command: Callable[..., int]) -> Callable[..., int]:
        hints = get_type_hints(command, include_extras=True)
        place = next(name for name, hint in hints.items() if is_dataclass(hint))
        group: Any = hints[place]
        inner = get_type_hints(group, include_extras=True)
        options = {
            field.name: inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=inner[field.name]
            )
            for field in fields(group)
            if not names or field.name in names
        }

        @wraps(command)
        def run(**named: Any) -> int:
            given = {name: named.pop(name) for name in options if name in named}
            return command(**named, **{place: group(**given)})

        signature = inspect.signature(command)
        parameters: list[inspect.Parameter] = []
        for name, one in signature.parameters.items():
            alone = one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
            parameters += options.values() if name == place else [alone]
        run.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": int}
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return run

    return decorated


def typed(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``command`` as typer takes it."""
    import typer

    def translated(hint: Any) -> Any:
        if hint is Context:
            return typer.Context
        declared = hint.__metadata__[0] if hasattr(hint, "__metadata__") else None
        if not isinstance(declared, Declared):
            return hint
        make: Any = typer.Option if isinstance(declared, Option) else typer.Argument
        return Annotated[hint.__origin__, make(*declared.names, **declared.facts)]

    @wraps(command)
    def run(*values: Any, **named: Any) -> Any:
        return command(*values, **named)

    hints = {name: translated(hint) for name, hint in get_type_hints(command, include_extras=True).items()}
    signature = inspect.signature(command)
    parameters = [one.replace(annotation=hints.get(name, one.annotation)) for name, one in signature.parameters.items()]
    run.__annotations__ = hints
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run
