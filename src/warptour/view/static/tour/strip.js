/**
 * A solution as one line through the plane, pen up where it does not go.
 *
 * Routes follow one another through the depot, which is there twice between two of them, once in each colour, so that
 * no edge has two. Open routes do not return to it.
 */

export const PEN_UP = 255;
export const ROUTE_COLOURS = 12;

/** @typedef {{positions: Float32Array, shades: Uint8Array, firsts: Uint32Array}} Strip */

/**
 * @param {Float32Array} places by node
 * @param {{order: Int32Array, lengths: Int32Array, depot: number | null, open: boolean}} solution lengths: of routes
 * @param {number} world width of a whole turn around the globe in the plane; 0 where there is none
 * @returns {Strip} shade 0 for a tour, from 1 for routes; `firsts`: the vertex at which each route begins, and the end
 */
export function strip(places, { order, lengths, depot, open }, world) {
  if (!world && !lengths.length) return plainStrip(places, order, open);
  const pen = new Pen(order.length + 2 * lengths.length + 1, world);
  const at = (node, shade) => pen.to(places[2 * node], places[2 * node + 1], shade);
  const firsts = [];
  if (lengths.length === 0) {
    firsts.push(0);
    for (let i = 0; i < order.length; i++) at(order[i], 0);
    if (!open && order.length > 2) at(order[0], 0);
  } else {
    let next = 0;
    for (let route = 0; route < lengths.length; route++) {
      const shade = 1 + (route % ROUTE_COLOURS);
      firsts.push(pen.count);
      at(depot, shade);
      for (const end = next + lengths[route]; next < end; next++) at(order[next], shade);
      if (!open) at(depot, shade);
      else if (next < order.length) pen.lift(places, order[next - 1], depot);
    }
  }
  firsts.push(pen.count);
  return { ...pen.drawn(), firsts: Uint32Array.from(firsts) };
}

/**
 * Routes along streets; shades as of {@link strip}.
 * @param {{counts: Uint32Array, places: Float32Array}} streets longitude and latitude
 * @param {import("./projection.js").Projection} projection
 * @param {number} routes 0 for a tour
 * @returns {Strip}
 */
export function streetStrip({ counts, places }, projection, routes) {
  const pen = new Pen(places.length / 2, 0);
  const firsts = [];
  let next = 0;
  counts.forEach((count, route) => {
    firsts.push(pen.count);
    for (const end = next + count; next < end; next++) {
      const x = (places[2 * next] - projection.x) * projection.scaleX;
      pen.put(x, (places[2 * next + 1] - projection.y) * projection.scaleY, routes ? 1 + (route % ROUTE_COLOURS) : 0);
    }
  });
  firsts.push(pen.count);
  return { ...pen.drawn(), firsts: Uint32Array.from(firsts) };
}

/** A tour that nothing interrupts, as most large ones are. */
function plainStrip(places, order, open) {
  const count = order.length + (!open && order.length > 2 ? 1 : 0);
  const positions = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const node = order[i < order.length ? i : 0];
    positions[2 * i] = places[2 * node];
    positions[2 * i + 1] = places[2 * node + 1];
  }
  return { positions, shades: new Uint8Array(count), firsts: Uint32Array.of(0, count) };
}

/** Draws edges, those across the 180th meridian at both ends of the map. */
class Pen {
  constructor(capacity, world) {
    this.positions = new Float32Array(2 * capacity);
    this.shades = new Uint8Array(capacity);
    this.count = 0;
    this.world = world;
  }

  to(x, y, shade) {
    const turn = this.world && this.count ? this.turn(x, shade) : 0;
    if (turn) {
      const i = 2 * (this.count - 1);
      const [fromX, fromY] = [this.positions[i], this.positions[i + 1]];
      this.put(x + turn, y, shade);
      this.put(x + turn, y, PEN_UP);
      this.put(fromX - turn, fromY, PEN_UP);
      this.put(fromX - turn, fromY, shade);
    }
    this.put(x, y, shade);
  }

  turn(x, shade) {
    if (this.shades[this.count - 1] !== shade) return 0;
    const across = x - this.positions[2 * this.count - 2];
    return Math.abs(across) > this.world / 2 ? -Math.sign(across) * this.world : 0;
  }

  /** Moves from one node to another without a line. */
  lift(places, from, to) {
    for (const node of [from, to]) this.put(places[2 * node], places[2 * node + 1], PEN_UP);
  }

  put(x, y, shade) {
    if (this.count === this.shades.length) this.grow();
    this.positions[2 * this.count] = x;
    this.positions[2 * this.count + 1] = y;
    this.shades[this.count++] = shade;
  }

  grow() {
    const more = 64 + (this.count >> 1);
    const [positions, shades] = [new Float32Array(2 * (this.count + more)), new Uint8Array(this.count + more)];
    positions.set(this.positions);
    shades.set(this.shades);
    [this.positions, this.shades] = [positions, shades];
  }

  drawn() {
    return { positions: this.positions.subarray(0, 2 * this.count), shades: this.shades.subarray(0, this.count) };
  }
}
