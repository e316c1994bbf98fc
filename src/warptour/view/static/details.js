/** The column beside the tour: the plan and its routes, the search and its costs. */

import { Contributions } from "./chart/contributions.js";
import { CostPanel } from "./chart/cost_panel.js";
import { make } from "./parts/dom.js";
import { makeTabs } from "./parts/tabs.js";
import { runFacts } from "./run_facts.js";

const EVERY = 250; // milliseconds between two updates of a growing trace

export class Details {
  /**
   * @param {HTMLElement} root
   * @param {import("./state.js").State} state
   * @param {import("./tour/panel.js").TourPanel} tour
   * @param {HTMLElement[]} routes what shows the routes of vehicles
   */
  constructor(root, state, tour, routes) {
    this.root = root;
    this.state = state;
    this.tour = tour;
    this.costs = new CostPanel(state, tour);
    this.contributions = new Contributions();
    this.facts = make("div");
    this.tabs = makeTabs("Details", [
      { id: "routes", title: "Routes", panel: make("div", {}, ...routes) },
      { id: "contributions", title: "Search moves", panel: this.contributions.element },
      { id: "facts", title: "Search facts", panel: this.facts },
    ]);
    root.append(this.costs.element, this.tabs.element);
    this.offerRoutes();
    state.on("selection", () => this.select());
    state.on("data", (trace) => trace === state.trace && this.later());
    state.on("runs", () => this.later());
  }

  select() {
    this.offerRoutes();
    this.draw();
  }

  /** Shows the routes of vehicles, above the costs, and hides their tab for tours. */
  offerRoutes() {
    const vehicles = this.tour.facts?.kind === "vrp";
    const tab = this.tabs.button("routes");
    if (tab.hidden === !vehicles && this.offered) return;
    this.offered = true;
    tab.hidden = !vehicles;
    this.root.classList.toggle("vehicles", vehicles);
    this.tabs.show(vehicles ? "routes" : "contributions");
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
