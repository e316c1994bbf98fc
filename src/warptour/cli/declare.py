"""Declarations of options and arguments for typer, which is imported only where it has to read or explain them.

Commands whose start people wait for use it in place of typer's own: :mod:`warptour.cli.plain_arguments` reads their
usual arguments, and :func:`typed` turns the declarations into typer's for all else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
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
