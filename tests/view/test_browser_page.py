"""The page opens in Chromium without an error, and without asking anyone else."""

from __future__ import annotations


def test_the_page_opens_and_asks_this_server_only(serve, open_page):
    view = serve()
    page = open_page(view)
    page.wait_for_load_state("load")
    assert page.title().startswith("warptour")
    asked = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert asked and all(address.startswith(view.address) for address in asked)
