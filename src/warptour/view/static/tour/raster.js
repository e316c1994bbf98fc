/**
 * Lines of one pixel, drawn by counting coverage. Without a GPU this is ten times as fast as WebGL, which then runs on
 * the same cores, and it runs beside the page instead of stopping it.
 */

import { PEN_UP } from "./strip.js";
import { within } from "./pyramid.js";

/** @typedef {{x: number, y: number, scale: number, width: number, height: number}} View in device pixels */

/**
 * @param {import("./pyramid.js").Pyramid} line
 * @param {number} level
 * @param {View} view
 * @param {Uint32Array} palette colour of each shade, as bytes red green blue 0 in memory
 * @param {boolean} dots vertices instead of edges
 * @returns {{pixels: Uint8ClampedArray, vertices: number}} colours with their coverage as opacity
 */
export function raster(line, level, view, palette, dots) {
  const plane = new Plane(view);
  const { width, height, scale } = view;
  const [across, up] = [(width / 2 + 1) / scale, (height / 2 + 1) / scale];
  const { ranges, vertices } = within(line, level, [view.x - across, view.y - up, view.x + across, view.y + up]);
  plane.dotWeight = Math.min(0.7, Math.max(0.12, (0.15 * width * height) / vertices));
  for (const [first, count] of ranges) (dots ? drawDots : drawEdges)(plane, line, first, count, view);
  return { pixels: plane.coloured(palette), vertices };
}

function drawEdges(plane, { positions, shades }, first, count, { x, y, scale, width, height }) {
  const left = width / 2 - x * scale;
  const top = height / 2 + y * scale;
  const right = width - 1;
  const bottom = height - 1;
  let fromX = left + positions[2 * first] * scale;
  let fromY = top - positions[2 * first + 1] * scale;
  let before = fromX >= 1 && fromX < right && fromY >= 1 && fromY < bottom;
  for (let i = first + 1; i < first + count; i++) {
    const toX = left + positions[2 * i] * scale;
    const toY = top - positions[2 * i + 1] * scale;
    const inside = toX >= 1 && toX < right && toY >= 1 && toY < bottom;
    if (shades[i] !== PEN_UP) {
      if (before && inside) plane.edge(fromX, fromY, toX, toY, shades[i]);
      else plane.partOfEdge(fromX, fromY, toX, toY, shades[i]);
    }
    fromX = toX;
    fromY = toY;
    before = inside;
  }
}

function drawDots(plane, { positions, shades }, first, count, { x, y, scale, width, height }) {
  const [left, top] = [width / 2 - x * scale, height / 2 + y * scale];
  for (let i = first; i < first + count; i++) {
    plane.dot(left + positions[2 * i] * scale, top - positions[2 * i + 1] * scale, shades[i]);
  }
}

/** Coverage, from 0 to 255, and the last shade of every pixel. */
class Plane {
  constructor({ width, height }) {
    this.width = width;
    this.height = height;
    this.coverage = new Uint8Array(width * height);
    this.shades = new Uint8Array(width * height);
    /** Opacity of a dot, less where there are many. */ this.dotWeight = 1;
  }

  partOfEdge(fromX, fromY, toX, toY, shade) {
    const part = clip(fromX, fromY, toX, toY, this.width - 1.01, this.height - 1.01);
    if (part) this.edge(part[0], part[1], part[2], part[3], shade);
  }

  /** An edge inside: steps of a pixel along its longer direction, each shared by the two pixels across. */
  edge(fromX, fromY, toX, toY, shade) {
    const { width, coverage, shades } = this;
    const right = toX - fromX;
    const down = toY - fromY;
    const flat = Math.abs(right) >= Math.abs(down);
    const length = flat ? Math.abs(right) : Math.abs(down);
    const steps = length <= 1 ? 1 : Math.ceil(length);
    const weight = length > 0 ? length / steps : 0.2;
    const stepX = right / steps;
    const stepY = down / steps;
    const across = flat ? width : 1;
    let x = fromX + stepX / 2 - (flat ? 0 : 0.5);
    let y = fromY + stepY / 2 - (flat ? 0.5 : 0);
    for (let step = 0; step < steps; step++, x += stepX, y += stepY) {
      const column = x | 0;
      const row = y | 0;
      const share = (flat ? y - row : x - column) * weight;
      const i = row * width + column;
      const j = i + across;
      coverage[i] += (255 - coverage[i]) * (weight - share);
      coverage[j] += (255 - coverage[j]) * share;
      if (shade) shades[i] = shades[j] = shade;
    }
  }

  /** A dot of two by two pixels. */
  dot(x, y, shade) {
    const { width, height, coverage, shades } = this;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const corner = (Math.round(y) - 1) * width + Math.round(x) - 1;
    for (const i of [corner, corner + 1, corner + width, corner + width + 1]) {
      coverage[i] += (255 - coverage[i]) * this.dotWeight;
      shades[i] = shade;
    }
  }

  coloured(palette) {
    const { coverage, shades } = this;
    const words = new Uint32Array(coverage.length);
    for (let i = 0; i < words.length; i++) if (coverage[i]) words[i] = palette[shades[i]] | (coverage[i] << 24);
    return new Uint8ClampedArray(words.buffer);
  }
}

/** The part of an edge between 1 and `right`, 1 and `bottom`; null if there is none (Liang and Barsky). */
function clip(fromX, fromY, toX, toY, right, bottom) {
  let [enter, leave] = [0, 1];
  for (const [start, by, end] of [
    [fromX, toX - fromX, right],
    [fromY, toY - fromY, bottom],
  ]) {
    if (by === 0) {
      if (start < 1 || start > end) return null;
      continue;
    }
    const [a, b] = [(1 - start) / by, (end - start) / by];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  if (enter >= leave) return null;
  const at = (part) => [fromX + (toX - fromX) * part, fromY + (toY - fromY) * part];
  return [...at(enter), ...at(leave)];
}
