/** What a run was told to do, and its notes. */

import { make } from "./parts/dom.js";
import { cost, count, plural, seconds } from "./parts/format.js";

/** @param {import("./trace_data.js").TraceData | null} trace @param {any} run */
export function runFacts(trace, run) {
  if (!trace) return [make("p", { class: "quiet" }, "No run yet.")];
  const begin = trace.begin ?? {};
  const set = Object.entries(begin.parameters ?? {}).map(
    ([name, value]) => `${name}=${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  const rows = [
    ["strategy", begin.strategy],
    ["parameters", set.join(", ")],
    ["device", trace.end?.device ?? begin.device],
    ["threads", begin.threads],
    ["workers", begin.workers],
    ["seed", begin.seed],
    ["limit", begin.seconds ? seconds(begin.seconds) : null],
    [begin.iteration ?? "iterations", trace.iterations ? count(trace.iterations) : null],
    ["moves", trace.moves ? count(trace.moves) : null],
    ["improvements", trace.costs.values.length ? count(trace.costs.values.length) : null],
    ["best known", trace.facts.best_known ? cost(trace.facts.best_known) : null],
    ["lower bound", trace.bound !== null ? cost(trace.bound) : null],
    ["tours kept", trace.frames.length ? plural(trace.frames.length, "tour", "tours") : null],
    ["warptour", begin.warptour],
  ];
  const list = rows
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]);
  const notes = [...trace.notes.map((note) => `${seconds(note.t ?? 0)}  ${note.text}`), ...(run?.notes ?? [])];
  return [
    make("dl", { class: "figures" }, ...list),
    notes.length ? make("h3", {}, "Notes") : null,
    notes.length ? make("ul", { class: "notes" }, ...notes.map((note) => make("li", {}, note))) : null,
  ].filter(Boolean);
}
