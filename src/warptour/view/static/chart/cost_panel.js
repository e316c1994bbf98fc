/** Cost or gap over time, of one run or several, with a legend. */

import { make, setText } from "../parts/dom.js";
import { cost, percent, seconds } from "../parts/format.js";
import { save } from "../tour/export.js";
import { chartFile } from "./chart_file.js";
import { LineChart, valueAt } from "./line_chart.js";

const LEAST_GAP = 0.001; // percent; what is less is drawn there on a logarithmic axis

export class CostPanel {
  /** @param {import("../state.js").State} state @param {import("../tour/panel.js").TourPanel} tour */
  constructor(state, tour) {
    this.state = state;
    this.tour = tour;
    this.gaps = false;
    this.xLog = false;
    this.yLog = false;
    this.chart = new LineChart({ pointed: (time) => this.read(time), chosen: (time) => tour.replay.goTo(time) });
    const toggle = (title, name) =>
      make(
        "button",
        {
          type: "button",
          class: "small",
          "aria-pressed": "false",
          onclick: (event) => {
            this[name] = !this[name];
            event.currentTarget.setAttribute("aria-pressed", String(this[name]));
            this.draw();
          },
        },
        title,
      );
    this.reading = make("output", { class: "reading figures" });
    this.empty = make("p", { class: "quiet" }, "No costs yet.");
    this.legend = make("table", { class: "legend figures" });
    this.element = make(
      "section",
      { class: "costs", "aria-labelledby": "costs-title" },
      make(
        "div",
        { class: "head" },
        make("h2", { id: "costs-title" }, "Cost over time"),
        make(
          "div",
          { class: "toggles", role: "group", "aria-label": "Axes" },
          toggle("Gap", "gaps"),
          toggle("Log time", "xLog"),
          toggle("Log cost", "yLog"),
          make("button", { type: "button", class: "small", onclick: () => this.save() }, "Save chart"),
        ),
      ),
      this.empty,
      this.chart.element,
      this.reading,
      make("div", { class: "scroll" }, this.legend),
    );
    state.on("runs", () => this.later());
    state.on("data", () => this.later());
    state.on("selection", () => this.later());
  }

  /** Draws soon, once for all that has changed. */
  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Traces on the chart: those of the instance that is shown; as gaps, those of others too. */
  traces() {
    const { trace } = this.state;
    const asked = [...this.state.traces.values()].filter(
      (other) => other === trace || (other.onChart && other.costs.values.length),
    );
    return this.gaps ? asked : asked.filter((other) => !trace || other.instance === trace.instance);
  }

  draw() {
    const traces = this.traces();
    const lines = traces.map((trace) => this.costLine(trace));
    const series = lines.flatMap((line, index) => [line, ...(this.gaps ? [] : this.levels(traces[index], lines))]);
    const some = lines.some((line) => line.values.length);
    this.empty.hidden = some;
    this.chart.element.hidden = !some;
    this.legend.hidden = !some;
    const { trace, replay } = { trace: this.state.trace, replay: this.tour.replay };
    const shown = trace?.frames[replay.frame];
    this.chart.draw({
      series,
      label: this.label(traces),
      yTitle: this.gaps ? this.gapTitle(traces) : this.costTitle(),
      xLog: this.xLog,
      yLog: this.yLog,
      cursor: shown && trace.onChart ? shown[0] : null,
    });
    this.list(traces);
  }

  costLine(trace) {
    const { times, values } = trace.costs;
    const reference = this.gaps ? this.reference(trace) : null;
    const shown = reference
      ? values.map((value) => Math.max(this.yLog ? LEAST_GAP : 0, (100 * (value - reference)) / reference))
      : values;
    const bold = trace === this.state.trace;
    return {
      name: this.name(trace),
      colour: trace.colour,
      times,
      values: shown,
      until: trace.last,
      kind: "cost",
      bold,
    };
  }

  /** Lower bound and best known cost, where there are some. */
  levels(trace, lines) {
    const found = [];
    const until = Math.max(...lines.map((line) => line.until));
    if (trace.bounds.values.length)
      found.push({ ...trace.bounds, name: "lower bound", colour: trace.colour, until: trace.last, kind: "bound" });
    const best = trace.facts.best_known;
    if (best && trace === this.state.trace)
      found.push({ times: [0], values: [best], name: "best known", colour: trace.colour, until, kind: "level" });
    return found;
  }

  /** What gaps are measured from: best known, or a bound, or the best of the runs of this problem. */
  reference(trace) {
    const same = this.traces().filter((other) => other.instance === trace.instance);
    return trace.reference ?? Math.min(...same.map((other) => other.cost ?? Infinity));
  }

  costTitle() {
    const unit = this.tour.facts?.cost_unit;
    return unit ? `cost (${unit})` : "cost";
  }

  gapTitle(traces) {
    if (traces.every((trace) => trace.facts.best_known)) return "% above best known";
    if (traces.every((trace) => trace.reference)) return "% above best known or bound";
    return "% above the best of these";
  }

  name(trace) {
    return this.state.runOf(trace)?.name ?? trace.facts.name;
  }

  label(traces) {
    const told = traces.filter((trace) => trace.cost !== null);
    const ends = told.map((trace) => `${this.name(trace)}: ${cost(trace.cost)} after ${seconds(trace.last)}`);
    return `Cost over time. ${ends.join("; ")}`;
  }

  /** The legend: a row for each run. */
  list(traces) {
    const bounded = traces.some((trace) => trace.bound !== null);
    const compared = traces.some((trace) => trace.gap !== null);
    const columns = ["plan", this.costTitle(), ...(compared ? ["gap"] : []), ...(bounded ? ["bound"] : []), "time"];
    const head = make("thead", {}, make("tr", {}, ...columns.map((title) => make("th", { scope: "col" }, title))));
    const rows = traces.map((trace) =>
      make(
        "tr",
        { class: trace === this.state.trace ? "current" : "" },
        make(
          "th",
          { scope: "row" },
          make("span", { class: `swatch run-${trace.colour}` }),
          `${this.name(trace)} `,
          make("span", { class: "quiet" }, trace.begin?.strategy ?? ""),
        ),
        make("td", {}, cost(trace.cost)),
        ...(compared ? [make("td", {}, percent(trace.gap))] : []),
        ...(bounded ? [make("td", {}, cost(trace.bound))] : []),
        make("td", {}, seconds(trace.last)),
      ),
    );
    this.legend.replaceChildren(head, make("tbody", {}, ...rows));
  }

  /** Tells the costs at the time under the pointer. */
  read(time) {
    if (time === null) return setText(this.reading, "");
    const parts = this.traces().map((trace) => {
      const value = valueAt(this.costLine(trace), time);
      return `${this.name(trace)} ${this.gaps ? percent(value) : cost(value)}`;
    });
    setText(this.reading, `${seconds(time)}: ${parts.join(" · ")}`);
  }

  save() {
    save(chartFile(this.chart.svg, this.tour.scene.colours.ground), "costs.svg");
  }
}
