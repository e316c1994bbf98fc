/** Colours of the theme, for canvases. */

import { ROUTE_COLOURS } from "./strip.js";

/** `palette`, `words` and `hex`: the tour, then the routes, for the painters, the raster and SVG. */
export function readColours() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(name).trim();
  const names = ["--tour", ...Array.from({ length: ROUTE_COLOURS }, (_, i) => `--route-${i}`)];
  const bytes = names.map((name) => [1, 3, 5].map((at) => parseInt(named(name).slice(at, at + 2), 16)));
  const ground = named("--ground");
  return {
    clear: [1, 3, 5].map((at) => parseInt(ground.slice(at, at + 2), 16) / 255),
    palette: bytes.map((colour) => colour.map((part) => part / 255)),
    words: Uint32Array.from(bytes, ([red, green, blue]) => red | (green << 8) | (blue << 16)),
    hex: names.map(named),
    ground,
    faint: named("--line"),
    text: named("--quiet"),
    accent: named("--accent"),
    depot: named("--depot"),
  };
}
