/** Pictures of the tour that the page makes itself. */

import { graticule } from "./graticule.js";
import { PEN_UP } from "./strip.js";
import { make } from "../parts/dom.js";

const SIZE = 1000; // of an SVG, in its own units

/** Saves a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** What is seen now, as PNG. @param {import("./scene.js").Scene} scene @returns {Promise<Blob>} */
export function png(scene) {
  scene.draw();
  const picture = document.createElement("canvas");
  Object.assign(picture, { width: scene.tour.width, height: scene.tour.height });
  const context = picture.getContext("2d");
  context.drawImage(scene.tour, 0, 0);
  if (!scene.above.hidden) context.drawImage(scene.above, 0, 0);
  return new Promise((resolve) => picture.toBlob(resolve, "image/png"));
}

/** The whole tour in full detail, as SVG. @param {import("./scene.js").Scene} scene @param {number | null} depot */
export function svg(scene, depot) {
  const { ground, line, colours, dots } = scene;
  const { width, height } = ground.projection;
  const margin = 20;
  const across = Math.round(SIZE * width) + 2 * margin;
  const down = Math.round(SIZE * height) + 2 * margin;
  const x = (value) => (margin + SIZE * (value + width / 2)).toFixed(2);
  const y = (value) => (margin + SIZE * (height / 2 - value)).toFixed(2);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${across} ${down}">`,
    `<rect width="${across}" height="${down}" fill="${colours.ground}"/>`,
  ];
  if (scene.geographic) parts.push(...graticulePaths(scene, across, down, margin));
  const count = line.levels[0].count;
  const thickness = Math.max(0.4, Math.min(2, 60 / Math.sqrt(count)));
  parts.push(`<g fill="none" stroke-width="${thickness.toFixed(2)}" stroke-linejoin="round">`);
  if (!dots) parts.push(...paths(line, colours, x, y));
  parts.push("</g>");
  if (dots || count <= 20_000) {
    const radius = Math.max(0.6, Math.min(4, 100 / Math.sqrt(count))).toFixed(2);
    parts.push(`<g fill="${colours.hex[0]}">`);
    const { places } = ground;
    for (let i = 0; i < places.length; i += 2)
      parts.push(`<circle cx="${x(places[i])}" cy="${y(places[i + 1])}" r="${radius}"/>`);
    parts.push("</g>");
  }
  if (depot !== null) {
    const [left, top] = [x(ground.places[2 * depot]) - 5, y(ground.places[2 * depot + 1]) - 5];
    parts.push(`<rect x="${left.toFixed(2)}" y="${top.toFixed(2)}" width="10" height="10" fill="${colours.depot}"/>`);
  }
  parts.push("</svg>\n");
  return new Blob(
    parts.map((part) => `${part}\n`),
    { type: "image/svg+xml" },
  );
}

function paths({ positions, shades, levels }, colours, x, y) {
  const found = [];
  let points = [];
  const end = (shade) => {
    if (points.length > 1 && shade !== PEN_UP)
      found.push(`<path stroke="${colours.hex[shade]}" d="M${points.join(" ")}"/>`);
    points = [];
  };
  for (let i = 0; i < levels[0].count; i++) {
    if (i > 0 && shades[i] !== shades[i - 1]) end(shades[i - 1]);
    points.push(`${x(positions[2 * i])} ${y(positions[2 * i + 1])}`);
  }
  end(shades[levels[0].count - 1]);
  return found;
}

function graticulePaths({ ground, colours }, across, down, margin) {
  const { projection } = ground;
  const camera = {
    box: [-across / 2 / SIZE, -down / 2 / SIZE, across / 2 / SIZE, down / 2 / SIZE],
    scale: SIZE,
    toPixel: (x, y) => [margin + SIZE * (x + projection.width / 2), margin + SIZE * (projection.height / 2 - y)],
  };
  const label = `font-family="sans-serif" font-size="11" fill="${colours.text}"`;
  return graticule(projection, camera).flatMap(({ vertical, at, from, to, label: text }) => [
    `<path stroke="${colours.faint}" d="M${vertical ? `${at} ${from}V${to}` : `${from} ${at}H${to}`}"/>`,
    `<text ${label} x="${vertical ? at + 4 : 4}" y="${vertical ? down - 4 : at - 4}">${text}</text>`,
  ]);
}
