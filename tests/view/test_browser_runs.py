"""Runs in Chromium: generate, run, see the cost fall and the tour drawn, stop early, compare."""

from __future__ import annotations

import re

import pytest

from seen_page import cost_of, falls, ink, start_run, wait_for_detail


@pytest.mark.parametrize("webgl", [True, False])
def test_a_generated_instance_is_drawn_run_and_its_cost_falls(serve, open_page, webgl):
    page = open_page(serve(), webgl=webgl)
    page.get_by_role("button", name="Generate").click()
    page.locator(".summary", has_text="1,000 stops").wait_for()
    wait_for_detail(page, vertices=1000)
    assert page.locator("canvas.lines").get_attribute("data-painter") == ("WebGL" if webgl else "canvas")
    cities = ink(page)
    assert cities > 1000

    start_run(page, seconds=1)
    page.locator(".run-list li", has_text="ended").wait_for()
    assert cost_of(page) > 0
    wait_for_detail(page, vertices=1001)
    assert ink(page) > 1.5 * cities
    assert re.match(r"warptour solve uniform:1000:1 .*--seconds 1", page.locator(".command code").inner_text())
    (fall,) = falls(page)
    assert len(fall) > 1 and fall == sorted(fall, reverse=True)


def test_a_run_that_is_stopped_keeps_its_best(serve, open_page):
    page = open_page(serve())
    page.get_by_label("stops", exact=True).fill("200")
    page.get_by_role("button", name="Generate").click()
    start_run(page, seconds=600)
    page.locator(".choose .figures", has_text=re.compile(r"\d")).wait_for()
    page.get_by_role("button", name="Stop run 1").click()
    page.locator(".run-list li", has_text=re.compile("stopped early|ended")).wait_for()
    assert cost_of(page) > 0
    wait_for_detail(page, vertices=201)


def test_two_runs_are_compared_on_one_chart(serve, open_page):
    page = open_page(serve())
    page.get_by_label("stops", exact=True).fill("300")
    page.get_by_role("button", name="Generate").click()
    start_run(page, seconds=0.5)
    page.locator(".run-list li", has_text="ended").wait_for()
    page.get_by_text("Search method").click()
    page.locator("#strategy").select_option("vns")
    page.get_by_label("nearest").fill("5")
    start_run(page, seconds=0.5)
    page.locator(".run-list li.current", has_text="ended").wait_for()
    page.locator(".chart path.cost").nth(1).wait_for(state="attached")
    assert page.locator(".legend tbody tr").all_inner_texts()[0].startswith("run 1")
    assert "--set nearest=5" in page.locator(".run-list li.current code").inner_text()
    page.get_by_label("on chart").last.uncheck()
    page.locator(".legend tbody tr", has_text="run 1").wait_for(state="detached")
    assert page.locator(".chart path.cost").count() == 1
    page.get_by_role("button", name="Log time").click()
    page.get_by_role("button", name="Gap").click()
    assert page.get_by_text("% above").count() == 1


def test_what_a_run_refuses_is_one_line(serve, open_page):
    page = open_page(serve())
    page.get_by_role("button", name="Generate").click()
    page.locator(".summary").wait_for()
    page.get_by_text("Limits, devices").click()
    page.get_by_label("search processes").fill("local:0")
    page.get_by_role("button", name="Find routes").click()
    page.locator("#error p, .line-error:visible").first.wait_for()
    page.faults.clear()
    assert "Traceback" not in page.locator("body").inner_text()
