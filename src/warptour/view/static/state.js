/** What the page knows: problems, traces, runs, and which of them is shown. */

import { TraceData } from "./trace_data.js";

export class State {
  constructor() {
    /** @type {any} */ this.session = null;
    /** @type {any} */ this.forms = null;
    /** @type {Map<string, any>} */ this.problems = new Map();
    /** @type {Map<string, TraceData>} */ this.traces = new Map();
    /** @type {Map<string, any>} */ this.runs = new Map();
    /** The instance that a new run is for. @type {any} */ this.problem = null;
    /** The trace that is shown; without one the cities of the problem are. @type {TraceData | null} */ this.trace =
      null;
    /** @type {Map<string, Set<Function>>} */ this.listeners = new Map();
  }

  /**
   * Calls `listener` at events of a name: `runs` (the list), `selection` (what is shown), `data` (a trace has grown).
   * @param {string} name @param {(detail?: any) => void} listener
   */
  on(name, listener) {
    if (!this.listeners.has(name)) this.listeners.set(name, new Set());
    this.listeners.get(name).add(listener);
  }

  emit(name, detail) {
    for (const listener of this.listeners.get(name) ?? []) listener(detail);
  }

  /** Takes news from the server. @param {{traces?: any[], runs?: any[], gone?: string[]}} news */
  take({ traces = [], runs = [], gone = [] }) {
    for (const run of runs) this.runs.set(run.id, run);
    for (const facts of traces) this.follow(facts.id).update(facts);
    for (const id of gone) this.forget(id);
    this.emit("runs");
  }

  /** The trace of this id; one that is new is about to come. */
  follow(id) {
    let trace = this.traces.get(id);
    if (!trace) {
      trace = new TraceData(id, this.freeColour(), () => this.emit("data", trace));
      this.traces.set(id, trace);
    }
    return trace;
  }

  /** The colour, of eight, that the fewest traces have. */
  freeColour() {
    const used = Array(8).fill(0);
    for (const trace of this.traces.values()) used[trace.colour]++;
    return used.indexOf(Math.min(...used));
  }

  forget(id) {
    this.runs.delete(id);
    const gone = this.traces.get(id);
    this.traces.delete(id);
    if (gone && gone === this.trace) this.select({ trace: [...this.traces.values()].pop() ?? null });
  }

  addProblem(problem) {
    this.problems.set(problem.id, problem);
    this.select({ problem });
  }

  /** Shows a trace, or the cities of a problem; a trace that is shown stays as it is. */
  select({ trace = null, problem = null }) {
    if (trace && trace === this.trace) return;
    this.trace = trace;
    this.problem = problem ?? this.problemOf(trace) ?? this.problem;
    this.emit("selection");
    this.emit("runs");
  }

  /** @param {TraceData | null} trace */
  runOf(trace) {
    return (trace && [...this.runs.values()].find((run) => run.trace === trace.id)) ?? null;
  }

  problemOf(trace) {
    const run = this.runOf(trace);
    return (run && this.problems.get(run.problem)) ?? null;
  }
}
