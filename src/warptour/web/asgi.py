"""The words of ASGI, and Starlette: the one file that imports it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

from warptour.model.errors import MissingLibrary

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

MISSING = "{what} is served by Starlette and uvicorn: pip install 'warptour[web]'"


class Starlette(NamedTuple):
    """Modules of the library."""

    applications: ModuleType
    concurrency: ModuleType
    responses: ModuleType
    routing: ModuleType


def starlette(what: str) -> Starlette:
    """Return the library, which ``what`` is served by."""
    try:
        import starlette.applications as applications
        import starlette.concurrency as concurrency
        import starlette.responses as responses
        import starlette.routing as routing
    except ImportError:
        raise MissingLibrary(MISSING.format(what=what)) from None
    return Starlette(applications, concurrency, responses, routing)


def headers_of(scope: Scope) -> dict[str, str]:
    """Return the headers of a request."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
