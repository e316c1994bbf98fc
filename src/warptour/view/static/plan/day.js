/** The day of each vehicle along one axis of time: it drives, waits and serves. */

import { makeScale, markTexts } from "./chart/scale.js";
import { draw, make } from "./parts/dom.js";
import { cost, timeOfDay } from "./parts/format.js";
import { ROUTE_COLOURS } from "./tour/strip.js";

const WIDTH = 1000; // of a drawing, whatever the screen's
const HEIGHT = 20;
const STEPS = [300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400]; // seconds between two marks of a clock
const MOST_MARKS = 8;
const SHOWN = 200; // vehicles

export class DayPanel {
  /** @param {import("./routes_table.js").RoutesTable} routes */
  constructor(routes) {
    this.routes = routes;
    this.element = make("div");
    this.rows = [];
    routes.marked = (route) => this.mark(route);
  }

  /** @param {any[]} rows routes with their visits */
  show(rows) {
    this.rows = rows.filter((row) => row.visits?.length);
    const [low, high] = [Math.min(...this.rows.map((row) => row.leaves)), Math.max(...this.rows.map((row) => row.ends))];
    if (!this.rows.length) {
      this.element.replaceChildren();
      return;
    }
    this.scale = makeScale(low, high, 0, WIDTH, false, MOST_MARKS);
    if (this.routes.clock) this.scale.marks = clockMarks(low, high);
    const days = this.rows.slice(0, SHOWN).flatMap((row) => this.day(row));
    this.element.replaceChildren(legend(), make("div", { class: "day scroll" }, make("span"), this.axis(), ...days));
    this.mark(this.routes.chosen);
  }

  axis() {
    const { marks, at } = this.scale;
    const texts = this.routes.clock ? marks.map(timeOfDay) : markTexts(marks);
    return draw("svg", { "aria-hidden": true }, ...marks.map((mark, k) => centred(at(mark), texts[k])));
  }

  /** The button and the drawing of a vehicle's day. */
  day(row) {
    const route = row.number - 1;
    const name = row.vehicle ?? `Route ${row.number}`;
    const choose = () => this.routes.choose(route === this.routes.chosen ? null : route);
    const stand = (index) => () => this.routes.tour.highlight(index ?? this.routes.chosen);
    const listeners = { onpointerenter: stand(route), onpointerleave: stand(null) };
    const swatch = make("span", { class: `swatch route-${route % ROUTE_COLOURS}` });
    const button = make(
      "button",
      { type: "button", class: "plain", "data-route": route, onclick: choose, ...listeners },
      swatch,
      name,
    );
    const said = `${name}: ${this.text(row.leaves)} to ${this.text(row.ends)}, ${row.stops} stops`;
    const picture = drawing({ class: `route-${route % ROUTE_COLOURS}`, role: "img", "aria-label": said });
    picture.append(...this.scale.marks.map((mark) => line("mark", this.scale.at(mark), this.scale.at(mark), 0, HEIGHT)));
    row.visits.forEach((visit, k) => picture.append(...this.visit(visit, row.visits[k - 1])));
    picture.append(...(row.breaks ?? []).map((hours) => this.rest(hours)));
    picture.addEventListener("click", choose);
    for (const [event, listener] of Object.entries(listeners)) picture.addEventListener(event.slice(2), listener);
    return [button, picture];
  }

  /** What a visit is drawn as: the way there, the wait and the service. */
  visit([node, arrives, starts, departs], before) {
    const { at } = this.scale;
    const parts = before ? [line("drives", at(before[3]), at(arrives), HEIGHT / 2, HEIGHT / 2)] : [];
    if (starts > arrives) parts.push(box("waits", at(arrives), at(starts)));
    const about = `Stop ${node + 1}: arrives ${this.text(arrives)}, begins ${this.text(starts)}, leaves ${this.text(departs)}`;
    const served = box("serves", at(starts), Math.max(at(departs), at(starts) + 3));
    served.append(draw("title", {}, about));
    return [...parts, served];
  }

  /** A break of the driver. */
  rest([from, to]) {
    const rests = box("rests", this.scale.at(from), this.scale.at(to));
    rests.append(draw("title", {}, `Break: ${this.text(from)} to ${this.text(to)}`));
    return rests;
  }

  /** Marks the vehicle that is chosen. */
  mark(route) {
    for (const button of this.element.querySelectorAll("[data-route]")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.route) === route));
      button.classList.toggle("current", Number(button.dataset.route) === route);
    }
  }

  text(time) {
    return this.routes.clock ? timeOfDay(time) : cost(time);
  }
}

/** Round times of a day between two. */
function clockMarks(low, high) {
  const step = STEPS.find((size) => (high - low) / size <= MOST_MARKS) ?? STEPS.at(-1);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, k) => (first + k) * step);
}

function legend() {
  const parts = [
    ["drives", line("drives", 0, 40, 10, 10)],
    ["waits", box("waits", 0, 40)],
    ["serves", box("serves", 0, 40)],
    ["breaks", box("rests", 0, 40)],
  ];
  const items = parts.map(([name, part]) =>
    make("span", {}, draw("svg", { viewBox: `0 0 40 ${HEIGHT}`, "aria-hidden": true }, part), ` ${name}`),
  );
  return make("p", { class: "quiet legend" }, ...items);
}

function drawing(attributes, ...children) {
  return draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", ...attributes }, ...children);
}

function line(name, x1, x2, y1, y2) {
  return draw("line", { class: name, x1, x2, y1, y2, "vector-effect": "non-scaling-stroke" });
}

function box(name, from, to) {
  return draw("rect", { class: name, x: from, y: 4, width: Math.max(0, to - from), height: HEIGHT - 8 });
}

/** A text at a place of the axis; it is not stretched, as the drawings are. */
function centred(x, text) {
  return draw("text", { x: `${(100 * x) / WIDTH}%`, y: "75%", "text-anchor": "middle" }, text);
}
