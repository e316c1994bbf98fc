/** The day of each vehicle along one axis of time: it drives, waits and serves. */

import { makeScale, markTexts } from "../chart/scale.js";
import { draw, make } from "../parts/dom.js";
import { withFocus } from "../parts/focus.js";
import { cost, plural, timeOfDay } from "../parts/format.js";
import { ROUTE_COLOURS } from "../tour/strip.js";

const WIDTH = 1000; // of a drawing, whatever the screen's
const HEIGHT = 20;
const STEPS = [300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400]; // seconds between two marks of a clock
const MOST_MARKS = 8;
const SHOWN = 200; // vehicles

export class DayPanel {
  /** @param {HTMLElement} root @param {import("./plan.js").Plan} plan */
  constructor(root, plan) {
    this.root = root;
    this.plan = plan;
    this.body = make("div");
    root.append(make("div", { class: "head" }, make("h2", { id: "day-title" }, "Day of each vehicle"), legend()), this.body);
    root.hidden = true;
    plan.on(() => this.show());
  }

  show() {
    const { plan, body, root } = this;
    const rows = plan.rows.filter((row) => row.visits?.length);
    root.hidden = !rows.length;
    if (plan.facts !== this.drawn) this.draw(rows);
    this.drawn = plan.facts;
    for (const button of body.querySelectorAll("button")) {
      const current = Number(button.parentElement.dataset.vehicle) === plan.chosen;
      button.setAttribute("aria-pressed", String(current));
      button.parentElement.classList.toggle("current", current);
    }
    for (const served of body.querySelectorAll("[data-stop]"))
      served.classList.toggle("chosen", Number(served.dataset.stop) === plan.stop);
  }

  draw(rows) {
    if (!rows.length) return this.body.replaceChildren();
    const [low, high] = [Math.min(...rows.map((row) => row.leaves)), Math.max(...rows.map((row) => row.ends))];
    this.scale = makeScale(low, high, 0, WIDTH, false, MOST_MARKS);
    if (this.plan.facts.clock) this.scale.marks = clockMarks(low, high);
    const days = rows.slice(0, SHOWN).map((row) => this.day(row));
    const axis = make("div", { class: "vehicle axis", "aria-hidden": "true" }, make("span"), this.axis());
    withFocus(this.body, () => this.body.replaceChildren(make("div", { class: "day" }, axis, ...days)));
  }

  axis() {
    const { marks, at } = this.scale;
    const texts = this.plan.facts.clock ? marks.map(timeOfDay) : markTexts(marks);
    return draw("svg", {}, ...marks.map((mark, k) => centred(at(mark), texts[k])));
  }

  /** The button and the drawing of a vehicle's day. */
  day(row) {
    const { plan } = this;
    const vehicle = row.number - 1;
    const name = plan.name(vehicle);
    const stand = (index) => () => plan.tour.highlight(index ?? plan.chosen);
    const button = make(
      "button",
      { type: "button", class: "plain", "data-key": `day-${vehicle}`, onclick: () => plan.toggle(vehicle) },
      make("span", { class: `swatch route-${vehicle % ROUTE_COLOURS}` }),
      name,
    );
    const said = `${name}: ${this.text(row.leaves)} to ${this.text(row.ends)}, ${plural(row.stops, "stop", "stops")}`;
    const picture = drawing({ class: `route-${vehicle % ROUTE_COLOURS}`, role: "img", "aria-label": said });
    picture.append(...this.scale.marks.map((mark) => line("mark", this.scale.at(mark), this.scale.at(mark), 0, HEIGHT)));
    row.visits.forEach((visit, k) => picture.append(...this.visit(visit, row.visits[k - 1])));
    picture.append(...(row.breaks ?? []).map((hours) => this.rest(hours)));
    picture.addEventListener("click", (event) => {
      const stop = event.target.closest("[data-stop]");
      if (stop) plan.tour.showStop(Number(stop.dataset.stop));
      else plan.toggle(vehicle);
    });
    const listeners = { onpointerenter: stand(vehicle), onpointerleave: stand(null) };
    return make("div", { class: "vehicle", "data-vehicle": vehicle, ...listeners }, button, picture);
  }

  /** What a visit is drawn as: the way there, the wait and the service. */
  visit([node, arrives, starts, departs], before) {
    const { at } = this.scale;
    const parts = before ? [line("drives", at(before[3]), at(arrives), HEIGHT / 2, HEIGHT / 2)] : [];
    if (starts > arrives) parts.push(box("waits", at(arrives), at(starts)));
    const about = `Stop ${node + 1}: arrives ${this.text(arrives)}, begins ${this.text(starts)}, leaves ${this.text(departs)}`;
    const served = box("serves", at(starts), Math.max(at(departs), at(starts) + 3));
    served.dataset.stop = String(node);
    served.append(draw("title", {}, about));
    return [...parts, served];
  }

  /** A break of the driver. */
  rest([from, to]) {
    const rests = box("rests", this.scale.at(from), this.scale.at(to));
    rests.append(draw("title", {}, `Break: ${this.text(from)} to ${this.text(to)}`));
    return rests;
  }

  text(time) {
    return this.plan.facts.clock ? timeOfDay(time) : cost(time);
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
  return make("p", { class: "quiet key" }, ...items);
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
