"""The clients of OSRM and Valhalla beside local servers that speak their protocols, faults included."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warptour.model.errors import InputError, UsageError
from warptour.roads import blocks, requests
from warptour.roads.servers import osrm, valhalla

PLACES = np.column_stack((np.linspace(50, 50.5, 7), np.linspace(10, 10.7, 7)))
Answer = tuple[int, Any, dict[str, str]]


def metres(a: tuple[float, float], b: tuple[float, float]) -> float:
    """What a false server takes for the way between two places: longer back."""
    return round(100_000 * (abs(a[0] - b[0]) + 2 * max(a[1] - b[1], 0) + max(b[1] - a[1], 0)), 1)


def expected(places: np.ndarray) -> np.ndarray:
    spots = [tuple(place) for place in places.tolist()]
    return np.rint([[metres(a, b) for b in spots] for a in spots]).astype(int)


class Service:
    """A server on this machine; ``faults`` are answers that it gives first."""

    def __init__(self, most: int) -> None:
        self.most, self.asked = most, list[str]()
        self.faults: list[Answer | str] = []
        self.lost: set[tuple[float, float]] = set()
        service = self

        class Requests(BaseHTTPRequestHandler):
            def answer(self, body: Any) -> None:
                service.asked.append(self.path)
                fault = service.faults.pop(0) if service.faults else None
                if fault == "hang up":
                    self.connection.close()
                    return
                status, said, headers = fault if isinstance(fault, tuple) else (*service.said(self.path, body), {})
                data = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(data))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self) -> None:
                self.answer(None)

            def do_POST(self) -> None:
                self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

            def log_message(self, *words: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Requests)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def said(self, path: str, body: Any) -> tuple[int, Any]:
        return self.osrm(path) if body is None else self.valhalla(body)

    def osrm(self, path: str) -> tuple[int, Any]:
        """Documented as /table/v1/{profile}/{lon},{lat};...?sources=0;1&destinations=2;3&annotations=..."""
        way, _, query = path.partition("?")
        words = dict(part.split("=") for part in query.split("&"))
        empty, table, version, profile, coordinates = way.split("/")
        assert (empty, table, version, words["annotations"]) == ("", "table", "v1", "duration,distance")
        assert profile in ("driving", "cycling", "walking")
        spots = [tuple(map(float, pair.split(",")))[::-1] for pair in coordinates.split(";")]
        if len(spots) > self.most:
            return 400, {"code": "TooBig", "message": "Too many table coordinates"}
        begins, ends = ([spots[int(k)] for k in words[name].split(";")] for name in ("sources", "destinations"))
        far = [[None if b in self.lost and a != b else metres(a, b) for b in ends] for a in begins]
        times = [[None if each is None else each / 10 for each in row] for row in far]
        return 200, {"code": "Ok", "distances": far, "durations": times, "sources": [], "destinations": []}

    def valhalla(self, body: Any) -> tuple[int, Any]:
        """Documented as POST /sources_to_targets; distances are in kilometres."""
        begins, ends = ([(each["lat"], each["lon"]) for each in body[name]] for name in ("sources", "targets"))
        assert body["costing"] in ("auto", "truck", "bicycle", "pedestrian")
        if len(begins) * len(ends) > self.most:
            return 400, {"error_code": 150, "error": "Exceeded max locations: 4", "status_code": 400}
        return 200, {"sources_to_targets": [[self.pair(a, b, i, j) for j, b in enumerate(ends)]
                                            for i, a in enumerate(begins)], "units": "kilometers"}  # fmt: skip

    def pair(self, a: tuple[float, float], b: tuple[float, float], i: int, j: int) -> dict[str, Any]:
        far = None if b in self.lost and a != b else metres(a, b)
        lengths = {"distance": None, "time": None} if far is None else {"distance": far / 1000, "time": far / 10}
        return lengths | {"from_index": i, "to_index": j}


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Service]]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(requests, "PAUSE", 0.001)
    services: list[Service] = []

    def start(most: int = 10**6) -> Service:
        services.append(Service(most))
        return services[-1]

    yield start
    for service in services:
        service.server.shutdown()
        service.server.server_close()


CLIENTS = pytest.mark.parametrize("client", [osrm, valhalla])


@CLIENTS
@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_a_table_is_put_together_of_blocks(client, size, serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "PLACES", size)
    service = serve()
    found = client(PLACES, service.url + "/")
    assert found.distances.tolist() == expected(PLACES).tolist()
    assert np.abs(found.durations - expected(PLACES) / 10).max() <= 0.51
    assert (found.distances != found.distances.T).any()
    assert len(service.asked) == (-(-7 // size)) ** 2
    assert found.line([0, 1]) is None


@CLIENTS
def test_blocks_fit_the_limits_of_the_server(client, serve) -> None:
    service = serve(4)
    assert client(PLACES, service.url).distances.tolist() == expected(PLACES).tolist()
    assert len(service.asked) > 16


def test_a_server_that_takes_no_two_places(serve) -> None:
    with pytest.raises(InputError, match="OSRM takes not even two places in a request"):
        osrm(PLACES, serve(1).url)


@CLIENTS
def test_the_profile_is_passed_on(client, serve) -> None:
    service = serve()
    client(PLACES, service.url, profile="foot")
    assert client is valhalla or service.asked[0].startswith("/table/v1/walking/")
    with pytest.raises(UsageError, match=r"profiles car, van, truck, bicycle, foot, and not 'own.toml'"):
        client(PLACES, service.url, profile="own.toml")


@CLIENTS
@pytest.mark.parametrize("fault", [(429, {}, {"Retry-After": "0"}), (503, b"busy", {}), (500, {}, {}), "hang up"])
def test_a_busy_server_is_asked_again(client, fault, serve) -> None:
    service = serve()
    service.faults = [fault, fault]
    assert client(PLACES, service.url).distances.tolist() == expected(PLACES).tolist()
    assert len(service.asked) == 3


@CLIENTS
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ((503, {}, {}), "answers with status 503, tried 4 times"),
        ("hang up", "does not answer .*, tried 4 times"),
    ],
)
def test_a_server_is_given_up(client, fault, said, serve) -> None:
    service = serve()
    service.faults = [fault] * 9
    with pytest.raises(InputError, match=said) as error:
        client(PLACES, service.url)
    assert str(error.value).startswith(service.url)
    assert len(service.asked) == 4


@CLIENTS
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ((200, b"<html>", {}), "answers with something that is no JSON"),
        ((200, {}, {}), "answers with (None|something that is no table of 7 x 7 numbers)"),
        ((200, [], {}), "answers with something"),
        ((200, {"code": "Ok", "sources_to_targets": [[1]]}, {}), "is no table of 7 x 7 numbers"),
        ((200, {"code": "Ok", "distances": [[-1.0] * 7] * 7, "durations": [[1.0] * 7] * 7,
                "sources_to_targets": [[{"distance": -1, "time": 1}] * 7] * 7}, {}), "is no table of 7 x 7 numbers"),
        ((200, {"code": "Ok", "distances": [["x"] * 7] * 7, "sources_to_targets": {"distances": [[{}]]}}, {}),
         "is no table of 7 x 7 numbers"),
        ((400, {"code": "InvalidQuery", "message": "Query string malformed", "error": "Query string malformed"}, {}),
         "answers with status 400: Query string malformed"),
        ((404, b"nothing here", {}), "answers with status 404"),
        ((302, b"", {"Location": "http://example.org/"}), "redirects to http://example.org/"),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_named_at_once(client, fault, said, serve) -> None:
    service = serve()
    service.faults = [fault]
    with pytest.raises(InputError, match=said) as error:
        client(PLACES, service.url)
    assert "\n" not in str(error.value)
    assert len(service.asked) == 1


@CLIENTS
def test_pairs_without_a_way_are_named(client, serve) -> None:
    service = serve()
    service.lost = {tuple(PLACES[3].tolist())}
    with pytest.raises(InputError, match=r"knows no way from row 2 to row 5, and between 5 further pairs"):
        client(PLACES, service.url, called=lambda place: f"row {place + 2}")


@CLIENTS
def test_answers_are_kept(client, serve, monkeypatch: pytest.MonkeyPatch) -> None:
    service = serve()
    first = client(PLACES, service.url)
    again = client(PLACES, service.url)
    assert len(service.asked) == 1
    assert again.distances.tolist() == first.distances.tolist()
    client(PLACES[::-1], service.url)
    client(PLACES, service.url, profile="bicycle")
    assert len(service.asked) == 3
    for kept in blocks.cache_folder().iterdir():
        kept.write_bytes(kept.read_bytes()[:100])
    client(PLACES, service.url)
    assert len(service.asked) == 4
    monkeypatch.setattr(blocks, "LASTS", 0)
    client(PLACES, service.url)
    assert len(service.asked) == 5


@CLIENTS
def test_a_cache_that_cannot_be_written_costs_time_alone(client, serve, tmp_path, monkeypatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert client(PLACES, serve().url).distances.tolist() == expected(PLACES).tolist()


def test_compact_answers_of_valhalla(serve, monkeypatch: pytest.MonkeyPatch) -> None:
    service = serve()
    far = expected(PLACES)
    said = {"sources_to_targets": {"distances": (far / 1000).tolist(), "durations": (far / 10).tolist()}}
    monkeypatch.setattr(service, "valhalla", lambda body: (200, said))
    assert valhalla(PLACES, service.url).distances.tolist() == far.tolist()


@pytest.mark.parametrize("url", ["localhost:5000", "ftp://localhost", "http://", "http://localhost?x=1", "file:///etc"])
@CLIENTS
def test_what_is_no_url(client, url: str) -> None:
    with pytest.raises(UsageError, match="is at a URL such as http://localhost:5000, not"):
        client(PLACES, url)


@CLIENTS
def test_nobody_answers(client, serve) -> None:
    service = serve()
    service.server.shutdown()
    service.server.server_close()
    with pytest.raises(InputError, match=r"does not answer \(.*refused.*\), tried 4 times"):
        client(PLACES, service.url)
