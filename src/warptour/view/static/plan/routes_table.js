/** Routes of the tour that is shown: colour, stops, load and length; each can stand out on the map. */

import { get } from "./parts/api.js";
import { make } from "./parts/dom.js";
import { cost, count, percent, plural, timeOfDay } from "./parts/format.js";
import { ROUTE_COLOURS } from "./tour/strip.js";

const SHOWN = 500; // rows, until all are asked for

export class RoutesTable {
  /** @param {import("./tour/panel.js").TourPanel} tour */
  constructor(tour) {
    this.tour = tour;
    this.element = make("div", { class: "routes" });
    this.rows = [];
    this.capacity = null;
    this.unserved = [];
    /** Whether times are those of a day, in seconds. */ this.clock = false;
    /** Unit of the lengths, null if it is not known. @type {string | null} */ this.unit = null;
    this.sorting = { by: "number", down: false };
    this.chosen = null;
    this.all = false;
    this.asked = null;
    /** Told of new rows, and of the route that is chosen. */ this.changed = this.marked = () => {};
    tour.routeChosen = (route) => this.choose(route === this.chosen ? null : route, true);
  }

  /** Reads the routes of a frame, latest wish first. */
  async show(trace, frame) {
    if (!trace || frame === null || trace.facts.kind !== "vrp") {
      this.rows = [];
      this.render();
      this.changed(this.rows);
      return;
    }
    const asked = (this.asked = `traces/${trace.id}/tours/${frame}/routes`);
    const answer = await get(asked).catch(() => null);
    if (!answer || asked !== this.asked) return;
    this.rows = answer.routes;
    this.capacity = answer.capacity;
    this.unserved = answer.unserved ?? [];
    this.clock = answer.clock;
    this.unit = answer.unit ?? null;
    this.render();
    this.changed(this.rows);
  }

  render() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.number : null;
    if (!this.rows.length) {
      this.element.replaceChildren(make("p", { class: "quiet" }, "Routes appear here for vehicle problems."));
      return;
    }
    const { by, down } = this.sorting;
    const sorted = [...this.rows].sort((a, b) => (down ? -1 : 1) * ((a[by] ?? 0) - (b[by] ?? 0)));
    const shown = this.all ? sorted : sorted.slice(0, SHOWN);
    const table = make(
      "table",
      { class: "figures" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          this.head("number", "route"),
          this.head("stops", "stops"),
          this.head("load", "load"),
          this.head("length", this.unit === null ? "length" : this.unit === "m" ? "km" : this.unit),
          ...this.times().map((name) => this.head(name, name)),
        ),
      ),
      make("tbody", {}, ...shown.map((row) => this.row(row))),
    );
    const more =
      shown.length < sorted.length
        ? make(
            "button",
            {
              type: "button",
              onclick: () => {
                this.all = true;
                this.render();
              },
            },
            `Show all ${count(sorted.length)} routes`,
          )
        : null;
    const parts = [this.summary(), this.left(), make("div", { class: "scroll" }, table), more];
    this.element.replaceChildren(...parts.filter((part) => part !== null));
    if (focused) this.element.querySelector(`[data-number="${focused}"]`)?.focus();
  }

  /** The columns of times that the routes have. */
  times() {
    return ["leaves", "waits", "ends"].filter((name) => this.rows[0][name] !== undefined);
  }

  time(seconds) {
    return this.clock ? timeOfDay(seconds) : cost(seconds);
  }

  summary() {
    const load = this.rows.reduce((sum, row) => sum + (row.load ?? 0), 0);
    const filled = this.capacity ? ` · ${percent((100 * load) / (this.capacity * this.rows.length))} of capacity` : "";
    return make("p", { class: "quiet" }, `${count(this.rows.length)} routes · load ${cost(load)}${filled}`);
  }

  /** The stops without a route, each with the reason. */
  left() {
    if (!this.unserved.length) return null;
    const title = `${plural(this.unserved.length, "stop is", "stops are")} not served`;
    const items = this.unserved.slice(0, SHOWN).map(({ name, text }) => make("li", {}, make("b", {}, name), ` ${text}`));
    return make("details", { class: "left", open: true }, make("summary", {}, title), make("ul", {}, ...items));
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
      make("button", { type: "button", class: "plain", onclick: sort }, `${title}${arrow}`),
    );
  }

  row({ number, stops, load, length, vehicle, capacity, ...times }) {
    const route = number - 1;
    const stand = (index) => () => this.tour.highlight(index ?? this.chosen);
    const button = make(
      "button",
      {
        type: "button",
        class: "plain",
        "data-number": number,
        "aria-pressed": String(route === this.chosen),
        onclick: () => this.choose(route === this.chosen ? null : route),
        onfocus: stand(route),
        onblur: stand(null),
      },
      make("span", { class: `swatch route-${route % ROUTE_COLOURS}` }),
      vehicle ?? `${number}`,
    );
    return make(
      "tr",
      { class: route === this.chosen ? "current" : "", onpointerenter: stand(route), onpointerleave: stand(null) },
      make("th", { scope: "row" }, button),
      make("td", {}, count(stops)),
      make("td", {}, this.load(load, capacity ?? this.capacity)),
      make("td", {}, this.unit === "m" ? (length / 1000).toFixed(1) : cost(length)),
      ...this.times().map((name) => make("td", {}, this.time(times[name]))),
    );
  }

  load(load, capacity) {
    if (!capacity) return cost(load);
    const filled = make("span", { class: "filled" });
    filled.style.width = `${Math.min(100, (100 * load) / capacity)}%`;
    return make("span", { class: "bar" }, filled, make("span", { class: "value" }, cost(load)));
  }

  /** Lets a route stand out until another one is chosen. */
  choose(route, reveal = false) {
    this.chosen = route;
    this.tour.highlight(route);
    this.marked(route);
    if (!this.rows.length) return;
    this.render();
    if (reveal && route !== null) this.element.querySelector(".current")?.scrollIntoView({ block: "nearest" });
  }
}
