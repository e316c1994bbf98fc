/** Places in the cells of a grid: which one is near, and an order in which neighbours are near each other. */

const PER_CELL = 3;

/**
 * @typedef {{left: number, bottom: number, size: number, columns: number, rows: number, starts: Uint32Array,
 *   nodes: Uint32Array}} Grid
 */

/** @param {Float32Array} places @param {{width: number, height: number}} extent @returns {Grid} */
export function makeGrid(places, { width, height }) {
  const count = places.length / 2;
  const size = Math.sqrt((Math.max(width, 1e-6) * Math.max(height, 1e-6) * PER_CELL) / Math.max(count, 1));
  const [columns, rows] = [limited(width / size), limited(height / size)];
  const side = Math.max(width / columns, height / rows) || 1;
  const grid = { left: -width / 2, bottom: -height / 2, size: side, columns, rows };
  const cells = new Uint32Array(count);
  const starts = new Uint32Array(columns * rows + 1);
  for (let i = 0; i < count; i++) {
    cells[i] = cellOf(grid, places[2 * i], places[2 * i + 1]);
    starts[cells[i] + 1]++;
  }
  for (let cell = 0; cell < columns * rows; cell++) starts[cell + 1] += starts[cell];
  const next = starts.slice();
  const nodes = new Uint32Array(count);
  for (let i = 0; i < count; i++) nodes[next[cells[i]]++] = i;
  return { ...grid, starts, nodes };
}

function limited(cells) {
  return Math.min(4096, Math.max(1, Math.floor(cells)));
}

function cellOf({ left, bottom, size, columns, rows }, x, y) {
  const column = Math.min(columns - 1, Math.max(0, Math.floor((x - left) / size)));
  const row = Math.min(rows - 1, Math.max(0, Math.floor((y - bottom) / size)));
  return row * columns + (row % 2 ? columns - 1 - column : column);
}

/**
 * The node nearest to a point, at most `reach` away; -1 if there is none.
 * @param {Grid} grid @param {Float32Array} places
 */
export function nearest(grid, places, x, y, reach) {
  let [found, best] = [-1, reach * reach];
  const steps = (from, origin, most) => Math.min(most - 1, Math.max(0, Math.floor((from - origin) / grid.size)));
  const [firstRow, lastRow] = [steps(y - reach, grid.bottom, grid.rows), steps(y + reach, grid.bottom, grid.rows)];
  const [firstColumn, lastColumn] = [
    steps(x - reach, grid.left, grid.columns),
    steps(x + reach, grid.left, grid.columns),
  ];
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      const cell = row * grid.columns + (row % 2 ? grid.columns - 1 - column : column);
      for (let i = grid.starts[cell]; i < grid.starts[cell + 1]; i++) {
        const node = grid.nodes[i];
        const square = (places[2 * node] - x) ** 2 + (places[2 * node + 1] - y) ** 2;
        if (square <= best) [found, best] = [node, square];
      }
    }
  }
  return found;
}
