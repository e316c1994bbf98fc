/** Routes of the plan that is shown: colour, stops, load, length and times; each can stand out on the map. */

import { make } from "../parts/dom.js";
import { withFocus } from "../parts/focus.js";
import { count, duration, length, lengthUnit, load as amount, percent, timeOfDay } from "../parts/format.js";
import { ROUTE_COLOURS } from "../tour/strip.js";

const SHOWN = 500; // rows, until all are asked for

export class RoutesTable {
  /** @param {import("./plan.js").Plan} plan */
  constructor(plan) {
    this.plan = plan;
    this.element = make("div", { class: "routes" });
    this.sorting = { by: "number", down: false };
    this.all = false;
    plan.on(() => this.render());
  }

  render() {
    const { rows } = this.plan;
    this.element.dataset.tour = this.plan.asked ?? ""; // for tests
    const empty = () => [make("p", { class: "quiet" }, "Routes appear here once there is a plan.")];
    withFocus(this.element, () => this.element.replaceChildren(...(rows.length ? this.parts(rows) : empty())));
  }

  parts(rows) {
    const { by, down } = this.sorting;
    const sorted = [...rows].sort((a, b) => (down ? -1 : 1) * ((a[by] ?? 0) - (b[by] ?? 0)));
    const shown = this.all ? sorted : sorted.slice(0, SHOWN);
    const unit = lengthUnit(this.plan.facts.unit);
    const heads = [
      this.head("number", "route"),
      this.head("stops", "stops"),
      this.head("load", this.plan.facts.load_unit ?? "load"),
      this.head("length", unit || "length"),
      ...this.times().map((name) => this.head(name, name)),
    ];
    const table = make(
      "table",
      { class: "figures" },
      make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...shown.map((row) => this.row(row))),
    );
    const title = `Show all ${count(sorted.length)} routes`;
    const more = shown.length < sorted.length ? [make("button", { type: "button", onclick: () => this.showAll() }, title)] : [];
    return [this.summary(), make("div", { class: "scroll" }, table), ...more];
  }

  showAll() {
    this.all = true;
    this.render();
  }

  /** The columns of times that the routes have. */
  times() {
    return ["leaves", "ends", "waits"].filter((name) => this.plan.rows[0][name] !== undefined);
  }

  time(name, seconds) {
    if (!this.plan.facts.clock) return amount(seconds);
    return name === "waits" ? duration(seconds) : timeOfDay(seconds);
  }

  summary() {
    const { rows, facts } = this.plan;
    const sum = (name) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
    const room = rows.reduce((total, row) => total + (row.capacity ?? facts.capacity ?? NaN), 0);
    const parts = [`${count(rows.length)} routes`, `${count(sum("stops"))} stops`, `${length(sum("length"), facts.unit)}`];
    if (sum("load")) parts.push(`load ${amount(sum("load"), facts.load_unit)}`);
    if (room) parts.push(`${percent((100 * sum("load")) / room)} of capacity`);
    return make("p", { class: "quiet" }, parts.join(" · "));
  }

  head(by, title) {
    const { sorting } = this;
    const sort = () => {
      this.sorting = { by, down: sorting.by === by ? !sorting.down : by !== "number" };
      this.render();
    };
    const direction = sorting.by !== by ? "none" : sorting.down ? "descending" : "ascending";
    const arrow = { none: "", ascending: " ▴", descending: " ▾" }[direction];
    return make(
      "th",
      { scope: "col", "aria-sort": direction },
      make("button", { type: "button", class: "plain", "data-key": `sort-${by}`, onclick: sort }, `${title}${arrow}`),
    );
  }

  row(row) {
    const { plan } = this;
    const vehicle = row.number - 1;
    const stand = (index) => () => plan.tour.highlight(index ?? plan.chosen);
    const button = make(
      "button",
      {
        type: "button",
        class: "plain",
        "data-key": `route-${vehicle}`,
        "aria-pressed": String(vehicle === plan.chosen),
        onclick: () => plan.toggle(vehicle),
        onfocus: stand(vehicle),
        onblur: stand(null),
      },
      make("span", { class: `swatch route-${vehicle % ROUTE_COLOURS}` }),
      row.vehicle ? `${row.number} · ${row.vehicle}` : `${row.number}`,
      plan.locked.vehicles.includes(vehicle) ? make("span", { class: "lock", role: "img", "aria-label": "locked" }) : null,
    );
    const listeners = { onpointerenter: stand(vehicle), onpointerleave: stand(null) };
    return make(
      "tr",
      { class: vehicle === plan.chosen ? "current" : "", "data-vehicle": vehicle, ...listeners },
      make("th", { scope: "row" }, button),
      make("td", {}, count(row.stops)),
      make("td", {}, this.load(row.load, row.capacity ?? plan.facts.capacity)),
      make("td", {}, length(row.length, plan.facts.unit, false)),
      ...this.times().map((name) => make("td", {}, this.time(name, row[name]))),
    );
  }

  load(load, capacity) {
    if (!capacity) return amount(load);
    const filled = make("span", { class: load > capacity ? "filled over" : "filled" });
    filled.style.width = `${Math.min(100, (100 * load) / capacity)}%`;
    const title = `load ${amount(load)} of ${amount(capacity, this.plan.facts.load_unit)}`;
    return make("span", { class: "bar", title }, filled, make("span", { class: "value" }, amount(load)));
  }
}
