"""Plans changed by hand in Chromium: stops go to other routes by mouse and keyboard, are locked, and planned again."""

from __future__ import annotations

import pytest

from seen_page import start_run, wait_for_end
from warptour.io.examples import FOLDER
from warptour.io.reading import ReadOptions


@pytest.fixture
def planned(serve, open_page):
    """Call it with a size for the page of a day of deliveries that has been planned."""

    def start(width=1280, height=900):
        given = ReadOptions(capacity=1200, vehicles=6, speed=30, depart="08:00")
        page = open_page(serve(FOLDER / "deliveries.csv", given=given), width=width, height=height)
        start_run(page, seconds=0.5)
        wait_for_end(page)
        page.locator(".routes tbody tr").nth(1).wait_for()
        return page

    return start


def stops_of(page):
    return [int(text) for text in page.locator(".routes tbody tr td:nth-child(2)").all_inner_texts()]


def wait_for_stops(page, *counts):
    """Wait until the routes have so many stops each."""
    page.wait_for_function(
        """counts => [...document.querySelectorAll(".routes tbody tr td:nth-child(2)")]
            .map((cell) => cell.textContent).join() === counts.join()""",
        arg=[str(count) for count in counts],
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 800)])
def test_a_stop_goes_to_another_route_by_keyboard_and_stays_when_planned_again(planned, width, height):
    page = planned(width, height)
    before = stops_of(page)
    page.locator(".routes tbody button").first.press("Enter")
    row = page.locator(".stops tbody tr").first
    row.wait_for()
    name = row.locator("button").inner_text().split(" · ")[1]
    choice = row.locator("select")
    choice.focus()
    page.keyboard.press("ArrowDown")
    after = [before[0] - 1, before[1] + 1, *before[2:]]
    wait_for_stops(page, *after)
    page.locator(".by-hand", has_text="1 stop moved · locked: 1 stop").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    assert page.locator(".run-list li.current strong").inner_text() == "plan 1, changed"
    page.get_by_role("button", name="Plan again").press("Enter")
    page.locator(".run-list li.current", has_text="--locked plan.json").wait_for()
    wait_for_end(page)
    page.locator(".by-hand", has_text="locked: 1 stop").wait_for()
    page.locator(".routes tbody button").nth(1).press("Enter")
    held = page.locator(".stops tbody tr", has_text=name)
    held.wait_for()
    assert held.locator("input").is_checked()


def test_a_change_is_undone_and_a_route_is_locked(planned):
    page = planned()
    before = stops_of(page)
    page.locator(".routes tbody button").first.click()
    page.locator(".stops select").first.select_option(index=1)
    wait_for_stops(page, before[0] - 1, before[1] + 1, *before[2:])
    page.get_by_role("button", name="Undo").click()
    wait_for_stops(page, *before)
    assert page.get_by_role("button", name="Undo").is_disabled()
    page.get_by_label("Lock this route").check()
    page.locator(".by-hand", has_text="0 stops moved · locked: 1 route").wait_for()
    page.locator(".routes tbody button .lock").wait_for()
    page.reload()
    page.locator(".run-list button", has_text="plan 1, changed").click()
    page.locator(".by-hand", has_text="locked: 1 stop").wait_for()


def test_a_stop_is_dragged_to_another_route(planned):
    page = planned()
    before = stops_of(page)
    page.locator(".routes tbody button").first.click()
    page.locator(".stops tbody button").first.click()
    page.locator(".stops tr.current").wait_for()
    page.locator(".map .city").wait_for()
    x, y = map(int, page.locator(".map .city").get_attribute("data-at").split(","))
    box = page.locator(".map").bounding_box()
    target = page.locator('.routes tr[data-vehicle="1"]').bounding_box()
    x, y = box["x"] + x, box["y"] + y
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y, steps=3)
    page.mouse.move(target["x"] + 20, target["y"] + target["height"] / 2, steps=5)
    page.mouse.up()
    wait_for_stops(page, before[0] - 1, before[1] + 1, *before[2:])
