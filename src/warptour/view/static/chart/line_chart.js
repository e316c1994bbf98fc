/** Lines that go down in steps over time, as SVG. */

import { draw, make } from "../parts/dom.js";
import { apart, makeScale, markTexts } from "./scale.js";

const EDGE = { top: 8, right: 12, bottom: 34 };
const LETTER = 6.4; // pixels
const LINE = 9;

/**
 * @typedef {{name: string, colour: number, times: number[], values: number[], until: number,
 *   kind: "cost" | "bound" | "level", bold: boolean}} Series
 */

export class LineChart {
  /** @param {{pointed: (time: number | null) => void, chosen: (time: number) => void}} on */
  constructor(on) {
    this.svg = draw("svg", { class: "chart", tabindex: 0, role: "img" });
    this.element = make("div", { class: "chart-frame" }, this.svg);
    this.on = on;
    /** @type {any} */ this.content = null;
    this.width = 0;
    this.height = 0;
    new ResizeObserver(() => {
      [this.width, this.height] = [this.element.clientWidth, this.element.clientHeight];
      if (this.content) this.draw(this.content);
    }).observe(this.element);
    this.svg.addEventListener("pointermove", (event) => this.point(this.timeAt(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("click", (event) => this.x && on.chosen(this.timeAt(event)));
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * @param {{series: Series[], label: string, yTitle: string, xLog: boolean, yLog: boolean,
   *   cursor: number | null}} content
   *   cursor: time of the tour that is shown
   */
  draw(content) {
    this.content = content;
    const { width, height, svg } = this;
    if (!width || !height) return;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("aria-label", content.label);
    const shown = content.series.filter((series) => series.values.length);
    if (!shown.length) return svg.replaceChildren();
    const y = this.yScale(shown, height, content.yLog);
    const texts = markTexts(y.marks);
    const left = 14 + LETTER * Math.max(...texts.map((text) => text.length), 3);
    const x = this.xScale(shown, left, width - EDGE.right, content.xLog);
    Object.assign(this, { x, y, left });
    this.pointer = draw("g", { class: "pointer" });
    const times = markTexts(x.marks);
    const widths = times.map((text) => LETTER * text.length);
    const heights = texts.map(() => LINE);
    svg.replaceChildren(
      ...apart(y, heights).map((k) => rule(left, width - EDGE.right, y.at(y.marks[k]), texts[k])),
      ...apart(x, widths).map((k) => tick(x.at(x.marks[k]), height - EDGE.bottom, times[k])),
      draw("text", { class: "title", x: width - EDGE.right, y: height - 4, "text-anchor": "end" }, "seconds"),
      draw("text", { class: "title", x: left, y: height - 4 }, content.yTitle),
      ...shown.map((series) => this.line(series)),
      ...(content.cursor === null ? [] : [this.upright(content.cursor, "cursor")]),
      this.pointer,
    );
  }

  xScale(shown, from, to, log) {
    const last = Math.max(...shown.map((series) => series.until), 1e-3);
    const firsts = shown.flatMap((series) => series.times.find((time) => time > 0) ?? []);
    const first = log ? Math.max(1e-4, Math.min(...firsts, last / 2)) : 0;
    return makeScale(first, last, from, to, log, Math.max(2, (to - from) / 64));
  }

  yScale(shown, height, log) {
    let [low, high] = [Infinity, -Infinity];
    for (const series of shown) {
      for (const value of series.values) {
        if (log && value <= 0) continue;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (low === Infinity) [low, high] = [0.001, 1];
    const room = 0.04 * (high - low);
    return makeScale(
      log ? low * 0.995 : low - room,
      log ? high * 1.005 : high + room,
      height - EDGE.bottom,
      EDGE.top,
      log,
      Math.max(2, (height - EDGE.bottom) / 36),
    );
  }

  /** A line in steps; improvements in the same pixel become one. @param {Series} series */
  line({ times, values, until, colour, kind, bold }) {
    const { x, y } = this;
    const round = (number) => Math.round(number * 10) / 10;
    let last = round(x.at(times[0]));
    let path = `M${last} ${round(y.at(values[0]))}`;
    for (let i = 1; i < times.length; i++) {
      const at = round(x.at(times[i]));
      if (at - last < 0.7 && i + 1 < times.length) continue;
      path += `H${at}V${round(y.at(values[i]))}`;
      last = at;
    }
    path += `H${round(x.at(Math.max(until, times.at(-1))))}`;
    return draw("path", { class: `series ${kind} run-${colour}${bold ? " bold" : ""}`, d: path });
  }

  upright(time, name) {
    const at = this.x.at(time);
    return draw("line", { class: name, x1: at, x2: at, y1: EDGE.top, y2: this.height - EDGE.bottom });
  }

  timeAt(event) {
    const { left, width } = this.svg.getBoundingClientRect();
    const pixel = ((event.clientX - left) * this.width) / width;
    return this.x ? Math.max(0, Math.min(this.x.high, this.x.back(Math.max(pixel, this.left)))) : 0;
  }

  point(time) {
    this.pointed = time;
    if (!this.x) return;
    this.pointer.replaceChildren(...(time === null ? [] : [this.upright(time, "crosshair")]));
    this.on.pointed(time);
  }

  key(event) {
    if (!this.x) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) {
      const pixel = this.x.at(this.pointed ?? this.content.cursor ?? this.x.low) + by * (event.shiftKey ? 40 : 8);
      this.point(Math.max(0, Math.min(this.x.high, this.x.back(Math.max(pixel, this.left)))));
    } else if (event.key === "Enter" && this.pointed !== null && this.pointed !== undefined)
      this.on.chosen(this.pointed);
    else if (event.key === "Escape") this.point(null);
    else return;
    event.preventDefault();
  }
}

function rule(left, right, y, text) {
  return draw(
    "g",
    { class: "rule" },
    draw("line", { x1: left, x2: right, y1: y, y2: y }),
    draw("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, text),
  );
}

function tick(x, y, text) {
  return draw(
    "g",
    { class: "rule" },
    draw("line", { x1: x, x2: x, y1: y, y2: y + 4 }),
    draw("text", { x, y: y + 16, "text-anchor": "middle" }, text),
  );
}

/** The value of a line in steps at a time, or null before it begins. */
export function valueAt({ times, values }, time) {
  let [low, high] = [-1, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low < 0 ? null : values[low];
}
