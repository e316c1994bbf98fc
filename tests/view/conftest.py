"""Servers of the view, clients that speak HTTP to them, and Chromium."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from service_caller import Reply
from warptour.io.reading import ReadOptions
from warptour.model.audience import at_the_command_line
from warptour.view.problems import AS_IT_IS
from warptour.view.serve import View
from warptour.view.session import Session

NAMES = ("chromium", "chromium-browser", "google-chrome")
SOFTWARE_WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization")
"""WebGL on the CPU. Without the last flag the browser draws its text with it too, and takes seconds to start."""
NO_WEBGL = ("--disable-gpu", "--disable-3d-apis")


class Client:
    """Speaks HTTP to a server, with the token of its address or another, and any headers."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.port = parts.port
        self.token = parts.path.strip("/")

    def raw(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Reply:
        """Ask for a path as it is, without the token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
            kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
            given = {"Host": f"127.0.0.1:{self.port}", **({} if data is None else {"Content-Type": kind})}
            given |= {"Content-Length": str(len(data or b""))} | (headers or {})
            for name, value in given.items():
                connection.putheader(name, value)
            connection.endheaders(data)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """Ask for a path below the token; underscores in names of headers are dashes."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.raw(method, f"/{self.token}/{path}", body, named)

    def get(self, path: str) -> Any:
        """Return the JSON of an answer that must be one."""
        reply = self("GET", path)
        assert reply.status == 200, reply.body
        return reply.json

    def post(self, path: str, body: Any = None) -> Any:
        """Return the JSON of an answer that must be one."""
        reply = self("POST", path, {} if body is None else body)
        assert reply.status == 200, reply.body
        return reply.json

    def upload(self, name: str, data: bytes) -> str:
        """Return the id of an uploaded file."""
        return str(self.post(f"api/files?name={quote(name)}", data)["file"])

    @contextmanager
    def stream(self, path: str) -> Iterator[Iterator[Any]]:
        """Yield the messages of a stream of events, as they come."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request("GET", f"/{self.token}/{path}")
            answer = connection.getresponse()
            assert answer.getheader("content-type", "").startswith("text/event-stream")
            yield (json.loads(line[6:]) for line in iter(answer.readline, b"") if line.startswith(b"data: "))
        finally:
            connection.close()

    def wait(self, run: str, seconds: float = 300.0) -> Any:
        """Return a run once it has ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = next(row for row in self.get("api/session")["runs"] if row["id"] == run)
            if found["state"] in ("ended", "failed"):
                return found
            time.sleep(0.1)
        raise AssertionError(f"{run} did not end: {found}")


@pytest.fixture(autouse=True)
def command_line() -> Iterator[None]:
    """Servers are those of the command, whose messages name options."""
    with at_the_command_line():
        yield


class Servers:
    """Call it for a server that runs until :meth:`end`."""

    def __init__(self) -> None:
        self._started: list[tuple[View, threading.Thread]] = []

    def __call__(
        self, source: str | os.PathLike[str] | None = None, host: str = "127.0.0.1", given: ReadOptions = AS_IT_IS
    ) -> View:
        session = Session(given)
        try:
            if source is not None:
                session.open(os.fspath(source))
            view = View(session, host)
        except BaseException:
            session.close()
            raise
        thread = threading.Thread(target=view.run)
        thread.start()
        self._started.append((view, thread))
        return view

    def end(self) -> None:
        for view, _ in self._started:
            view.stop()
        while self._started:
            _, thread = self._started.pop()
            thread.join(120)
            assert not thread.is_alive()


find_devices, found_devices = Session.devices, list[Any]()


def devices(session: Session) -> Any:
    """Return what the first server has found: the process that looks takes most of a second."""
    if not found_devices:
        found_devices.append(find_devices(session))
    return found_devices[0]


@contextmanager
def servers(root: Path) -> Iterator[Servers]:
    """Yield what starts servers, whose runs find the package; end them all after the block."""
    pytest.importorskip("starlette", reason="needs Starlette: pip install 'warptour[web]'")
    pytest.importorskip("uvicorn", reason="needs uvicorn: pip install 'warptour[web]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(root / "src"))
        patch.setattr(Session, "devices", devices)
        started = Servers()
        try:
            yield started
        finally:
            started.end()


@pytest.fixture
def serve(root: Path) -> Iterator[Servers]:
    """Call ``serve(source, host=...)`` for a server that runs until the end of the test, or ``serve.end()``."""
    with servers(root) as start:
        yield start


@pytest.fixture
def own_client(serve: Servers) -> Client:
    """A client of a server of the test's own."""
    return Client(serve().address)


@pytest.fixture(scope="module")
def client(root: Path) -> Iterator[Client]:
    """A client of a server that all tests of a file share."""
    with servers(root) as start:
        yield Client(start().address)


@pytest.fixture
def client_of() -> type[Client]:
    """Call ``client_of(address)`` for a client of another server."""
    return Client


@pytest.fixture(scope="session")
def chromium(skip_without: Callable[[str, str], None]) -> Iterator[Callable[..., Any]]:
    """Call ``chromium(*flags)`` for a browser with these flags, which is closed at the end of the session."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        skip_without("browser", "needs Chromium: apt install chromium")
    try:
        import playwright.sync_api as library
    except ImportError:
        skip_without("browser", "needs Playwright: pip install playwright")
        raise
    with library.sync_playwright() as driver:
        opened: dict[tuple[str, ...], Any] = {}

        def browser(*flags: str) -> Any:
            if flags not in opened:
                arguments = ["--no-sandbox", "--disable-dev-shm-usage", *flags]
                opened[flags] = driver.chromium.launch(executable_path=path, args=arguments)
            return opened[flags]

        yield browser
        for each in opened.values():
            each.close()


@pytest.fixture
def open_page(chromium: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Call ``open_page(view, width=..., webgl=...)`` for the page in Chromium; any error in its console fails the test.

    ``page.faults`` lists the errors so far, for tests that expect some and clear it. ``settings`` are those of a
    Playwright context: ``color_scheme``, ``accept_downloads``.
    """
    contexts: list[Any] = []
    pages: list[Any] = []

    def start(view: View, *, width: int = 1200, height: int = 800, webgl: bool = True, **settings: Any) -> Any:
        browser = chromium(*(SOFTWARE_WEBGL if webgl else NO_WEBGL))
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        context.set_default_timeout(90_000)
        contexts.append(context)
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda message: page.faults.append(message.text) if message.type == "error" else None)
        page.goto(view.address)
        pages.append(page)
        return page

    yield start
    faults = [fault for page in pages for fault in page.faults]
    for context in contexts:
        context.close()
    assert faults == []
