/** The city under the pointer: a mark on the map, and a label with its name. */

import { get } from "../parts/api.js";
import { make, setText } from "../parts/dom.js";
import { cost, load } from "../parts/format.js";
import { say } from "../parts/messages.js";
import { nearest } from "./grid.js";

const REACH = 14; // pixels
const DELAY = 60; // milliseconds before the server is asked

export class CityLabel {
  /** @param {import("./scene.js").Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.element = make("div", { class: "city", hidden: true });
    /** Path of the problem or trace that knows the names. */ this.source = null;
    this.node = -1;
    this.timer = 0;
  }

  /** Points at a pixel; returns the node there, or -1. */
  point(x, y, reach = REACH) {
    const { ground, camera } = this.scene;
    if (!ground?.grid) return -1;
    const [planeX, planeY] = camera.toPlane(x, y);
    const node = nearest(ground.grid, ground.places, planeX, planeY, reach / camera.scale);
    if (node !== this.node) this.show(node);
    return node;
  }

  clear() {
    if (this.node !== -1) this.show(-1);
  }

  /** Marks a node, and tells what it is; aloud if it was asked for. */
  show(node, spoken = false) {
    this.node = node;
    clearTimeout(this.timer);
    setText(this.element, "");
    this.scene.touch();
    if (node < 0 || !this.source) return;
    this.timer = setTimeout(async () => {
      const facts = await get(`${this.source}/nodes/${node}`).catch(() => null);
      if (facts && node === this.node) this.tell(facts, spoken);
    }, DELAY);
  }

  tell(facts, spoken) {
    const parts = [facts.name ?? `city ${facts.node + 1}`];
    if (facts.demand) parts.push(`demand ${load(facts.demand, facts.load_unit)}`);
    if (facts.hours) parts.push(`open ${facts.hours}`);
    const place = this.scene.geographic ? [facts.y, facts.x] : [facts.x, facts.y]; // latitude first, as tables have it
    parts.push(place.map((value) => cost(value, 4)).join(", "));
    setText(this.element, parts.join(" · "));
    this.place();
    if (spoken) say(parts.join(", "));
  }

  /** Puts the label beside its city. */
  place() {
    if (this.node < 0 || this.element.hidden) return;
    const { camera } = this.scene;
    const [x, y] = this.pixel();
    this.element.dataset.at = `${Math.round(x)},${Math.round(y)}`; // for tests
    const left = Math.max(4, Math.min(camera.width - this.element.offsetWidth - 4, x + 12));
    const top = y > 50 ? y - this.element.offsetHeight - 8 : y + 12;
    this.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  pixel() {
    const { ground, camera } = this.scene;
    return camera.toPixel(ground.places[2 * this.node], ground.places[2 * this.node + 1]);
  }

  /** @param {CanvasRenderingContext2D} context */
  draw(context) {
    if (this.node < 0) return;
    const [x, y] = this.pixel();
    context.beginPath();
    context.arc(x, y, 6, 0, 7);
    context.lineWidth = 2;
    context.strokeStyle = this.scene.colours.accent;
    context.stroke();
    this.place();
  }
}
