"""The form of a file's options in Chromium: what planners need first, files as uploads, values of the command line."""

from __future__ import annotations

from seen_page import start_run
from warptour.io.examples import FOLDER
from warptour.io.options import VEHICLES
from warptour.io.reading import ReadOptions
from warptour.model.option import Option, rows
from warptour.view.forms import FIRST, SERVER_FILES, forms

STOPS = "name,lat,lon,demand,open,close\nd,47,15,,,\nA,47.1,15,1,9:00,12:00\nB,47,15.1,1,,\n"


def test_every_option_of_a_file_is_a_field_and_those_of_planners_come_first():
    fields = {field["name"]: field for field in forms()["reading"]}
    assert tuple(fields)[: len(FIRST)] == FIRST
    declared = {row.word for row in rows(ReadOptions) if isinstance(row.declared, Option)}
    under_way = {"locked", "now", "change_cost"}
    assert declared - under_way - {*SERVER_FILES} - fields.keys() == set()
    assert fields["fleet"]["type"] == fields["matrix"]["type"] == "file"
    assert fields["speed"]["unit"] == "km/h" and fields["backhauls"]["choices"] == ["last", "after-deliveries"]
    assert fields["hour_cost"]["group"] == VEHICLES and fields["capacity"]["group"] is None


def test_a_fleet_is_uploaded_and_the_speed_changed(serve, open_page, tmp_path):
    (tmp_path / "stops.csv").write_text(STOPS)
    (tmp_path / "fleet.csv").write_text("name,count,capacity\nVan,2,1\nTruck,1,5\n")
    page = open_page(serve())
    page.locator("#pick").set_input_files(tmp_path / "stops.csv")
    page.locator("#error p", has_text="--speed").wait_for()
    page.faults.clear()
    assert page.evaluate("document.activeElement.labels[0].textContent") == "speed (km/h)"
    page.keyboard.type("30")
    page.get_by_label("fleet").set_input_files(tmp_path / "fleet.csv")
    page.get_by_role("button", name="Read again").click()
    page.locator(".summary", has_text="2 stops · 2 Van, 1 Truck · straight lines").wait_for()
    start_run(page, seconds=0.2)
    page.locator(".run-list code", has_text="warptour solve stops.csv --fleet fleet.csv --speed 30").wait_for()
    page.locator(".run-list li", has_text="ended").wait_for()
    page.locator(".day button", has_text="Truck").wait_for()
    page.get_by_label("speed (km/h)").fill("60")
    page.get_by_role("button", name="Read again").press("Enter")
    page.locator(".run-list li:not(.current)").wait_for()
    start_run(page, seconds=0.2)
    page.locator(".run-list code", has_text="--fleet fleet.csv --speed 60").wait_for()


def test_options_of_the_command_line_are_in_the_form(serve, open_page):
    page = open_page(serve(FOLDER / "deliveries.csv", given=ReadOptions(capacity=1200, speed=30)))
    page.locator(".summary", has_text="capacity 1,200").wait_for()
    assert page.get_by_label("capacity").input_value() == "1200"
    assert page.get_by_label("speed (km/h)").input_value() == "30"
    page.get_by_label("capacity").fill("0")
    page.get_by_role("button", name="Read again").click()
    page.locator("#error p", has_text="the capacity is 0").wait_for()
    page.faults.clear()
