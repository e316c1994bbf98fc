/** Runs and traces: which one is shown, which are on the chart, their commands; stop and remove. */

import { post, remove } from "./parts/api.js";
import { make, setText } from "./parts/dom.js";
import { percent, plural, price, seconds } from "./parts/format.js";
import { attempt, say } from "./parts/messages.js";

export class RunList {
  /** @param {HTMLElement} root @param {import("./state.js").State} state */
  constructor(root, state) {
    this.state = state;
    this.list = make("ul", { class: "run-list" });
    this.empty = make(
      "p",
      { class: "quiet" },
      "Plans that you make appear here, and traces that you drop on the page.",
    );
    root.append(this.empty, this.list);
    /** @type {Map<string, Item>} */ this.items = new Map();
    state.on("runs", () => this.draw());
    state.on("data", (trace) => this.items.get(trace.id)?.draw());
  }

  draw() {
    const { traces } = this.state;
    for (const [id, item] of this.items) {
      if (!traces.has(id)) {
        item.element.remove();
        this.items.delete(id);
      }
    }
    for (const trace of traces.values()) {
      if (!this.items.has(trace.id)) {
        this.items.set(trace.id, new Item(this.state, trace));
        this.list.prepend(this.items.get(trace.id).element);
      }
      this.items.get(trace.id).draw();
    }
    this.empty.hidden = traces.size > 0;
  }
}

class Item {
  constructor(state, trace) {
    this.state = state;
    this.trace = trace;
    this.name = make("strong");
    this.figure = make("span", { class: "figures" });
    this.show = make(
      "button",
      { type: "button", class: "plain choose", onclick: () => state.select({ trace }) },
      make("span", { class: `swatch run-${trace.colour}` }),
      this.name,
      this.figure,
    );
    this.status = make("p", { class: "quiet figures" });
    this.progress = make("progress", { max: 1, "aria-label": "Time used" });
    this.error = make("p", { class: "line-error", hidden: true });
    this.onChart = make("input", { type: "checkbox", checked: trace.onChart, onchange: () => this.toggle() });
    this.stop = make("button", { type: "button", class: "small", onclick: () => this.end() }, "Stop");
    this.gone = make("button", { type: "button", class: "small", onclick: () => this.remove() }, "Remove");
    this.command = make("code");
    this.copy = make("button", { type: "button", class: "small", onclick: () => this.copyCommand() }, "Copy");
    this.commandRow = make("div", { class: "command" }, this.command, this.copy);
    this.element = make(
      "li",
      { "data-trace": trace.id },
      this.show,
      this.progress,
      this.status,
      this.error,
      this.commandRow,
      make(
        "div",
        { class: "actions" },
        make("label", { class: "check" }, this.onChart, "on chart"),
        this.stop,
        this.gone,
      ),
    );
  }

  draw() {
    const { trace, state } = this;
    const run = state.runOf(trace);
    const name = run?.name ?? trace.facts.name;
    setText(this.name, name);
    setText(this.figure, trace.cost === null ? "" : price(trace.cost, trace.facts));
    const current = trace === state.trace;
    this.element.classList.toggle("current", current);
    this.show.setAttribute("aria-pressed", String(current));
    this.show.setAttribute("aria-label", `Show ${name}`);
    this.stop.hidden = run?.state !== "running" && run?.state !== "stopping";
    this.stop.disabled = run?.state === "stopping";
    this.stop.setAttribute("aria-label", `Stop ${name}`);
    this.gone.setAttribute("aria-label", `Remove ${name}`);
    this.gone.hidden = !run && trace.facts.removable === false;
    this.drawStatus(run);
    setText(this.error, run?.error ?? trace.facts.error ?? trace.failure ?? "");
    setText(this.command, run?.command ?? "");
    this.commandRow.hidden = !run;
  }

  drawStatus(run) {
    const { trace } = this;
    const { steps } = trace.facts;
    if (steps) {
      this.progress.hidden = true;
      return setText(this.status, `by hand · ${plural(steps.length - 1, "change", "changes")}`);
    }
    const growing = run ? run.state === "running" || run.state === "stopping" : trace.facts.state === "growing";
    const limit = trace.begin?.seconds;
    this.progress.hidden = !growing || !limit;
    if (limit) this.progress.value = Math.min(1, trace.last / limit);
    const words = [run ? run.state : trace.facts.state];
    if (!run && growing && trace.facts.idle > 5) words[0] = `quiet for ${seconds(Math.round(trace.facts.idle))}`;
    if (trace.end?.interrupted) words[0] = "stopped early";
    if (trace.last) words.push(seconds(trace.last) + (growing && limit ? ` of ${seconds(limit)}` : ""));
    if (trace.begin) words.unshift(trace.begin.strategy);
    if (trace.gap !== null) words.push(`gap ${percent(trace.gap)}`);
    const text = words.join(" · ");
    if (this.said === "growing" && !growing && run) say(`${run.name}: ${text}, cost ${price(trace.cost, trace.facts)}`);
    this.said = growing ? "growing" : "over";
    setText(this.status, text);
  }

  toggle() {
    this.trace.onChart = this.onChart.checked;
    this.state.emit("runs");
  }

  end() {
    const run = this.state.runOf(this.trace);
    this.stop.disabled = true;
    attempt(async () => this.state.take({ runs: [await post(`runs/${run.id}/stop`)] }));
  }

  remove() {
    const run = this.state.runOf(this.trace);
    attempt(async () => {
      await remove(run ? `runs/${run.id}` : `traces/${this.trace.id}`);
      this.state.take({ gone: run ? [run.id, this.trace.id] : [this.trace.id] });
    });
  }

  async copyCommand() {
    try {
      await navigator.clipboard.writeText(this.command.textContent);
      say("Copied");
      this.copy.textContent = "Copied";
      setTimeout(() => (this.copy.textContent = "Copy"), 1500);
    } catch {
      getSelection().selectAllChildren(this.command);
    }
  }
}
