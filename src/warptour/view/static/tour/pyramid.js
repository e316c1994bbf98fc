/**
 * A line at several levels of detail, each thinned in the order of the line, with the boxes of its chunks.
 *
 * Level 0 has every vertex. The others drop vertices closer than their tolerance to the last one that was kept, so that
 * nothing is drawn further off than that. Neighbours in a tour are neighbours in the plane: a view needs few chunks.
 */

const CHUNK = 512; // vertices
const COARSEST = 2 ** -7; // of the size of the plane: ten pixels of a large screen

/** @typedef {{first: number, count: number, tolerance: number, boxes: Float32Array}} Level */
/** @typedef {{positions: Float32Array, shades: Uint8Array, firsts: Uint32Array, levels: Level[]}} Pyramid */

/** @param {import("./strip.js").Strip} line @returns {Pyramid} */
export function pyramid({ positions, shades, firsts }) {
  const parts = [{ positions, shades, tolerance: 0 }];
  for (let tolerance = finest(positions); tolerance <= COARSEST; tolerance *= 2) {
    const finer = parts.at(-1);
    const kept = thin(finer, tolerance);
    if (kept.shades.length <= 0.7 * finer.shades.length) parts.push(kept);
  }
  const total = parts.reduce((sum, part) => sum + part.shades.length, 0);
  const all = { positions: new Float32Array(2 * total), shades: new Uint8Array(total), firsts };
  const levels = [];
  let first = 0;
  for (const part of parts) {
    all.positions.set(part.positions, 2 * first);
    all.shades.set(part.shades, first);
    levels.push({ first, count: part.shades.length, tolerance: part.tolerance, boxes: boxes(part.positions) });
    first += part.shades.length;
  }
  return { ...all, levels };
}

/** A power of two near the mean edge: less would drop few vertices. */
function finest(positions) {
  let total = 0;
  for (let i = 2; i < positions.length; i += 2) {
    const right = positions[i] - positions[i - 2];
    const up = positions[i + 1] - positions[i - 1];
    total += Math.sqrt(right * right + up * up);
  }
  return 2 ** Math.round(Math.log2(total / positions.length || COARSEST)) || COARSEST;
}

function thin({ positions, shades }, tolerance) {
  const keptPositions = new Float32Array(positions.length);
  const keptShades = new Uint8Array(shades.length);
  const [last, square] = [shades.length - 1, tolerance * tolerance];
  let [kept, x, y] = [0, Infinity, Infinity];
  for (let i = 0; i <= last; i++) {
    const right = positions[2 * i] - x;
    const up = positions[2 * i + 1] - y;
    const bend = i === 0 || i === last || shades[i] !== shades[i - 1] || shades[i] !== shades[i + 1];
    if (!bend && right * right + up * up < square) continue;
    x = keptPositions[2 * kept] = positions[2 * i];
    y = keptPositions[2 * kept + 1] = positions[2 * i + 1];
    keptShades[kept++] = shades[i];
  }
  return { positions: keptPositions.subarray(0, 2 * kept), shades: keptShades.subarray(0, kept), tolerance };
}

/** Left, bottom, right, top of every chunk, which ends with the first vertex of the next one. */
function boxes(positions) {
  const count = positions.length / 2;
  const found = new Float32Array(4 * Math.ceil(count / CHUNK));
  for (let chunk = 0; 4 * chunk < found.length; chunk++) {
    let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
    const end = Math.min(count - 1, (chunk + 1) * CHUNK);
    for (let i = chunk * CHUNK; i <= end; i++) {
      const x = positions[2 * i];
      const y = positions[2 * i + 1];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < bottom) bottom = y;
      if (y > top) top = y;
    }
    found.set([left, bottom, right, top], 4 * chunk);
  }
  return found;
}

/**
 * The parts of a level that a box may show.
 * @param {Pyramid} line @param {number} index @param {[number, number, number, number]} box
 * @returns {{ranges: [number, number][], vertices: number}} first vertex and number of vertices of each
 */
export function within(line, index, [left, bottom, right, top]) {
  const { first, count, boxes: all } = line.levels[index];
  /** @type {[number, number][]} */ const ranges = [];
  for (let chunk = 0; 4 * chunk < all.length; chunk++) {
    const i = 4 * chunk;
    if (all[i] > right || all[i + 2] < left || all[i + 1] > top || all[i + 3] < bottom) continue;
    const start = chunk * CHUNK;
    const length = Math.min(count - start, CHUNK + 1);
    const before = ranges.at(-1);
    if (before && before[0] + before[1] === first + start + 1) before[1] += length - 1;
    else ranges.push([first + start, length]);
  }
  return { ranges, vertices: ranges.reduce((sum, range) => sum + range[1], 0) };
}

/** The coarsest level that is at most `tolerance` off. @param {Pyramid} line @param {number} tolerance */
export function levelFor(line, tolerance) {
  let found = 0;
  line.levels.forEach((level, index) => (found = level.tolerance <= tolerance ? index : found));
  return found;
}
