/**
 * Draws what the camera sees: the tour over a graticule in one canvas, marks in another above it.
 *
 * A tour with few vertices in view is drawn directly, with edges as wide as there is room. One with many is drawn as
 * hairs by a GPU, or else as a picture by the worker, which the painter moves along until the next one comes. While
 * moving, lines are thinned to a vertex a pixel; full detail follows at rest.
 */

import { Camera } from "./camera.js";
import { CanvasPainter } from "./canvas_painter.js";
import { readColours } from "./colours.js";
import { drawGraticule, graticule } from "./graticule.js";
import { levelFor, within } from "./pyramid.js";
import { WebglPainter } from "./webgl_painter.js";

const REST = 120; // milliseconds without movement after which details are drawn
const DIRECT = { true: 100_000, false: 5_000 }; // vertices in view that are drawn directly, with a GPU and without
const MAX_PIXELS = 4e6; // of a picture by the worker
const FRAME = 40; // milliseconds that a picture may take while moving
const COARSEST = 6; // pixels that a thinned line may be off, if pictures take longer

export class Scene {
  /** @param {HTMLCanvasElement} tour @param {HTMLCanvasElement} above @param {import("./drawer.js").Drawer} drawer */
  constructor(tour, above, drawer) {
    Object.assign(this, { tour, above, drawer });
    this.below = document.createElement("canvas");
    this.camera = new Camera();
    /** Opened when there is something to draw: that takes a second without a GPU. @type {any} */ this.painter = null;
    this.colours = readColours();
    /** Places and grid of the worker. @type {any} */ this.ground = null;
    /** @type {import("./pyramid.js").Pyramid | null} */ this.line = null;
    this.dots = false;
    this.geographic = false;
    /** Index of the route that stands out. @type {number | null} */ this.route = null;
    /** Draws marks above: depot, the city under the pointer. */ this.marks = (_context) => {};
    /** Whether there are any. A canvas that is not there costs nothing while moving. */ this.marked = () => false;
    this.moved = -Infinity;
    this.drawnAt = 0;
    this.picture = null;
    this.asked = null;
    this.scheduled = false;
    /** Pixels that a picture may be off while moving: more where the machine is slow. */ this.tolerance = 1.2;
    this.pictures = 0;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.colours = readColours();
      this.refresh();
    });
  }

  /** Takes the size of the window. */
  resize(width, height) {
    this.camera.resize(width, height);
    this.touch();
  }

  /** Shows a line of the worker: cities as dots, or a solution. */
  show(line, dots) {
    this.line = line;
    this.dots = dots;
    this.route = null;
    this.refresh();
  }

  /** Draws all again, from the line. */
  refresh() {
    if (this.line) this.painter?.take(this.line);
    this.version = (this.version ?? 0) + 1;
    this.touch();
  }

  clear() {
    this.line = null;
    this.ground = null;
    this.picture = null;
    this.touch();
  }

  /** Says that the camera has moved. */
  move() {
    this.moved = performance.now();
    this.touch();
  }

  /** Draws in the next frame. */
  touch() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  /** Whether the camera moved since the last frame, however slow they are, or a moment ago. */
  get moving() {
    return this.moved > this.drawnAt || performance.now() - this.moved < REST;
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    this.painter ??= this.openPainter();
    const { camera, painter } = this;
    const view = scaled(camera.view, ratio);
    painter.begin(view, this.colours);
    if (this.ground && this.geographic) this.drawBelow(ratio);
    if (this.line) this.drawLine(view, ratio);
    this.drawAbove(ratio);
    if (this.moving) setTimeout(() => this.touch(), REST);
    this.drawnAt = performance.now();
  }

  openPainter() {
    const painter = WebglPainter.open(this.tour, () => this.refresh()) ?? new CanvasPainter(this.tour);
    this.tour.dataset.painter = painter.name;
    if (this.line) painter.take(this.line);
    return painter;
  }

  drawLine(view, ratio) {
    const { line, painter, camera, dots } = this;
    const seen = within(line, 0, camera.box);
    const room = Math.sqrt((camera.width * camera.height) / Math.max(1, seen.vertices));
    const opacity = this.route === null ? 1 : 0.18;
    const direct = seen.vertices <= DIRECT[painter.fast];
    if (direct) {
      if (!dots) painter.edges(seen.ranges, ratio * between(1, room / 14, 2.2), opacity);
      if (dots || (room > 9 && !line.streets)) painter.dots(seen.ranges, ratio * between(2, room / 5, 7), opacity);
      this.tell(0, seen.vertices, !this.moving);
    } else if (painter.fast) {
      const level = this.moving ? levelFor(line, 1 / view.scale) : 0;
      const { ranges, vertices } = level ? within(line, level, camera.box) : seen;
      if (dots) painter.dots(ranges, 2 * ratio, opacity * 0.6);
      else painter.hairs(ranges, opacity * 0.75);
      this.tell(level, vertices, level === 0);
    } else this.drawPicture(view, opacity);
    if (this.route !== null && !dots) {
      const first = line.firsts[this.route];
      const range = [first, line.firsts[this.route + 1] - first];
      painter.edges([range], 2.5 * ratio, 1);
      if (!line.streets && (room > 4 || range[1] < 500)) painter.dots([range], 5 * ratio, 1);
    }
  }

  /** Paints the newest picture, and asks the worker for the next one if the view has changed. */
  drawPicture(view, opacity) {
    const { line, camera, version, dots } = this;
    if (this.picture) this.painter.picture(this.picture, opacity);
    const level = this.moving ? levelFor(line, this.tolerance / camera.scale) : 0;
    const sharp = scaled(view, Math.min(1, Math.sqrt(MAX_PIXELS / (view.width * view.height))));
    const wanted = JSON.stringify([sharp, level, version]);
    if (this.asked || wanted === this.picture?.made) return;
    this.asked = wanted;
    const palette = this.colours.words;
    this.drawer
      .ask("picture", { name: dots ? "dots" : "tour", level, view: sharp, palette, dots })
      .then(({ pixels, vertices, milliseconds }) => {
        this.asked = null;
        if (level && milliseconds > FRAME) this.tolerance = Math.min(COARSEST, 1.3 * this.tolerance);
        else if (level && milliseconds < FRAME / 3) this.tolerance = Math.max(1.2, this.tolerance / 1.1);
        if (line === this.line) {
          this.picture = { pixels, view: sharp, made: wanted };
          this.tell(level, vertices, level === 0);
        }
        this.touch();
      });
  }

  /** Keeps what was drawn where tests and measurements can see it. */
  tell(level, vertices, full) {
    Object.assign(this.tour.dataset, { level, vertices, detail: full ? "full" : "thinned", pictures: ++this.pictures });
  }

  drawBelow(ratio) {
    const lines = graticule(this.ground.projection, this.camera);
    drawGraticule(sized(this.below, this.camera, ratio), lines, this.camera, this.colours);
    this.painter.backdrop(this.below);
    this.tour.dataset.meridians = String(lines.filter((line) => line.vertical).length);
  }

  drawAbove(ratio) {
    this.above.hidden = !this.ground || !this.marked();
    if (!this.above.hidden) this.marks(sized(this.above, this.camera, ratio));
  }
}

function scaled({ x, y, scale, width, height }, ratio) {
  return {
    x,
    y,
    scale: scale * ratio,
    width: Math.max(1, Math.round(width * ratio)),
    height: Math.max(1, Math.round(height * ratio)),
  };
}

function between(low, value, high) {
  return Math.max(low, Math.min(high, value));
}

function sized(canvas, { width, height }, ratio) {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
