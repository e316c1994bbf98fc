"""A planner's day in Chromium by keyboard alone: 300 stops, 12 vans of three kinds with hours, from file to paper."""

from __future__ import annotations

import random
import re

import pytest

from seen_page import wait_for_end

FLEET = (
    "name,count,capacity,shift\nSmall van,5,1200,08:00-16:30\nLarge van,4,2000,07:30-17:00\nTruck,3,3500,07:00-17:00\n"
)


def day_of_stops() -> str:
    """Return a table of a depot and 300 stops, of which some have hours."""
    draw = random.Random(3)
    rows = ["name,lat,lon,demand (kg),service (min),open,close", "Depot,47.0707,15.4395,,,,"]
    for stop in range(300):
        opens, closes = draw.choice([("", "")] * 6 + [("08:00", "11:00"), ("09:00", "12:00"), ("13:00", "16:00")])
        place = f"{draw.gauss(47.07, 0.06):.5f},{draw.gauss(15.44, 0.09):.5f}"
        rows.append(f"Stop {stop},{place},{draw.choice([20, 40, 60, 120])},{draw.choice([4, 8])} min,{opens},{closes}")
    return "\n".join(rows) + "\n"


@pytest.mark.long
def test_a_day_is_planned_changed_planned_again_and_printed(serve, open_page, tmp_path):
    (tmp_path / "day.csv").write_text(day_of_stops())
    (tmp_path / "fleet.csv").write_text(FLEET)
    page = open_page(serve(), width=1400, height=900)
    page.evaluate("window.printed = 0; window.print = () => window.printed++; 0")
    page.locator("#pick").set_input_files(tmp_path / "day.csv")
    page.locator("#error p", has_text="--speed").wait_for()
    page.faults.clear()
    page.keyboard.type("30")  # the field of what is missing has the focus
    page.get_by_label("fleet").set_input_files(tmp_path / "fleet.csv")
    page.get_by_label("speed (km/h)").press("Enter")
    page.locator(".summary", has_text="300 stops · 5 Small van, 4 Large van, 3 Truck").wait_for()
    page.get_by_label("search time").fill("4")
    page.keyboard.press("Enter")
    wait_for_end(page)
    assert 8 <= page.locator(".routes tbody tr").count() <= 12
    assert re.search(r" km · load [\d,]+ kg · [\d.]+% of capacity", page.locator(".routes > p").inner_text())
    assert page.locator(".day .vehicle:not(.axis)").count() == page.locator(".routes tbody tr").count()
    page.locator(".routes tbody button").first.press("Enter")
    page.locator(".stops tbody select").first.focus()
    page.keyboard.press("ArrowDown")
    page.locator(".by-hand", has_text="1 stop moved").wait_for()
    page.get_by_label("Lock this route").press("Space")
    page.locator(".by-hand", has_text="locked: 1 stop, 1 route").wait_for()
    fixed = page.locator(".stops tbody button").all_inner_texts()
    page.get_by_role("button", name="Plan again").press("Enter")
    page.locator(".run-list li.current", has_text="--locked plan.json").wait_for()
    wait_for_end(page)
    assert page.evaluate("document.activeElement.id") == "tour"
    wide = page.locator(".routes .scroll").evaluate("table => table.scrollWidth - table.clientWidth")
    assert wide <= 0
    page.locator(".routes tbody button:has(.lock)").press("Enter")
    page.locator(".stops tbody tr").first.wait_for()
    assert page.locator(".stops tbody button").all_inner_texts() == fixed
    page.locator(".menu summary").press("Enter")
    page.get_by_text("Print for drivers", exact=True).press("Enter")
    page.locator("#sheets > section").nth(8).wait_for(state="attached")
    assert page.evaluate("window.printed") == 1
    assert page.locator("#sheets > section").count() == 1 + page.locator(".routes tbody tr").count()
