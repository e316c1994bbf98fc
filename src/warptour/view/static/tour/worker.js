/** Reads, prepares and draws beside the page, for `Drawer`: one set of places and one solution at a time. */

import { getBytes } from "../parts/api.js";
import { makeGrid } from "./grid.js";
import { project } from "./projection.js";
import { pyramid } from "./pyramid.js";
import { raster } from "./raster.js";
import { streetStrip, strip } from "./strip.js";
import { Tours } from "./tours.js";

const tours = new Tours();
/** @type {{places: Float32Array, projection: any, geographic: boolean, grid: any} | null} */
let ground = null;
/** @type {import("./tours.js").Solution | null} */
let solution = null;
const lines = {};

const answers = {
  /** Reads coordinates; returns the places. */
  async places({ path, geographic }) {
    const coordinates = await getBytes(`${path}/coordinates`);
    const { places, projection } = project(new Float64Array(coordinates), geographic);
    ground = { places, projection, geographic, grid: null };
    return { places, projection };
  },

  /** Returns a grid over the places. */
  grid() {
    ground.grid ??= makeGrid(ground.places, ground.projection);
    return ground.grid;
  },

  /** Returns a pyramid of all places, in the order of the grid. */
  dots() {
    const { places } = ground;
    const { nodes } = answers.grid();
    const positions = new Float32Array(places.length);
    nodes.forEach((node, i) => {
      positions[2 * i] = places[2 * node];
      positions[2 * i + 1] = places[2 * node + 1];
    });
    lines.dots = pyramid({ positions, shades: new Uint8Array(nodes.length), firsts: new Uint32Array(0) });
    return { line: lines.dots };
  },

  /** Reads a tour in advance. */
  fetch({ path }) {
    tours.get(path).catch(() => {});
  },

  /** Reads a tour; returns its pyramid, and the number of its routes. */
  async tour({ path, depot, open }) {
    solution = await tours.get(path);
    const world = ground.geographic ? 360 * ground.projection.scaleX : 0;
    const { streets } = solution;
    lines.tour = pyramid(
      streets ? streetStrip(streets, ground.projection, solution.lengths.length)
        : strip(ground.places, { ...solution, depot, open }, world),
    );
    lines.tour.streets = Boolean(streets);
    return { line: lines.tour, routes: solution.lengths.length };
  },

  /** Returns the index of the route of a node, or null. */
  routeOf({ node }) {
    let left = solution?.lengths.length ? solution.order.indexOf(node) : -1;
    return left < 0 ? null : solution.lengths.findIndex((length) => (left -= length) < 0);
  },

  /** Draws a line. */
  picture({ name, level, view, palette, dots }) {
    const began = performance.now();
    return { ...raster(lines[name], level, view, palette, dots), milliseconds: performance.now() - began };
  },
};

onmessage = async ({ data: { id, task, value } }) => {
  try {
    const result = await answers[task](value);
    postMessage({ id, result }, task === "picture" ? [result.pixels.buffer] : []);
  } catch (error) {
    postMessage({ id, error: error.message });
  }
};
