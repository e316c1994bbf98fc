/** Meridians and parallels below a map, and labels at its edge. */

const STEPS = [90, 45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const APART = 60; // pixels
const EDGE = 22; // pixels at the bottom, where meridians have their labels

/**
 * Lines in pixels with their labels; `from` and `to` are their ends, at the edges of the map or the window.
 * @param {import("./projection.js").Projection} projection
 * @param {import("./camera.js").Camera} camera
 * @returns {{vertical: boolean, at: number, from: number, to: number, label: string}[]}
 */
export function graticule(projection, camera) {
  const [left, bottom, right, top] = camera.box;
  const west = Math.max(-180, projection.x + left / projection.scaleX);
  const east = Math.min(180, projection.x + right / projection.scaleX);
  const south = Math.max(-90, projection.y + bottom / projection.scaleY);
  const north = Math.min(90, projection.y + top / projection.scaleY);
  const [westX, northY] = camera.toPixel(
    (west - projection.x) * projection.scaleX,
    (north - projection.y) * projection.scaleY,
  );
  const [eastX, southY] = camera.toPixel(
    (east - projection.x) * projection.scaleX,
    (south - projection.y) * projection.scaleY,
  );
  const lines = [];
  for (const degrees of marks(west, east, projection.scaleX * camera.scale)) {
    const at = camera.toPixel((degrees - projection.x) * projection.scaleX, 0)[0];
    lines.push({ vertical: true, at, from: northY, to: southY, label: label(degrees, "E", "W") });
  }
  for (const degrees of marks(south, north, projection.scaleY * camera.scale)) {
    const at = camera.toPixel(0, (degrees - projection.y) * projection.scaleY)[1];
    lines.push({ vertical: false, at, from: westX, to: eastX, label: label(degrees, "N", "S") });
  }
  return lines;
}

function marks(low, high, pixelsPerDegree) {
  const step = STEPS.findLast((degrees) => degrees * pixelsPerDegree >= APART) ?? STEPS[0];
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) found.push(Number((i * step).toFixed(6)));
  return found;
}

function label(degrees, positive, negative) {
  return `${Math.abs(degrees)}°${degrees === 0 ? "" : degrees > 0 ? ` ${positive}` : ` ${negative}`}`;
}

/** @param {CanvasRenderingContext2D} context in CSS pixels */
export function drawGraticule(context, lines, camera, colours) {
  context.lineWidth = 1;
  context.strokeStyle = colours.faint;
  context.fillStyle = colours.text;
  context.font = "11px system-ui, sans-serif";
  let taken = -Infinity; // right end of the last label of a meridian
  for (const { vertical, at, from, to, label: text } of lines) {
    const place = Math.round(at) + 0.5;
    context.beginPath();
    context.moveTo(vertical ? place : from, vertical ? from : place);
    context.lineTo(vertical ? place : to, vertical ? to : place);
    context.stroke();
    const bottom = Math.min(to + 14, camera.height - 6);
    if (!vertical) {
      if (Math.abs(place - 4 - bottom) > EDGE - 6) context.fillText(text, Math.max(from, 0) + 4, place - 4);
      continue;
    }
    const width = context.measureText(text).width;
    const left = place + 4 + width < camera.width ? place + 4 : place - 4 - width;
    if (left < taken + 6) continue;
    context.fillText(text, left, bottom);
    taken = left + width;
  }
}
