"""The service described: as OpenAPI, and as a page that needs no network."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from warptour._version import __version__

JOB: Final = {
    "type": "object",
    "required": ["id", "state", "attempts", "arrived"],
    "properties": {
        "id": {"type": "string"},
        "state": {"enum": ["waiting", "running", "done", "failed"]},
        "attempts": {"type": "integer", "description": "above 1 after the service itself ended while the job ran"},
        "arrived": {"type": "number", "description": "seconds since 1970, as began and ended"},
        "began": {"type": ["number", "null"]},
        "ended": {"type": ["number", "null"]},
        "message": {"type": "string", "description": "why it failed, or what there is to say about the answer"},
        "answer": {"type": ["string", "null"], "description": "path of the answer, once there is one"},
    },
}
FAULT: Final = {
    "type": "object",
    "required": ["code", "error"],
    "properties": {
        "code": {"type": "integer", "description": "as VROOM's: 1 an internal error, 2 a fault of the request"},
        "error": {"type": "string"},
    },
}
PARAMETERS: Final = {
    "seconds": ("number", "time limit; small problems end earlier without it"),
    "seed": ("integer", "the one source of randomness"),
}
"""Of the query of a request that has a problem, with their types."""


def _parameters() -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "query", "schema": {"type": kind}, "description": about}
        for name, (kind, about) in PARAMETERS.items()
    ]


def _content(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _operation(about: str, answers: dict[int, str], **others: Any) -> dict[str, Any]:
    """Return an operation; answers from 400 on are faults."""
    responses: dict[str, Any] = {
        str(status): {"description": text} | ({"content": _content(_ref("Fault"))} if status >= 400 else {})
        for status, text in answers.items()
    }
    return {"summary": about, "responses": responses} | others


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def description() -> dict[str, Any]:
    """Return the description of the service in OpenAPI 3.1."""
    problem = {
        "parameters": _parameters(),
        "requestBody": {"required": True, "content": _content({"type": "object", "description": "VROOM's JSON"})},
    }
    named = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]}
    refused = {400: "the request cannot be planned", 413: "it is too long", 503: "too many wait, or the service ends"}
    gone = {404: "there is no such job"}
    paths = {
        "/": {"post": _operation("Plan, and wait for the answer", {200: "VROOM's answer"} | refused, **problem)},
        "/jobs": {
            "post": _operation("Plan later", {202: "the job"} | refused, **problem),
            "get": _operation("The jobs that arrived last", {200: "a list of jobs"}),
        },
        "/jobs/{id}": named
        | {
            "get": _operation(
                "A job; with Accept: text/event-stream its costs as they fall, until it ends", {200: "the job"} | gone
            ),
            "delete": _operation("End a job and forget it", {204: "it is gone"} | gone),
        },
        "/jobs/{id}/answer": named
        | {"get": _operation("The answer", {200: "VROOM's answer"} | gone | {409: "there is none (yet)"})},
        "/jobs/{id}/stop": named
        | {"post": _operation("End a job with its best solution so far", {202: "the job"} | gone)},
        "/health": {"get": _operation("Whether the service accepts jobs", {200: "it does", 503: "it ends"})},
        "/metrics": {"get": _operation("Counts for Prometheus", {200: "its text format"})},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "warptour", "version": __version__, "description": "Cheap vehicle routes by local search."},
        "paths": paths,
        "components": {
            "schemas": {"Job": JOB, "Fault": FAULT},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def page() -> str:
    """Return the description as a page."""
    rows = []
    for path, operations in description()["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            answers = "<br>".join(
                f"<b>{status}</b> {escape(each['description'])}" for status, each in operation["responses"].items()
            )
            query = "".join(
                f"<br><code>?{each['name']}=</code> {escape(each['description'])}"
                for each in operation.get("parameters", [])
            )
            call = f"<code>{method.upper()} {escape(path)}</code>"
            rows.append(f"<tr><td>{call}<td>{escape(operation['summary'])}{query}<td>{answers}")
    return PAGE.format(version=escape(__version__), rows="\n".join(rows))


PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>warptour serve</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }}
table {{ border-collapse: collapse; }}
td, th {{ border-bottom: 1px solid #8884; padding: .5rem; text-align: left; vertical-align: top; }}
</style>
<h1>warptour {version}</h1>
<p>Problems and answers are VROOM's JSON. Where the service has a token, requests have the header
<code>Authorization: Bearer TOKEN</code>. For programs: <a href="openapi.json">openapi.json</a>.</p>
<table>
<tr><th>Request<th>What it does<th>Answers
{rows}
</table>
</html>
"""
