/** Prepares and draws lines beside the page: see `Drawer`. One set of places and one solution at a time. */

import { makeGrid } from "./grid.js";
import { project } from "./projection.js";
import { pyramid } from "./pyramid.js";
import { raster } from "./raster.js";
import { strip } from "./strip.js";

/** @type {{places: Float32Array, projection: any, geographic: boolean} | null} */
let ground = null;
const lines = {};

const answers = {
  /** Takes coordinates; returns the places, a grid over them, and a pyramid of dots in the order of the grid. */
  places({ coordinates, geographic }) {
    ground = { ...project(new Float64Array(coordinates), geographic), geographic };
    const grid = makeGrid(ground.places, ground.projection);
    const positions = new Float32Array(ground.places.length);
    grid.nodes.forEach((node, i) => {
      positions[2 * i] = ground.places[2 * node];
      positions[2 * i + 1] = ground.places[2 * node + 1];
    });
    lines.dots = pyramid({ positions, shades: new Uint8Array(grid.nodes.length), firsts: new Uint32Array(0) });
    return { places: ground.places, projection: ground.projection, grid, line: lines.dots };
  },

  /** Takes a solution; returns its pyramid. */
  solution(solution) {
    const world = ground.geographic ? 360 * ground.projection.scaleX : 0;
    lines.tour = pyramid(strip(ground.places, solution, world));
    return { line: lines.tour };
  },

  /** Draws a line. */
  picture({ name, level, view, palette, dots }) {
    return raster(lines[name], level, view, palette, dots);
  },
};

onmessage = ({ data: { id, task, value } }) => {
  try {
    const result = answers[task](value);
    postMessage({ id, result }, task === "picture" ? [result.pixels.buffer] : []);
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
