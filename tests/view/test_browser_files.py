"""Files in Chromium: traces are replayed, routes stand out, what is malformed is one line, names stay text."""

from __future__ import annotations

import json
import xml.etree.ElementTree as xml
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from seen_page import ink, pixels, start_run, wait_for_change, wait_for_detail
from warptour.io.reading import ReadOptions
from warptour.io.write import write_problem

STOPS = 'name,lat,lon\n"<img src=x onerror=alert(1)>",47.07,15.44\nMüller,47.05,15.47\nc,47.09,15.42\nd,47.03,15.40\n'


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """A trace with several tours."""
    path = tmp_path_factory.mktemp("traces") / "run.jsonl"
    wt.solve(wt.generate("uniform", 400, 1), seconds=1.2, threads=1, start="random", trace=path, tours=True)
    return path


def test_a_dropped_trace_is_replayed(serve, open_page, trace):
    page = open_page(serve())
    page.locator("#pick").set_input_files([trace, f"{trace}.tours"])
    page.locator(".replay").wait_for()
    wait_for_detail(page, vertices=401)
    last = pixels(page)
    label = page.locator(".replay output").inner_text()
    slider = page.get_by_role("slider", name="Tour")
    assert int(slider.get_attribute("max")) >= 1
    slider.focus()
    page.keyboard.press("Home")
    page.locator(".replay output").filter(has_not_text=label).wait_for()
    wait_for_change(page, last)
    page.get_by_role("button", name="Play").click()
    page.locator(".replay output", has_text=label).wait_for()
    wait_for_detail(page, vertices=401)
    page.get_by_role("tab", name="Search facts").click()
    assert "seed" in page.locator("#panel-facts").inner_text()


def test_routes_have_colours_and_stand_out(serve, open_page, tmp_path):
    wt.solve(wt.generate("vrp", 60, 3), iterations=2000, threads=1, trace=tmp_path / "vrp.jsonl", tours=True)
    page = open_page(serve(tmp_path / "vrp.jsonl"))
    rows = page.locator(".routes tbody tr")
    rows.first.wait_for()
    page.locator('canvas.lines[data-detail="full"]').wait_for()
    before = pixels(page)
    colours = {tuple(colour) for colour in before.reshape(-1, 3) if max(colour) - min(colour) > 60}
    assert len(colours) > rows.count()
    rows.nth(1).locator("button").focus()
    wait_for_change(page, before, share=0.01)
    page.get_by_role("button", name="load").click()
    loads = [int(text.replace(",", "")) for text in page.locator(".routes .value").all_inner_texts()]
    assert loads == sorted(loads, reverse=True) and len(loads) == rows.count()


def saved(page, folder, title: str) -> Path:
    """Return a file that the menu offers."""
    page.locator(".menu summary").click()
    with page.expect_download() as download:
        page.get_by_text(title, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_the_run_that_is_shown_stays_when_it_is_chosen_again(serve, open_page, tmp_path):
    wt.solve(wt.generate("vrp", 40, 3), iterations=2000, threads=1, trace=tmp_path / "vrp.jsonl", tours=True)
    page = open_page(serve(tmp_path / "vrp.jsonl"), accept_downloads=True)
    rows = page.locator(".routes tbody tr")
    rows.first.wait_for()
    count = rows.count()
    rows.nth(1).locator("button").click()
    page.get_by_role("button", name="Show vrp.jsonl").click()
    assert saved(page, tmp_path, "Solution file").read_text("utf-8").count("Route #") == count
    assert rows.count() == count and page.locator(".routes tr.current").count() == 1


def test_the_day_of_each_vehicle_is_drawn_and_chosen(serve, open_page, tmp_path):
    problem = wt.VRP.from_points(
        [[0, 0], [10, 0], [20, 0], [0, 10]], demands=[0, 2, 3, 4], capacity=5, unit="km", speed=30,
        windows=[None, "08:00-09:00", "11:00-11:30", None], service_times=[0, 600, 600, 600],
    )  # fmt: skip
    wt.solve(problem, iterations=100, threads=1, trace=tmp_path / "day.jsonl", tours=True)
    page = open_page(serve(tmp_path / "day.jsonl"))
    page.locator(".routes tbody tr").first.wait_for()
    days = page.locator(".day svg[role=img]")
    assert days.count() == 2 and ">10:00<" in page.locator(".day svg").first.inner_html()
    assert page.locator(".day .waits").count() == 1  # at the stop that opens at eleven
    page.get_by_role("button", name="Route 1").press("Enter")
    page.locator('.day [aria-pressed="true"]', has_text="Route 1").wait_for()
    assert page.locator(".routes tr.current").count() == 1


def test_stops_that_are_not_served_are_listed_with_reasons(serve, open_page, tmp_path):
    (tmp_path / "a.csv").write_text("name,x,y,demand\ndepot,0,0,0\nA,1,0,1\n<b>Giant</b>,2,0,9\n")
    page = open_page(serve(tmp_path / "a.csv", given=ReadOptions(capacity=5)))
    start_run(page, seconds=0.2)
    listed = page.locator(".left li")
    listed.wait_for()
    assert "'<b>Giant</b>'" in listed.inner_text() and page.get_by_text("1 stop is not served").count() == 1


def test_distances_without_places_have_routes_that_are_saved(serve, open_page, tmp_path):
    path, line = tmp_path / "far.vrp", np.arange(6)
    distances = 3 * np.abs(line[:, None] - line)
    write_problem(path, wt.VRP.from_matrix(distances, demands=np.minimum(line, 1), capacity=2))
    page = open_page(serve(path), accept_downloads=True)
    start_run(page, seconds=0.2)
    page.locator(".run-list li", has_text="ended").wait_for()
    page.locator(".routes tbody tr").nth(2).wait_for()
    page.locator(".message", has_text="distances only").wait_for()
    assert saved(page, tmp_path, "Solution file").read_text("utf-8").count("Route #") == 3


def test_a_malformed_file_is_the_line_of_the_command_line(serve, open_page):
    page = open_page(serve())
    page.get_by_role("button", name="Generate").wait_for()
    page.evaluate(
        """() => {
          const given = new DataTransfer();
          const lines = ["DIMENSION: 3", "EDGE_WEIGHT_TYPE: EUC_2D", "NODE_COORD_SECTION", "1 0 <i>"];
          given.items.add(new File([lines.join("\\n")], "bad.tsp"));
          window.dispatchEvent(new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true}));
        }"""
    )
    alert = page.locator("#error p")
    alert.wait_for()
    assert alert.inner_text().startswith("bad.tsp:4: '<i>' is not a number")
    assert page.locator("#error i").count() == 0
    page.faults.clear()
    page.get_by_role("button", name="Dismiss").click()
    assert alert.count() == 0


def test_names_are_text_on_a_map_with_a_graticule(serve, open_page, tmp_path):
    path = tmp_path / "stops.csv"
    path.write_text(STOPS, "utf-8")
    page = open_page(serve(path))
    wait_for_detail(page, vertices=4)
    assert int(page.locator("canvas.lines").get_attribute("data-meridians")) > 1
    assert ink(page) > 20
    map_box = page.locator(".map").bounding_box()
    label = page.locator(".city")
    coordinates = np.array([[15.44, 47.07], [15.47, 47.05], [15.42, 47.09], [15.40, 47.03]])
    stretch = np.array([np.cos(np.radians(47.06)), 1.0])
    places = (coordinates - [15.435, 47.06]) * stretch
    extent = np.ptp(places, axis=0)
    scale = min((map_box["width"] - 48) / extent[0], (map_box["height"] - 48) / extent[1])
    page.locator(".map").hover(
        position={
            "x": map_box["width"] / 2 + places[0, 0] * scale,
            "y": map_box["height"] / 2 - places[0, 1] * scale,
        }
    )
    label.wait_for()
    assert label.inner_text().startswith("<img src=x onerror=alert(1)>")
    assert page.locator(".city img").count() == 0


def test_what_is_shown_is_saved(serve, open_page, trace, tmp_path):
    page = open_page(serve(trace), accept_downloads=True)
    wait_for_detail(page, vertices=401)
    keep = partial(saved, page, tmp_path)
    assert keep("PNG of this view").read_bytes().startswith(b"\x89PNG")
    paths = xml.parse(keep("SVG, all of it")).findall(".//{http://www.w3.org/2000/svg}path")
    assert len(paths) == 1 and paths[0].attrib["d"].count(" ") == 801
    assert len(keep("CSV of the tour").read_text("utf-8").splitlines()) == 402
    assert json.loads(keep("GeoJSON").read_text("utf-8"))["type"] == "FeatureCollection"
    assert keep("CSV of the costs").read_text("utf-8").count("\n") > 1
