/** The column beside the tour: costs, and in tabs what there is to know of the run that is shown. */

import { Contributions } from "./chart/contributions.js";
import { CostPanel } from "./chart/cost_panel.js";
import { DayPanel } from "./day.js";
import { make } from "./parts/dom.js";
import { makeTabs } from "./parts/tabs.js";
import { RoutesTable } from "./routes_table.js";
import { runFacts } from "./run_facts.js";

const EVERY = 250; // milliseconds between two updates of a growing trace

export class Details {
  /**
   * @param {HTMLElement} root
   * @param {import("./state.js").State} state
   * @param {import("./tour/panel.js").TourPanel} tour
   */
  constructor(root, state, tour) {
    this.state = state;
    this.tour = tour;
    this.costs = new CostPanel(state, tour);
    this.contributions = new Contributions();
    this.routes = new RoutesTable(tour);
    this.day = new DayPanel(this.routes);
    this.facts = make("div");
    this.tabs = makeTabs("Details", [
      { id: "contributions", title: "Contributions", panel: this.contributions.element },
      { id: "routes", title: "Routes", panel: this.routes.element },
      { id: "day", title: "Day", panel: this.day.element },
      { id: "facts", title: "Run", panel: this.facts },
    ]);
    this.tabs.button("routes").hidden = this.tabs.button("day").hidden = true;
    this.routes.changed = (rows) => this.offerDay(rows);
    root.append(this.costs.element, this.tabs.element);
    tour.shown = () => this.showTour();
    state.on("selection", () => this.select());
    state.on("data", (trace) => trace === state.trace && this.later());
    state.on("runs", () => this.later());
  }

  select() {
    this.routes.chosen = null;
    this.offerRoutes();
    this.draw();
  }

  /** Shows the routes of vehicles, and hides their tab for tours. */
  offerRoutes() {
    const vehicles = this.tour.facts?.kind === "vrp";
    const tab = this.tabs.button("routes");
    if (tab.hidden !== vehicles) return;
    tab.hidden = !vehicles;
    this.tabs.show(vehicles ? "routes" : "contributions");
  }

  /** Shows the day of vehicles whose times are known, and hides its tab where they are not. */
  offerDay(rows) {
    const tab = this.tabs.button("day");
    const known = rows.some((row) => row.visits);
    if (!known && !tab.hidden && tab.getAttribute("aria-selected") === "true") this.tabs.show("routes");
    tab.hidden = !known;
    this.day.show(known ? rows : []);
  }

  showTour() {
    this.costs.later();
    this.offerRoutes();
    this.routes.show(this.state.trace, this.tour.frame);
  }

  later() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.draw();
    }, EVERY);
  }

  draw() {
    const { trace } = this.state;
    this.contributions.draw(trace);
    this.facts.replaceChildren(...runFacts(trace, this.state.runOf(trace)));
  }
}
