"""Measure the page of ``warptour view`` in headless Chromium: ``python benchmarks/view.py TRACE [--canvas]``.

Prints seconds from opening the page to the first picture of the tour, frames and pictures per second while the map is
dragged for five seconds, and milliseconds from rest to full detail. WebGL runs on the CPU; ``--canvas`` is without it.
Needs Playwright, and Chromium on the path.
"""

import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import sync_playwright

from warptour.view.serve import View
from warptour.view.session import Session

WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization"]
CANVAS = ["--disable-gpu", "--disable-3d-apis"]

WATCH = """addEventListener("DOMContentLoaded", () => {
  window.pictures = [];
  new MutationObserver(() => {
    const { detail, vertices } = document.querySelector("canvas.lines").dataset;
    pictures.push([performance.now(), detail, Number(vertices)]);
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-pictures"] });
})"""

DRAG = """async () => {
  const map = document.querySelector(".map");
  map.setPointerCapture = () => {};
  const box = map.getBoundingClientRect();
  const send = (type, x, y) => map.dispatchEvent(new PointerEvent(type, {
    pointerId: 1, button: 0, clientX: box.left + box.width / 2 + x, clientY: box.top + box.height / 2 + y,
  }));
  pictures.length = 0;
  const began = performance.now();
  let frames = 0;
  send("pointerdown", 0, 0);
  while (performance.now() - began < 5000) {
    send("pointermove", 80 * Math.sin(frames / 9), 60 * Math.cos(frames / 7));
    await new Promise(requestAnimationFrame);
    frames++;
  }
  const ended = performance.now();
  send("pointerup", 0, 0);
  return [frames, began, ended];
}"""


def wait(seen: Callable[[], Any]) -> Any:
    """Return what is seen once there is something."""
    while not (found := seen()):
        time.sleep(0.05)
    return found


def main() -> None:
    """Serve a trace, open it, drag the map, and print what was measured."""
    session = Session()
    session.open(sys.argv[1])
    view = View(session, "127.0.0.1")
    thread = threading.Thread(target=view.run)
    thread.start()
    try:
        with sync_playwright() as driver:
            flags = ["--no-sandbox", *(CANVAS if "--canvas" in sys.argv else WEBGL)]
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            page.add_init_script(WATCH)
            page.goto(view.address)
            first, _, vertices = wait(lambda: page.evaluate("pictures.find((picture) => picture[2] > 0)"))
            painter = page.locator("canvas.lines").get_attribute("data-painter")
            print(f"{painter}: first picture after {first / 1000:.2f} s, {vertices:,} vertices")
            page.wait_for_timeout(3000)
            frames, began, ended = page.evaluate(DRAG)
            full = wait(
                lambda: page.evaluate(f"pictures.find((picture) => picture[0] > {ended} && picture[1] === 'full')")
            )
            thinned = [row for row in page.evaluate("pictures") if row[0] < ended and row[1] == "thinned"]
            seconds = (ended - began) / 1000
            shown = f"{thinned[-1][2]:,} vertices" if thinned else "not thinned"
            print(f"moving: {frames / seconds:.1f} frames and {len(thinned) / seconds:.1f} pictures a second, {shown}")
            print(f"full detail {full[0] - ended:.0f} ms after the last movement")
            browser.close()
    finally:
        view.stop()
        thread.join()


if __name__ == "__main__":
    main()
