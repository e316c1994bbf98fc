/** Where instances come from: a file that is dropped or chosen, or a generator; and how a file is read. */

import { Refused, post, upload } from "../parts/api.js";
import { make, setText } from "../parts/dom.js";
import { cost, plural, size } from "../parts/format.js";
import { attempt } from "../parts/messages.js";
import { makeField } from "./fields.js";

export class InstancePanel {
  /** @param {HTMLElement} root @param {import("../state.js").State} state */
  constructor(root, state) {
    this.state = state;
    const { suffixes, reading, kinds } = state.forms;
    /** What was read last, to be read again with other options. @type {any} */ this.last = null;
    this.fields = reading.map(makeField);
    /** Ids of files that were uploaded for options. @type {WeakMap<File, string>} */ this.uploads = new WeakMap();
    this.again = make("button", { disabled: true }, "Read again");
    this.options = this.optionForm(reading);
    this.pick = make("input", {
      type: "file",
      multiple: true,
      id: "pick",
      class: "unseen",
      onchange: () => this.take([...this.pick.files]),
    });
    this.busy = make("p", { class: "quiet", role: "status", hidden: true });
    this.summary = make("p", { class: "summary", hidden: true });
    this.notes = make("ul", { class: "notes" });
    this.choices = make(
      "details",
      { class: "choices", open: true },
      make("summary", { hidden: true }, "Another file"),
      make(
        "label",
        { class: "drop", htmlFor: "pick" },
        this.pick,
        make("span", {}, "Drop a file, or ", make("u", {}, "choose one")),
        make("small", {}, `${suffixes.join(" ")} · or a trace, .jsonl with its .tours`),
      ),
      this.generator(kinds),
    );
    root.append(this.summary, this.notes, this.choices, this.options, this.busy);
    this.catchDrops();
    state.on("selection", () => this.describe());
  }

  /** What planners need first, and the rest by groups. */
  optionForm(reading) {
    const groups = new Map();
    reading.forEach(({ group }, at) => groups.set(group, [...(groups.get(group) ?? []), this.fields[at].element]));
    const first = groups.get(null);
    groups.delete(null);
    const more = [...groups].map(([group, elements]) =>
      make("fieldset", {}, make("legend", {}, group), make("div", { class: "fields" }, ...elements)),
    );
    const submit = (event) => {
      event.preventDefault();
      if (this.last) this.read(this.last);
    };
    return make(
      "details",
      { class: "options" },
      make("summary", {}, "Vehicles and hours"),
      make(
        "form",
        { onsubmit: submit },
        make("div", { class: "fields" }, ...first),
        make("details", { class: "more" }, make("summary", {}, "More options"), ...more),
        make("div", { class: "actions" }, this.again),
      ),
    );
  }

  generator(kinds) {
    const kind = makeField({ name: "kind", title: "example kind", type: "choice", choices: kinds, default: kinds[0] });
    const n = makeField({ name: "n", title: "stops", type: "integer", low: 1, default: 1000 });
    const seed = makeField({ name: "seed", title: "random seed", type: "integer", low: 0, default: 1 });
    const generate = () =>
      this.read({
        generate: { kind: kind.input.value, n: n.read() ?? 1000, seed: seed.read() ?? 1 },
      });
    return make(
      "form",
      {
        class: "generate",
        onsubmit: (event) => {
          event.preventDefault();
          generate();
        },
      },
      kind.element,
      n.element,
      seed.element,
      make("button", {}, "Generate"),
    );
  }

  catchDrops() {
    const over = (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", (event) => !event.relatedTarget && document.body.classList.remove("dropping"));
    addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      if (event.dataTransfer.files.length) this.take([...event.dataTransfer.files]);
    });
  }

  /** Takes files: traces with their tours, or an instance. @param {File[]} files */
  async take(files) {
    this.pick.value = "";
    const limit = this.state.session.limits.upload_bytes;
    await this.wait(`Reading ${files.map((file) => file.name).join(", ")} …`, async () => {
      const { traces, tours: sidecars, instances } = await sorted(files);
      for (const file of traces) {
        const alone = traces.length === 1 && sidecars.length === 1 ? sidecars[0] : null;
        const beside = sidecars.find((other) => other.name === `${file.name}.tours`) ?? alone;
        const [trace, tours] = [await upload(file, limit), beside ? await upload(beside, limit) : null];
        const facts = await post("traces", { file: trace.file, tours: tours?.file ?? null });
        this.state.take({ traces: [facts] });
        this.state.select({ trace: this.state.traces.get(facts.id) });
      }
      for (const file of instances) {
        const { file: id } = await upload(file, limit);
        await this.make({ file: id });
      }
      if (!traces.length && !instances.length)
        throw new Refused("tours alone tell nothing: choose the trace with them");
    });
  }

  read(source) {
    return this.wait("Reading …", () => this.make(source));
  }

  async make(source) {
    this.last = source;
    this.again.disabled = false;
    const options = {};
    for (const field of this.fields) {
      field.input.removeAttribute("aria-invalid");
      const value = field.read();
      if (value !== undefined) options[field.name] = value instanceof File ? await this.uploaded(value) : value;
    }
    try {
      this.state.addProblem(await post("problems", { ...source, options }));
    } catch (error) {
      if (source.file || source.again) this.askFor(error.message);
      throw error;
    }
  }

  /** The id of a file for an option, which is uploaded once. @param {File} file */
  async uploaded(file) {
    if (!this.uploads.has(file))
      this.uploads.set(file, (await upload(file, this.state.session.limits.upload_bytes)).file);
    return this.uploads.get(file);
  }

  /** Opens the options, and marks the first that a refusal names: `… needs the capacity of a vehicle (--capacity)`. */
  askFor(refusal) {
    this.options.open = true;
    const places = this.fields.map((field) => refusal.search(`--${field.name.replaceAll("_", "-")}\\b`));
    const named = places.filter((place) => place >= 0);
    if (!named.length) return;
    const { input } = this.fields[places.indexOf(Math.min(...named))];
    const more = input.closest("details.more");
    if (more) more.open = true;
    input.setAttribute("aria-invalid", "true");
    input.focus();
  }

  /** Shows that something is going on until it is done. */
  async wait(text, action) {
    setText(this.busy, text);
    await attempt(action);
    setText(this.busy, "");
  }

  describe() {
    const { problem } = this.state;
    if (!problem || problem === this.described) return;
    this.described = problem;
    this.choices.firstChild.hidden = false;
    this.choices.open = false;
    this.last = { again: problem.id };
    this.again.disabled = false;
    for (const field of this.fields) field.write(problem.options[field.name]);
    const { vehicles } = problem;
    const ways = problem.streets ? "along streets" : problem.geographic ? "straight lines" : problem.metric;
    const parts = [problem.name, size(problem), problem.fleet ?? (vehicles && plural(vehicles, "vehicle", "vehicles"))];
    if (problem.kind === "vrp" && problem.capacity && !problem.fleet) parts.push(`capacity ${cost(problem.capacity)}`);
    parts.push(ways, problem.open ? "open" : "");
    setText(this.summary, parts.filter(Boolean).join(" · "));
    this.options.open ||= problem.kind === "vrp";
    this.notes.replaceChildren(...(problem.notes ?? []).map((note) => make("li", {}, note)));
  }
}

/** Files by what they are: the first line of a trace is JSON with an event or a time, sidecars begin with a word. */
async function sorted(files) {
  const found = { traces: [], tours: [], instances: [] };
  for (const file of files) {
    const start = await file.slice(0, 200).text();
    const kind = start.startsWith("WTTOURS") ? "tours" : /^\s*\{\s*"(event|t)"/.test(start) ? "traces" : "instances";
    found[kind].push(file);
  }
  return found;
}
