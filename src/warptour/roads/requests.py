"""Requests to a server of the user: with retries, without redirects, and with one line for what goes wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from warptour.model.errors import InputError, UsageError

TRIES: Final = 4
"""Requests that are sent before a server is given up."""
PAUSE: Final = 0.5
"""Seconds before the second request; they double with each further one."""
LONGEST_PAUSE: Final = 30.0
"""Maximum pause in seconds that a server may ask for."""
PATIENCE: Final = 60.0
"""Seconds that a server has for an answer."""
BUSY: Final = (429, 500, 502, 503, 504)
"""Status codes after which a request is sent again."""
LARGEST: Final = 1 << 26
"""Maximum size of an answer, in bytes."""


class TooLarge(Exception):
    """The server takes fewer places at once."""


class _Stay(HTTPRedirectHandler):
    """Follows no redirect: it may lead to another host."""

    def redirect_request(self, *request: Any) -> None:
        """Return no request."""


class Server:
    """A server by its URL.

    ``name``: what it is called in messages
    ``is_too_large``: whether an error's JSON says that there were too many places in one request
    """

    def __init__(self, name: str, url: str, is_too_large: Callable[[Any], bool]) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise UsageError(f"{name} is at a URL such as http://localhost:5000, not {url!r}")
        self.name, self.url = name, url.rstrip("/")
        self._is_too_large = is_too_large
        self._opener: OpenerDirector = build_opener(_Stay())

    def fault(self, text: str) -> InputError:
        """Return an error of this server."""
        return InputError(f"{self.name} {text}", self.url)

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the JSON that a path gives, by POST if there is a ``body``.

        Raises
        ------
        TooLarge
            If the server takes fewer places at once.
        InputError
            If it does not answer, or refuses.
        """
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.url + path, data, {"Content-Type": "application/json", "User-Agent": "warptour"})
        pause, fault = PAUSE, ""
        for each in range(TRIES):
            if each:
                time.sleep(pause)
            pause = PAUSE * 2**each
            try:
                with self._opener.open(request, timeout=PATIENCE) as answer:
                    return self._parsed(answer.read(LARGEST))
            except HTTPError as error:
                fault = f"answers with status {error.code}"
                if error.code not in BUSY:
                    self._refused(error)
                pause = max(pause, _asked_pause(error.headers.get("Retry-After")))
            except (URLError, HTTPException, OSError) as error:
                fault = f"does not answer ({getattr(error, 'reason', None) or error or type(error).__name__})"
        raise self.fault(f"{fault}, tried {TRIES} times")

    def _parsed(self, data: bytes) -> Any:
        try:
            return json.loads(data)
        except ValueError:
            raise self.fault("answers with something that is no JSON") from None

    def _refused(self, error: HTTPError) -> None:
        """Raise what a refusal means."""
        try:
            said = json.loads(error.read(LARGEST))
        except (ValueError, OSError, HTTPException):
            said = None
        if error.code == 413 or self._is_too_large(said):
            raise TooLarge
        if 300 <= error.code < 400:
            raise self.fault(f"redirects to {error.headers.get('Location')}; give that URL if it is right")
        words = said.get("message") or said.get("error") if isinstance(said, dict) else None
        raise self.fault(f"answers with status {error.code}" + (f": {words}" if words else ""))


def _asked_pause(text: str | None) -> float:
    """Return the seconds in a header ``Retry-After``."""
    try:
        return min(max(float(text or 0), 0.0), LONGEST_PAUSE)
    except ValueError:
        return 0.0
