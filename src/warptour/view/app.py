"""Routes and answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final, TypeAlias

from warptour.view.exports import Download, cost_file, driver_sheets, solution_file
from warptour.view.folder import Upload
from warptour.view.forms import forms
from warptour.view.problems import coordinates, drawn_norm, node_facts
from warptour.view.session import Session
from warptour.web.asgi import starlette
from warptour.web.refusal import Refusal, explained

STATIC: Final = Path(__file__).parent / "static"
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
BODY_BYTES: Final = 2**20
"""Maximum bytes of a JSON body."""
NEWS_SECONDS: Final = 0.2
"""Seconds between two looks for news."""
ALIVE_SECONDS: Final = 10.0
"""Maximum silence of the event stream in seconds, after which proxies might close it."""

Parts: TypeAlias = Mapping[str, str]
Answer: TypeAlias = dict[str, Any] | bytes | Download
Handler: TypeAlias = Callable[[Session, Parts, Parts, Any], Answer]
"""Takes the session, the parts of the path, the query and the body."""


def start_run(session: Session, wanted: Any) -> dict[str, Any]:
    """Start a run; return what the page is told of it."""
    return session.run_facts(session.start(wanted))


def stop_run(session: Session, id: str) -> dict[str, Any]:
    """Ask a run to end; return what the page is told of it."""
    run = session.run(id)
    run.stop()
    return session.run_facts(run)


def lines(session: Session, id: str, query: Parts) -> dict[str, Any]:
    """Return lines of a trace."""
    found, following = session.trace(id).lines(_count(query, "after"))
    return {"lines": found, "next": following}


def frames(session: Session, id: str, query: Parts) -> dict[str, Any]:
    """Return the seconds, costs and numbers of routes of the tours of a trace."""
    found, following = session.trace(id).frames(_count(query, "after"))
    return {"frames": found, "next": following}


def problem_coordinates(session: Session, id: str) -> bytes:
    """Return the coordinates of a problem."""
    problem = session.problem(id).problem
    return coordinates(problem.map, drawn_norm(problem))


def remove(action: Callable[[str], None], id: str) -> dict[str, Any]:
    """Remove something; return an empty answer."""
    action(id)
    return {}


ROUTES: Final[list[tuple[str, str, Handler]]] = [
    ("GET", "/api/session", lambda s, p, q, b: s.facts()),
    ("GET", "/api/forms", lambda s, p, q, b: forms()),
    ("GET", "/api/devices", lambda s, p, q, b: s.devices()),
    ("POST", "/api/problems", lambda s, p, q, b: s.read(b).facts()),
    ("GET", "/api/problems/{id}/coordinates", lambda s, p, q, b: problem_coordinates(s, p["id"])),
    ("GET", "/api/problems/{id}/nodes/{k}", lambda s, p, q, b: node_facts(s.problem(p["id"]).problem, _index(p))),
    ("POST", "/api/runs", lambda s, p, q, b: start_run(s, b)),
    ("POST", "/api/runs/{id}/stop", lambda s, p, q, b: stop_run(s, p["id"])),
    ("DELETE", "/api/runs/{id}", lambda s, p, q, b: remove(s.remove_run, p["id"])),
    ("POST", "/api/traces", lambda s, p, q, b: s.open_upload(b).facts()),
    ("DELETE", "/api/traces/{id}", lambda s, p, q, b: remove(s.remove_trace, p["id"])),
    ("GET", "/api/traces/{id}/lines", lambda s, p, q, b: lines(s, p["id"], q)),
    ("GET", "/api/traces/{id}/frames", lambda s, p, q, b: frames(s, p["id"], q)),
    ("GET", "/api/traces/{id}/coordinates", lambda s, p, q, b: s.trace(p["id"]).coordinates()),
    ("GET", "/api/traces/{id}/nodes/{k}", lambda s, p, q, b: s.trace(p["id"]).node(_index(p))),
    ("GET", "/api/traces/{id}/tours/{k}", lambda s, p, q, b: s.trace(p["id"]).tour(_index(p))),
    ("GET", "/api/traces/{id}/tours/{k}/routes", lambda s, p, q, b: s.trace(p["id"]).plan(_index(p))),
    (
        "GET",
        "/api/traces/{id}/tours/{k}/routes/{r}",
        lambda s, p, q, b: s.trace(p["id"]).stops(_index(p), _count(p, "r")),
    ),
    ("POST", "/api/traces/{id}/tours/{k}/change", lambda s, p, q, b: s.change(p["id"], _index(p), b).facts()),
    ("GET", "/api/traces/{id}/tours/{k}/sheets", lambda s, p, q, b: driver_sheets(s.trace(p["id"]), _index(p))),
    (
        "GET",
        "/api/traces/{id}/tours/{k}/export",
        lambda s, p, q, b: solution_file(s.trace(p["id"]), _index(p), q.get("format", "")),
    ),
    ("GET", "/api/traces/{id}/costs.csv", lambda s, p, q, b: cost_file(s.trace(p["id"]))),
]

SLOW: Final = {("POST", "/api/problems"), ("POST", "/api/traces"), ("GET", "/api/devices")}
"""Routes that may take long: of each, one request at a time has a thread, so that others are left for the rest."""


def _count(query: Parts, name: str) -> int:
    text = query.get(name, "0")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise Refusal(400, f"{name} is a number from 0")
    return int(text)


def _index(parts: Parts) -> int:
    return _count(parts, "k")


def application(session: Session) -> Any:
    """Return the ASGI application of a session, without its guard."""
    applications, concurrency, responses, routing = starlette("the view")

    def endpoint(method: str, path: str, handler: Handler) -> Any:
        turn = asyncio.Lock() if (method, path) in SLOW else nullcontext()

        async def answer(request: Any) -> Any:
            try:
                body = await _json_body(request) if method == "POST" else None
                async with turn:
                    found = await concurrency.run_in_threadpool(
                        handler, session, request.path_params, request.query_params, body
                    )
                return await concurrency.run_in_threadpool(_response, responses, found)
            except Exception as error:
                return _failure(responses, error)

        return answer

    async def upload(request: Any) -> Any:
        try:
            taken = await _upload(session, request)
        except Exception as error:
            return _failure(responses, error)
        return responses.JSONResponse({"file": taken.id, "name": taken.name, "bytes": taken.size})

    async def events(request: Any) -> Any:
        return responses.StreamingResponse(_news(session, request, concurrency), media_type="text/event-stream")

    async def unknown(request: Any, error: Exception) -> Any:
        return responses.JSONResponse({"error": "there is nothing here"}, getattr(error, "status_code", 404))

    routes = [
        routing.Route(path, endpoint(method, path, handler), methods=[method]) for method, path, handler in ROUTES
    ]
    routes += [routing.Route("/api/files", upload, methods=["POST"]), routing.Route("/api/events", events)]
    routes += [routing.Route(path, _sender(responses, file)) for path, file in _static_files().items()]
    app = applications.Starlette(routes=routes, exception_handlers={404: unknown, 405: unknown})
    app.router.redirect_slashes = False
    return app


def _response(responses: Any, answer: Answer) -> Any:
    """Return the answer of a handler as a response."""
    if isinstance(answer, bytes):
        return responses.Response(answer, media_type="application/octet-stream")
    if isinstance(answer, Download):
        given = {"content-disposition": f'attachment; filename="{answer.name}"'}
        return responses.Response(answer.data, media_type=answer.type, headers=given)
    return responses.JSONResponse(answer)


def _failure(responses: Any, error: Exception) -> Any:
    status, line = explained(error)
    return responses.JSONResponse({"error": line}, status)


def _static_files() -> dict[str, Path]:
    """Return the files of the page by their paths on the server."""
    files = (path for path in STATIC.rglob("*") if path.suffix in TYPES)
    return {f"/static/{path.relative_to(STATIC).as_posix()}": path for path in files} | {"/": STATIC / "index.html"}


def _sender(responses: Any, path: Path) -> Callable[[Any], Awaitable[Any]]:
    """Return what answers with a file of the page."""

    async def send(request: Any) -> Any:
        return responses.Response(path.read_bytes(), media_type=TYPES[path.suffix])

    return send


async def _json_body(request: Any) -> Any:
    """Return the JSON object of a request."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/json", ""):
        raise Refusal(415, "a request is JSON")
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > BODY_BYTES:
            raise Refusal(413, "this request is too long")
    try:
        body = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        raise Refusal(400, "a request is JSON") from None
    if not isinstance(body, dict):
        raise Refusal(400, "a request is a JSON object")
    return body


async def _upload(session: Session, request: Any) -> Upload:
    """Keep an uploaded file in the private folder."""
    name = request.query_params.get("name", "")[:1000] or "file"
    id, folder = session.new_id("f"), session.folder
    path, size = folder.place(id, name), 0
    try:
        with open(path, "xb") as file:
            async for chunk in request.stream():
                folder.claim(len(chunk), size + len(chunk))
                size += len(chunk)
                await asyncio.to_thread(file.write, chunk)
    except BaseException:
        folder.release(path, size)
        raise
    taken = Upload(id, path.name, path, size)
    session.files[id] = taken
    return taken


async def _news(session: Session, request: Any, concurrency: Any) -> AsyncIterator[str]:
    """Yield server-sent events: traces and runs that have changed."""
    seen: dict[str, Any] = {}
    quiet = 0.0
    while not session.closed and not await request.is_disconnected():
        news = await concurrency.run_in_threadpool(session.news, seen)
        if any(news.values()) or not quiet:
            yield f"data: {json.dumps(news, allow_nan=False)}\n\n"
        elif quiet % ALIVE_SECONDS < NEWS_SECONDS:
            yield ": alive\n\n"
        quiet += NEWS_SECONDS
        await asyncio.sleep(NEWS_SECONDS)
