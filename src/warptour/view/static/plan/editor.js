/** What was changed by hand, and planning again from there. */

import { byId, make, setText } from "../parts/dom.js";
import { plural } from "../parts/format.js";
import { makeField } from "../setup/fields.js";

const HINT = "Drag a stop to another route on the map, or choose a route to move and lock its stops.";

export class Editor {
  /** @param {import("./plan.js").Plan} plan @param {(under: object) => Promise<void>} replan plans again */
  constructor(plan, replan) {
    this.plan = plan;
    this.cost = makeField({ name: "change_cost", title: "cost per changed stop", type: "number", low: 0, example: "5% of a stop" });
    this.cost.input.title = "What each further stop that goes to another vehicle must save";
    this.hint = make("p", { class: "quiet" }, HINT);
    this.told = make("p", { role: "status" });
    this.faults = make("ul", { class: "notes line-error" });
    this.undo = make("button", { type: "button", onclick: () => this.back() }, "Undo");
    this.again = make("button", { type: "button", class: "primary", onclick: () => this.replan(replan) }, "Plan again");
    this.actions = make("div", { class: "actions" }, this.again, this.undo, this.cost.element);
    this.bar = make(
      "div",
      { class: "by-hand", role: "group", "aria-label": "Changes by hand" },
      this.told,
      this.faults,
      this.actions,
    );
    this.element = make("div", {}, this.hint, this.bar);
    plan.on(() => this.render());
    this.render();
  }

  render() {
    const { plan } = this;
    const { stops, vehicles } = plan.locked;
    const locks = [
      stops.length ? plural(stops.length, "stop", "stops") : null,
      vehicles.length ? plural(vehicles.length, "route", "routes") : null,
    ].filter(Boolean);
    const byHand = plan.step !== null;
    const parts = byHand ? [`Changed by hand: ${plural(plan.depth, "stop moved", "stops moved")}`] : [];
    if (plan.facts.changes) parts.push(`Stops against the plan before: ${plan.facts.changes}`);
    if (locks.length) parts.push(`locked: ${locks.join(", ")}`);
    setText(this.told, parts.join(" · "));
    this.faults.replaceChildren(...plan.facts.faults.map((fault) => make("li", {}, fault)));
    this.hint.hidden = !plan.editable || parts.length > 0;
    this.bar.hidden = !plan.editable || !parts.length;
    this.actions.hidden = !byHand;
    this.undo.disabled = plan.step?.before === null;
  }

  /** Shows the plan before the last change. */
  back() {
    const { step, tour } = this.plan;
    if (step?.before !== null) tour.replay.go(step.before);
  }

  async replan(start) {
    const { trace } = this.plan.state;
    await start({ trace: trace.id, tour: this.plan.tour.frame, change_cost: this.cost.read() });
    byId("tour").focus({ preventScroll: true }); // the button is hidden now
  }
}
