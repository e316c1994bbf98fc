/** The form of a new run: strategy, its parameters, limits, devices, first tour. */

import { post, upload } from "../parts/api.js";
import { byId, make, setText } from "../parts/dom.js";
import { attempt } from "../parts/messages.js";
import { DeviceChoice } from "./devices.js";
import { makeField } from "./fields.js";

const NO_CHOICE = "default";

export class RunForm {
  /** @param {HTMLElement} root @param {import("../state.js").State} state */
  constructor(root, state) {
    this.state = state;
    const { forms } = state;
    this.strategy = make("select", {
      id: "strategy",
      onchange: () => this.describe(),
      "aria-describedby": "strategy-title",
    });
    this.title = make("small", { id: "strategy-title" });
    this.parameters = make("div", { class: "fields" });
    /** @type {ReturnType<typeof makeField>[]} */ this.fields = [];
    const clusters = ["local:2", "local:4"].filter((_, i) => !i || forms.cores >= 4);
    this.limits = [
      { name: "seconds", title: "search time (s)", type: "number", low: 0, default: 10 },
      { name: "iterations", title: "iteration limit", type: "integer", low: 1 },
      { name: "target", title: "target cost", type: "number" },
      { name: "seed", title: "random seed", type: "integer", low: 0, default: 0 },
      { name: "threads", title: "CPU threads", type: "integer", low: 1, help: `Of ${forms.cores} cores; all by default.` },
      { name: "cluster", title: "search processes", type: "text", choices: clusters, help: "Processes that search together." },
    ].map(makeField);
    this.startSelect = make("select", { id: "start" });
    this.startFile = make("input", { type: "file", id: "start-file" });
    this.bound = makeField({
      name: "bound",
      title: "lower bound",
      type: "boolean",
      default: false,
      help: "Compute one beside the search.",
    });
    this.devices = new DeviceChoice();
    this.submit = make("button", { class: "primary" }, "Find routes");
    this.why = make("p", { class: "quiet" });
    const [time, iterations, target, seed, threads, cluster] = this.limits.map((field) => field.element);
    this.form = make(
      "form",
      { onsubmit: (event) => this.start(event) },
      make("div", { class: "fields" }, time, seed),
      make("div", { class: "actions" }, this.submit, this.why),
      make(
        "details",
        {},
        make("summary", {}, "Search method"),
        make("div", { class: "field wide" }, make("label", { htmlFor: "strategy" }, "method"), this.strategy, this.title),
        this.parameters,
      ),
      make(
        "details",
        {},
        make("summary", {}, "Limits, devices, first plan"),
        make(
          "div",
          { class: "fields" },
          iterations,
          target,
          threads,
          cluster,
          make("div", { class: "field" }, make("label", { htmlFor: "start" }, "first plan"), this.startSelect),
          make("div", { class: "field" }, make("label", { htmlFor: "start-file" }, "first plan's file"), this.startFile),
          this.bound.element,
        ),
        this.devices.element,
      ),
    );
    root.append(this.form);
    state.on("selection", () => this.offer());
    this.offer();
  }

  /** Offers the strategies that take the problem. */
  offer() {
    const { problem, forms } = this.state;
    this.submit.disabled = !problem;
    setText(this.why, problem ? "" : "Choose a file first.");
    if (problem === this.offered) return;
    this.offered = problem;
    const chosen = this.strategy.value;
    const refusal = (name) => problem?.strategies[name] ?? "";
    this.strategy.replaceChildren(
      ...forms.strategies.map(({ name }) =>
        make(
          "option",
          {
            value: name,
            disabled: Boolean(refusal(name)),
            title: refusal(name),
          },
          name === problem?.strategy ? `${name} (default)` : name,
        ),
      ),
    );
    const first = problem?.strategy ?? forms.strategies.at(-1).name;
    this.strategy.value = chosen && chosen !== this.first && !refusal(chosen) ? chosen : first;
    this.first = first;
    const starts = forms.starts[problem?.kind ?? "tsp"] ?? [];
    this.startSelect.replaceChildren(...[NO_CHOICE, ...starts].map((name) => make("option", { value: name }, name)));
    this.describe();
  }

  /** Builds the fields of the strategy. */
  describe() {
    const strategy = this.state.forms.strategies.find(({ name }) => name === this.strategy.value);
    if (!strategy || strategy === this.described) return;
    this.described = strategy;
    setText(this.title, strategy.title);
    const fields = strategy.fields.filter((field) => field.name !== "start" || field.type !== "text");
    const groups = new Map([["", []]]);
    this.fields = fields.map((form) => {
      const [group, name] = form.name.includes(".") ? form.name.split(".") : ["", form.name];
      const field = makeField({ ...form, title: name.replaceAll("_", " ") });
      groups.set(group, [...(groups.get(group) ?? []), field.element]);
      return field;
    });
    this.parameters.replaceChildren(
      ...[...groups].flatMap(([group, elements]) =>
        group
          ? [make("fieldset", {}, make("legend", {}, group), make("div", { class: "fields" }, ...elements))]
          : elements,
      ),
    );
  }

  /** What `POST api/runs` takes. */
  async read() {
    const { problem, session } = this.state;
    const settings = {};
    for (const field of this.fields) {
      const value = field.read();
      if (value !== undefined) settings[field.name] = value;
    }
    const limits = Object.fromEntries(this.limits.map((field) => [field.name, field.read() ?? null]));
    const chosen = this.strategy.value;
    const file = this.startFile.files[0];
    const seconds = limits.seconds ?? (limits.iterations || limits.target ? null : 10);
    return {
      problem: problem.id,
      strategy: chosen === problem.strategy ? null : chosen,
      settings,
      device: this.devices.read(),
      ...limits,
      seconds,
      seed: limits.seed ?? 0,
      start: this.startSelect.value === NO_CHOICE || file ? null : this.startSelect.value,
      start_file: file ? (await upload(file, session.limits.upload_bytes)).file : null,
      bound: this.bound.read() ?? false,
    };
  }

  start(event) {
    event.preventDefault();
    return this.run({});
  }

  /** Plans again from a plan that was changed by hand. @param {object} plan its trace and tour */
  replan(plan) {
    return this.run({ plan });
  }

  async run(more) {
    this.submit.disabled = true;
    const run = await attempt(async () => post("runs", { ...(await this.read()), ...more }));
    this.submit.disabled = false;
    if (!run) return;
    this.state.take({ runs: [run] });
    this.state.select({ trace: this.state.follow(run.trace) });
    if (matchMedia("(max-width: 759px)").matches) byId("tour").scrollIntoView();
  }
}
