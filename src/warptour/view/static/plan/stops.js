/** The stops of the chosen route, and those that nobody serves: each may go to another vehicle, or be locked. */

import { make } from "../parts/dom.js";
import { cost, load, plural, timeOfDay } from "../parts/format.js";
import { withFocus } from "../parts/focus.js";

const SHOWN = 500;

export class StopList {
  /** @param {import("./plan.js").Plan} plan */
  constructor(plan) {
    this.plan = plan;
    this.element = make("div", { class: "stops" });
    plan.on((reveal) => this.render(reveal));
  }

  render(reveal) {
    const { plan, element } = this;
    const parts = [this.unserved(), this.route()];
    withFocus(element, () => element.replaceChildren(...parts.filter(Boolean)));
    if (reveal) element.querySelector("tr.current, h3")?.scrollIntoView({ block: "nearest" });
  }

  /** The stops without a route, each with the reason. */
  unserved() {
    const { unserved } = this.plan.facts;
    if (!unserved.length) return null;
    const title = `${plural(unserved.length, "stop is", "stops are")} not served`;
    const items = unserved
      .slice(0, SHOWN)
      .map(({ node, name, text }) => make("li", {}, make("b", {}, name), ` ${text} `, this.vehicles(node, name, null)));
    return make("details", { class: "left", open: true }, make("summary", {}, title), make("ul", {}, ...items));
  }

  route() {
    const { plan } = this;
    const { chosen, stops } = plan;
    if (chosen === null || !stops.length) return null;
    const titles = ["stop", ...(plan.editable ? ["locked", "route"] : [])];
    const rows = stops.slice(0, SHOWN).map((stop, at) => this.stop(stop, at));
    const table = make(
      "table",
      { class: "figures" },
      make("thead", {}, make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title)))),
      make("tbody", {}, ...rows),
    );
    const name = plan.name(chosen);
    const fixed = plan.locked.vehicles.includes(chosen);
    const change = (locked) => plan.lockRoute(chosen, locked);
    const lock = plan.editable ? this.lock(`route-${chosen}`, "Lock this route", fixed, change) : null;
    const head = make("div", { class: "head" }, make("h3", {}, `Stops of ${name}`), lock);
    return make("section", { "aria-label": `Stops of ${name}` }, head, make("div", { class: "scroll" }, table));
  }

  stop({ node, name, demand, begins, hours }, at) {
    const { plan } = this;
    const time = plan.facts.clock ? timeOfDay(begins) : cost(begins);
    const about = [begins === undefined ? "" : time, hours ? `open ${hours}` : "", demand ? `load ${load(demand, plan.facts.load_unit)}` : ""];
    const button = make(
      "button",
      { type: "button", class: "plain", "data-key": `stop-${node}`, onclick: () => plan.tour.showStop(node) },
      `${at + 1} · ${name}`,
    );
    const lock = this.lock(`lock-${node}`, null, plan.locked.stops.includes(node), (on) => plan.lockStop(node, on), name);
    return make(
      "tr",
      { class: node === plan.stop ? "current" : "" },
      make("th", { scope: "row" }, button, make("small", {}, about.filter(Boolean).join(" · "))),
      ...(plan.editable ? [make("td", {}, lock), make("td", {}, this.vehicles(node, name, plan.chosen))] : []),
    );
  }

  /** A box that locks. */
  lock(key, title, checked, change, name = "") {
    const box = make("input", { type: "checkbox", checked, "data-key": key, onchange: () => change(box.checked) });
    if (title === null) box.setAttribute("aria-label", `Lock ${name} on its route`);
    return title === null ? box : make("label", { class: "check" }, box, title);
  }

  /** The choice of a stop's vehicle. */
  vehicles(node, name, own) {
    const { plan } = this;
    if (!plan.editable) return null;
    const option = ({ number }, idle) =>
      make("option", { value: String(number - 1) }, `${plan.name(number - 1)}${idle ? " (unused)" : ""}`);
    const none = own === null ? [make("option", { value: "" }, "put on …")] : [];
    const choices = [...plan.rows.map((row) => option(row, false)), ...plan.facts.idle.map((row) => option(row, true))];
    const select = make(
      "select",
      {
        class: "small",
        "aria-label": `Route of ${name}`,
        "data-key": `move-${node}`,
        onchange: () => plan.move(node, Number(select.value), name),
      },
      ...none,
      ...choices,
    );
    select.value = own === null ? "" : String(own);
    return select;
  }
}
