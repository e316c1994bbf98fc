"""The page in Chromium as planners see it: nothing covers anything, phones have the map first, drivers have sheets."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from seen_page import start_run, wait_for_detail, wait_for_end
from warptour.io.examples import FOLDER
from warptour.io.reading import ReadOptions

SIZES = [(1280, 800), (390, 800)]


@pytest.fixture
def planned(serve, open_page):
    """Call it with a width and a height for the page of a day of deliveries that has been planned."""

    def start(width, height):
        given = ReadOptions(capacity=1200, speed=30, depart="08:00")
        page = open_page(serve(FOLDER / "deliveries.csv", given=given), width=width, height=height)
        start_run(page, seconds=0.5)
        wait_for_end(page)
        page.locator(".routes tbody tr").first.wait_for()
        return page

    return start


def box(page, selector):
    return page.locator(selector).bounding_box()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_buttons_are_beside_the_map(planned, width, height):
    page = planned(width, height)
    frame, tools = box(page, ".map"), box(page, ".tools")
    assert tools["y"] >= frame["y"] + frame["height"] and tools["x"] + tools["width"] <= width
    page.locator(".menu summary").click()
    menu = box(page, ".menu-items")
    assert menu["x"] >= 0 and menu["y"] >= 0 and menu["x"] + menu["width"] <= width


def test_a_phone_has_the_map_before_the_form(planned):
    page = planned(390, 800)
    assert box(page, "#tour")["y"] < box(page, "#instance")["y"] < box(page, "#details")["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_marks_of_the_chart_do_not_touch(planned, width, height):
    page = planned(width, height)
    for press in ("Log time", "Log cost", "Gap"):
        page.get_by_role("button", name=press).click()
        boxes = page.locator(".chart .rule text").evaluate_all(
            "texts => texts.map((text) => text.getBoundingClientRect().toJSON())"
        )
        bottom = max(each["bottom"] for each in boxes)
        times = sorted((each for each in boxes if each["bottom"] > bottom - 2), key=lambda each: each["left"])
        costs = sorted((each for each in boxes if each["bottom"] <= bottom - 2), key=lambda each: each["top"])
        assert len(times) > 1 and all(a["right"] < b["left"] for a, b in pairwise(times)), press
        assert len(costs) > 1 and all(a["bottom"] <= b["top"] + 4 for a, b in pairwise(costs)), press


def test_a_stop_says_its_latitude_first(serve, open_page, tmp_path):
    (tmp_path / "a.csv").write_text("name,lat,lon\nA,47.25,15.5\nB,47.25,15.5\nC,47.25,15.5\n")
    page = open_page(serve(tmp_path / "a.csv"))
    wait_for_detail(page, vertices=3)
    page.locator(".map").focus()
    page.keyboard.press("Enter")
    page.locator("#announcement", has_text="47.25, 15.5").wait_for(state="attached")


def test_lengths_of_routes_have_their_unit(planned):
    page = planned(1280, 800)
    assert page.locator(".routes thead button", has_text="km").count() == 1
    lengths = page.locator(".routes tbody td:nth-child(4)").all_inner_texts()
    assert all(re.fullmatch(r"\d+\.\d", text) and 0 < float(text) < 200 for text in lengths)


def test_each_driver_has_a_sheet_to_print(serve, open_page, tmp_path):
    (tmp_path / "a.csv").write_text("name,lat,lon,demand,note\nd,47,15,0,\n<b>A</b>,47.1,15,1,ring\nB,47,15.1,1,\n")
    page = open_page(serve(tmp_path / "a.csv", given=ReadOptions(capacity=1, speed=30, depart="08:00")))
    page.evaluate("window.printed = 0; window.print = () => window.printed++; 0")
    start_run(page, seconds=0.2)
    page.locator(".routes tbody tr").nth(1).wait_for()
    page.locator(".menu summary").press("Enter")
    page.get_by_text("Print for drivers", exact=True).press("Enter")
    page.locator("#sheets > section").nth(2).wait_for(state="attached")
    assert page.evaluate("window.printed") == 1
    assert page.locator("#sheets").is_hidden()
    page.emulate_media(media="print")
    sheets = page.locator("#sheets > section")
    assert sheets.count() == 3 and sheets.first.is_visible() and page.locator("main").is_hidden()
    assert [sheets.nth(k).get_attribute("aria-label") for k in range(3)] == ["Summary", "Route 1", "Route 2"]
    text = page.locator("#sheets").inner_text()
    assert "<b>A</b>" in text and "ring" in text and "leaves 08:00" in text and page.locator("#sheets b").count() == 0
    assert sheets.nth(1).locator("tbody tr").count() == 3 and sheets.nth(1).get_by_text("☐").count() == 1


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_axe_finds_nothing(planned, width, height):
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe-core is not installed").Axe()
    page = planned(width, height)
    page.locator(".routes tbody button").first.click()
    page.locator(".stops select").first.select_option(index=1)
    page.locator(".by-hand", has_text="1 stop moved").wait_for()
    for tab in ("Search moves", "Search facts", "Routes"):
        page.get_by_role("tab", name=tab).click()
        found = axe.run(page)
        assert len(found["passes"]) > 20, tab
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]] == [], tab


def test_axe_finds_nothing_in_the_dark_and_on_an_empty_page(serve, open_page):
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe-core is not installed").Axe()
    page = open_page(serve(), color_scheme="dark")
    page.get_by_role("button", name="Generate").wait_for()
    assert [each["id"] for each in axe.run(page)["violations"]] == []


def test_what_a_file_lacks_is_marked_and_focused(serve, open_page, tmp_path):
    (tmp_path / "a.csv").write_text("name,lat,lon,demand\nd,47,15,\nA,47.1,15,1\nB,47,15.1,1\n")
    page = open_page(serve())
    page.locator("#pick").set_input_files(tmp_path / "a.csv")
    page.locator("#error p", has_text="--capacity").wait_for()
    page.faults.clear()
    assert page.evaluate("document.activeElement.labels[0].textContent") == "capacity"
    assert page.locator("[aria-invalid=true]").count() == 1
    page.keyboard.type("2")
    page.get_by_role("button", name="Read again").press("Enter")
    page.locator(".summary", has_text="capacity 2").wait_for()
    assert page.locator("[aria-invalid=true]").count() == 0


def test_tours_have_no_sheets(client):
    problem = client.post("api/problems", {"generate": {"kind": "uniform", "n": 9, "seed": 1}, "options": {}})
    run = client.post("api/runs", {"problem": problem["id"], "strategy": problem["strategy"], "seconds": 0.1})
    ended = client.wait(run["id"])
    assert client("GET", f"api/traces/{ended['trace']}/tours/0/sheets").status == 400
