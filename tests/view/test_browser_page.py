"""The page in Chromium: it asks this server only, fits any screen, is dark where wished, works with the keyboard."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from seen_page import ink, pixels, wait_for_change, wait_for_detail
from warptour.view.serve import DOOR


def test_the_page_opens_and_asks_this_server_only(serve, open_page):
    view = serve()
    page = open_page(view)
    page.get_by_text("Drop a file here, choose one, or generate an example.").wait_for()
    assert page.title().startswith("warptour")
    asked = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert asked and all(address.startswith(view.address) for address in asked)


def test_the_file_that_the_browser_is_given_leads_to_the_page(serve, open_page, tmp_path):
    view = serve()
    door = tmp_path / "open.html"
    door.write_text(DOOR.format(address=view.address))
    page = open_page(SimpleNamespace(address=door.as_uri()))
    page.get_by_text("Drop a file here, choose one, or generate an example.").wait_for()
    assert page.url == view.address


@pytest.mark.parametrize("width", [360, 1920])
def test_it_fits_the_screen_and_everything_has_a_name(serve, open_page, width):
    page = open_page(serve("clustered:200:1"), width=width, height=740)
    wait_for_detail(page, vertices=200)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert ink(page) > 300
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, [tabindex='0']")].filter((element) =>
          element.checkVisibility() && !element.labels?.length && !element.getAttribute("aria-label")
          && !element.textContent.trim()).map((element) => element.outerHTML)"""
    )
    assert nameless == []


def test_it_is_dark_where_that_is_wished(serve, open_page):
    view = serve("uniform:200:1")
    light, dark = (open_page(view, color_scheme=scheme) for scheme in ("light", "dark"))
    for page in (light, dark):
        wait_for_detail(page, vertices=200)
    assert pixels(light).mean() > 200 and pixels(dark).mean() < 60


def test_the_keyboard_reaches_and_moves_the_map(serve, open_page):
    page = open_page(serve("uniform:500:1"))
    wait_for_detail(page, vertices=500)
    page.locator("body").press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the tour"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "map"
    before = pixels(page)
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    wait_for_change(page, before)
    page.keyboard.press("Enter")
    page.locator("#announcement", has_text="city").wait_for(state="attached")
    page.keyboard.press("0")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Zoom in"


def test_many_cities_are_thinned_while_moving_and_complete_at_rest(serve, open_page):
    page = open_page(serve("uniform:250000:1"))
    wait_for_detail(page, vertices=250000)
    seen = page.evaluate(
        """async () => {
          const [map, canvas] = [document.querySelector(".map"), document.querySelector("canvas.lines")];
          for (let i = 0; i < 1000 && canvas.dataset.detail !== "thinned"; i++) {
            const turn = {deltaY: i % 2 ? 50 : -50, clientX: 500, clientY: 400, cancelable: true};
            map.dispatchEvent(new WheelEvent("wheel", turn));
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          return canvas.dataset.detail;
        }"""
    )
    assert seen == "thinned"
    page.locator('canvas.lines[data-detail="full"]').wait_for()
