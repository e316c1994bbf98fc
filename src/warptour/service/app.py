"""Requests and their answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from warptour._version import __version__
from warptour.observe.trace_lines import TraceLines
from warptour.service.openapi import PARAMETERS, description, page
from warptour.service.process import INFEASIBLE, SHORTAGE
from warptour.service.queue import JobQueue
from warptour.service.store import StoredJob
from warptour.web.asgi import App, starlette
from warptour.web.refusal import Refusal, explained, missing

NEWS_SECONDS: Final = 0.25
"""Seconds between two looks for news."""
ALIVE_SECONDS: Final = 10.0
"""Maximum silence of an event stream in seconds, after which proxies might close it."""
LISTED: Final = 100
"""Jobs in a list."""
BAD_INPUT: Final = 2
"""Exit code of a request that cannot be planned."""

Handler = Callable[[Any], Awaitable[Any]]


class Service:
    """What answers requests with a queue of jobs."""

    def __init__(self, queue: JobQueue) -> None:
        self.queue = queue
        self.metrics = queue.metrics
        self._library = starlette("the service")

    def application(self, on_start: Callable[[], None]) -> App:
        """Return the ASGI application; ``on_start`` is called in its loop."""
        routes = self._library.routing.Route

        @asynccontextmanager
        async def lifespan(_: Any) -> AsyncIterator[None]:
            self.queue.start()
            on_start()
            yield

        calls: list[tuple[str, str, Handler]] = [
            ("POST", "/", self._plan),
            ("POST", "/jobs", self._add),
            ("GET", "/jobs", self._list),
            ("GET", "/jobs/{id}", self._show),
            ("DELETE", "/jobs/{id}", self._remove),
            ("GET", "/jobs/{id}/answer", self._answer),
            ("POST", "/jobs/{id}/stop", self._stop),
            ("GET", "/health", self._health),
            ("GET", "/metrics", self._metrics),
            ("GET", "/openapi.json", self._openapi),
            ("GET", "/docs", self._docs),
        ]
        found = [routes(path, self._guarded(handler), methods=[method]) for method, path, handler in calls]
        unknown = {404: self._unknown, 405: self._unknown}
        application = self._library.applications.Starlette(routes=found, exception_handlers=unknown, lifespan=lifespan)
        application.router.redirect_slashes = False
        answers: App = application
        return answers

    def _guarded(self, handler: Handler) -> Handler:
        """Return a handler whose errors are answers, and whose answers are counted."""

        async def answer(request: Any) -> Any:
            try:
                response = await handler(request)
            except Exception as error:
                status, line = explained(error)
                response = self._json(_fault(status, line), status)
                if status == 503:
                    response.headers["retry-after"] = "1"
            self.metrics.request(response.status_code)
            return response

        return answer

    async def _plan(self, request: Any) -> Any:
        """Answer with the plan; end the job when its client goes."""
        id = await self._accepted(request, held=True)
        ended = asyncio.create_task(self.queue.ended_job(id))
        while not ended.done() and not await request.is_disconnected():
            await asyncio.wait([ended], timeout=NEWS_SECONDS)
        if not ended.done():
            await self.queue.remove(id)
        await ended
        job, answer = self.queue.store.job(id), self.queue.store.answer(id)
        await self.queue.remove(id)
        if job is None:
            raise Refusal(503, "the client has gone")
        if job.state == "waiting":
            raise Refusal(503, "the service ends")
        if answer is None:
            raise _refusal(job)
        return self._library.responses.Response(answer, media_type="application/json")

    async def _add(self, request: Any) -> Any:
        id = await self._accepted(request, held=False)
        job = self._job(id)
        return self._json(self._facts(job), 202, {"location": f"/jobs/{id}"})

    async def _list(self, request: Any) -> Any:
        return self._json([self._facts(job) for job in self.queue.store.latest(LISTED)])

    async def _show(self, request: Any) -> Any:
        job = self._job(request.path_params["id"])
        if "text/event-stream" not in request.headers.get("accept", ""):
            return self._json(self._facts(job))
        return self._library.responses.StreamingResponse(self._news(request, job), media_type="text/event-stream")

    async def _remove(self, request: Any) -> Any:
        await self.queue.remove(self._job(request.path_params["id"]).id)
        return self._library.responses.Response(status_code=204)

    async def _answer(self, request: Any) -> Any:
        job = self._job(request.path_params["id"])
        answer = self.queue.store.answer(job.id)
        if answer is None:
            raise Refusal(409, job.message if job.state == "failed" else f"the job is {job.state}")
        return self._library.responses.Response(answer, media_type="application/json")

    async def _stop(self, request: Any) -> Any:
        job = self._job(request.path_params["id"])
        task = asyncio.create_task(self.queue.stop(job.id))
        self._stopping = task  # a task that nobody holds may vanish
        return self._json(self._facts(job), 202)

    async def _health(self, request: Any) -> Any:
        ends = self.queue.closing
        counts = self.queue.store.counts()
        facts = {"status": "ends" if ends else "ok", "version": __version__}
        return self._json(facts | {each: counts[each] for each in ("waiting", "running")}, 503 if ends else 200)

    async def _metrics(self, request: Any) -> Any:
        text = self.metrics.text(self.queue.store.counts())
        return self._library.responses.Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    async def _openapi(self, request: Any) -> Any:
        return self._json(description())

    async def _docs(self, request: Any) -> Any:
        return self._library.responses.HTMLResponse(page())

    async def _unknown(self, request: Any, error: Exception) -> Any:
        status = getattr(error, "status_code", 404)
        self.metrics.request(status)
        return self._json(_fault(status, "there is nothing here: see /docs"), status)

    async def _accepted(self, request: Any, *, held: bool) -> str:
        """Return the name of the job that a request asks for."""
        if self.queue.closing:
            raise Refusal(503, "the service ends")
        options = self._options(request.query_params)
        body = await self._body(request)
        if self.queue.store.counts()["waiting"] >= self.queue.limits.max_waiting:
            raise Refusal(503, f"{self.queue.limits.max_waiting} jobs wait already")
        id = await asyncio.to_thread(self.queue.store.add, body, options, held)
        self.queue.wake()
        return id

    async def _body(self, request: Any) -> bytes:
        most, body = self.queue.limits.body_bytes, bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise Refusal(413, f"a request has at most {self.queue.limits.max_megabytes:g} MB")
        try:
            content = await asyncio.to_thread(json.loads, body)
        except (ValueError, RecursionError):
            raise Refusal(400, "the body is no JSON") from None
        if not isinstance(content, dict):
            raise Refusal(400, "the body is no JSON object")
        return bytes(body)

    def _options(self, query: Any) -> dict[str, float]:
        """Return the options of ``solve`` that a query says."""
        found = {}
        for name, text in query.multi_items():
            if name not in PARAMETERS:
                raise Refusal(400, f"there is no parameter {name}: give {' or '.join(PARAMETERS)}")
            if name in found:
                raise Refusal(400, f"{name} is given twice")
            try:
                found[name] = float(text) if name == "seconds" else int(text)
            except ValueError:
                raise Refusal(400, f"{name} is {PARAMETERS[name][0]}, not {text!r}") from None
        limits = self.queue.limits
        seconds = found.setdefault("seconds", limits.seconds) if limits.seconds is not None else found.get("seconds")
        if seconds is not None and not 0 < seconds <= limits.max_seconds:
            raise Refusal(400, f"seconds are above 0 and at most {limits.max_seconds:g}")
        return found

    def _job(self, id: str) -> StoredJob:
        job = self.queue.store.job(id)
        if job is None:
            raise missing("job")
        return job

    def _facts(self, job: StoredJob) -> dict[str, Any]:
        """Return what is said of a job."""
        done = job.state == "done"
        return {
            "id": job.id,
            "state": job.state,
            "attempts": job.attempts,
            "arrived": job.arrived,
            "began": job.began,
            "ended": job.ended,
            "message": job.message,
            "answer": f"/jobs/{job.id}/answer" if done else None,
        }

    async def _news(self, request: Any, job: StoredJob) -> AsyncIterator[str]:
        """Yield server-sent events: improvements of a job as they come, and its end."""
        seen, quiet, trace = 0, 0.0, None
        ended = asyncio.create_task(self.queue.ended_job(job.id))
        try:
            while not await request.is_disconnected():
                over = ended.done()
                path = self.queue.trace(job.id)
                if trace is None and path is not None and path.exists():
                    trace = TraceLines(path)
                if trace is not None:
                    await asyncio.to_thread(trace.grow)
                    for line in trace.lines[seen:]:
                        if line["event"] == "improvement":
                            quiet = 0.0
                            yield _event("improvement", line)
                    seen = len(trace.lines)
                if over:
                    last = self.queue.store.job(job.id)
                    yield _event("end", {"state": "removed"} if last is None else self._facts(last))
                    return
                if quiet >= ALIVE_SECONDS:
                    quiet = 0.0
                    yield ": alive\n\n"
                quiet += NEWS_SECONDS
                await asyncio.wait([ended], timeout=NEWS_SECONDS)
        finally:
            ended.cancel()

    def _json(self, content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Any:
        return self._library.responses.JSONResponse(content, status, headers)


def _event(name: str, facts: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(facts)}\n\n"


def _fault(status: int, line: str) -> dict[str, Any]:
    return {"code": 1 if status in (500, 507) else BAD_INPUT, "error": line}


def _refusal(job: StoredJob) -> Refusal:
    """Return the answer to a request whose job failed."""
    status = {BAD_INPUT: 400, INFEASIBLE: 422, SHORTAGE: 507}.get(job.code or 0, 500)
    return Refusal(status, job.message)
