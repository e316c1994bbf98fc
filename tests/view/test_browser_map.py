"""Street maps in Chromium: routes by Leaflet, and without streets where Leaflet is missing or not the one meant."""

from __future__ import annotations

import re

import numpy as np
import pytest

import warptour as wt
from warptour.observe.map import write_map

NAMES = ("Lager", "Müller & Söhne", "<img src=x onerror=alert(1)>")
STUB = """
const calls = [];
const thing = (name) => new Proxy(() => {}, {
  get: (_, key) => thing(`${name}.${key}`),
  apply: (_, self, given) => { calls.push([name, ...given]); return thing(""); },
});
const L = thing("L");
"""
"""Stands for Leaflet: any method of any object can be called, and ``calls`` lists those of L."""


@pytest.fixture
def opened(chromium, tmp_path):
    """Call ``opened(answer, without_hashes)`` for a map whose browser gets ``answer`` for every file of Leaflet."""
    problem = wt.VRP(
        "plan", wt.METRICS["GREAT_CIRCLE"], np.array([[52.5, 13.25], [52.5, 13.5], [52.25, 13.5]]),
        labels=NAMES, demands=np.array([0, 2, 3]), capacity=4,
    )  # fmt: skip
    path = tmp_path / "map.html"
    write_map(path, problem, [np.array([1]), np.array([2])])
    context = chromium("--disable-gpu").new_context()

    def start(answer, hashes=True):
        if not hashes:
            path.write_text(re.sub(' integrity="[^"]*"', "", path.read_text("utf-8")), "utf-8")

        def reply(route):
            kind = "text/css" if route.request.url.endswith(".css") else "text/javascript"
            body = "" if kind == "text/css" else answer
            headers = {"access-control-allow-origin": "*"}
            route.abort() if answer is None else route.fulfill(body=body, content_type=kind, headers=headers)

        context.route(re.compile("^https:"), reply)
        page = context.new_page()
        page.goto(path.as_uri())
        return page

    yield start
    context.close()


@pytest.mark.parametrize("answer", [None, STUB], ids=["no network", "another script"])
def test_without_the_leaflet_that_is_meant_there_are_routes_without_streets(opened, answer):
    page = opened(answer)
    page.locator("svg polyline").nth(1).wait_for()
    assert page.locator("#panel li").all_text_contents() == list(NAMES[1:])
    assert page.evaluate("typeof calls") == "undefined"


def test_routes_stops_and_layers_are_given_to_leaflet_and_names_are_text(opened):
    page = opened(STUB, hashes=False)
    page.wait_for_function("calls.some(([name]) => name === 'L.control.layers')")
    assert page.evaluate("calls.filter(([name]) => name === 'L.polyline').length") == 2
    assert page.evaluate("calls.filter(([name]) => name === 'L.marker').length") == 3
    labels = page.evaluate("Object.keys(calls.find(([name]) => name === 'L.control.layers')[2])")
    assert len(labels) == 2 and all(label.startswith('<i class="swatch" style="background: rgb(') for label in labels)
    first = "calls.filter(([name]) => name === '.bindPopup').map(([, lines]) => lines.firstChild.innerHTML)"
    assert page.evaluate(first) == ["Müller &amp; Söhne", "&lt;img src=x onerror=alert(1)&gt;", "Lager"]
