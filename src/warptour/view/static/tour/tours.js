/** Solutions of traces, as the server sends them; in the worker. */

import { getBytes } from "../parts/api.js";

const KEPT_BYTES = 64e6;

/** @typedef {{seconds: number, cost: number, lengths: Int32Array, order: Int32Array,
 *   streets: {counts: Uint32Array, places: Float32Array} | null}} Solution streets: of each route, its longitudes and
 *   latitudes */

/** Reads an answer of `tours/K`. @param {ArrayBuffer} bytes @returns {Solution} */
export function decode(bytes) {
  const head = new DataView(bytes);
  const routes = head.getUint32(16, true);
  const nodes = head.getUint32(20, true);
  const after = 24 + 4 * (routes + nodes);
  const counts = bytes.byteLength > after ? new Uint32Array(bytes, after, Math.max(1, routes)) : null;
  return {
    seconds: head.getFloat64(0, true),
    cost: head.getFloat64(8, true),
    lengths: new Int32Array(bytes, 24, routes),
    order: new Int32Array(bytes, 24 + 4 * routes, nodes),
    streets: counts && { counts, places: new Float32Array(bytes, after + 4 * counts.length) },
  };
}

/** Solutions that were fetched, of which the last few stay for a replay. */
export class Tours {
  constructor() {
    /** @type {Map<string, Promise<Solution>>} */ this.kept = new Map();
  }

  /** @param {string} path @returns {Promise<Solution>} */
  get(path) {
    let solution = this.kept.get(path);
    if (!solution) {
      solution = getBytes(path).then(decode);
      solution.then(
        (found) => this.drop(KEPT_BYTES / (4 * found.order.length + 1)),
        () => this.kept.delete(path),
      );
    }
    this.kept.delete(path);
    this.kept.set(path, solution);
    return solution;
  }

  drop(most) {
    for (const key of this.kept.keys()) {
      if (this.kept.size <= Math.max(2, most)) break;
      this.kept.delete(key);
    }
  }
}
