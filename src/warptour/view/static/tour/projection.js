/** From coordinates to the plane that is drawn, of size 1 around the origin, y upwards; and back. */

/** @typedef {{x: number, y: number, scaleX: number, scaleY: number, width: number, height: number}} Projection */

/**
 * Places in the plane. Latitude and longitude become an equirectangular map, true to scale in its middle latitude.
 * @param {Float64Array} coordinates x₀ y₀ x₁ y₁ …, or longitude and latitude
 * @param {boolean} geographic
 * @returns {{projection: Projection, places: Float32Array}}
 */
export function project(coordinates, geographic) {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < coordinates.length; i += 2) {
    const x = coordinates[i];
    const y = coordinates[i + 1];
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < bottom) bottom = y;
    if (y > top) top = y;
  }
  const x = (left + right) / 2;
  const y = (bottom + top) / 2;
  const stretch = geographic ? Math.max(0.1, Math.cos((y * Math.PI) / 180)) : 1;
  const span = Math.max((right - left) * stretch, top - bottom) || 1;
  const [scaleX, scaleY] = [stretch / span, 1 / span];
  const places = new Float32Array(coordinates.length);
  for (let i = 0; i < coordinates.length; i += 2) {
    places[i] = (coordinates[i] - x) * scaleX;
    places[i + 1] = (coordinates[i + 1] - y) * scaleY;
  }
  return {
    projection: { x, y, scaleX, scaleY, width: (right - left) * scaleX, height: (top - bottom) * scaleY },
    places,
  };
}
