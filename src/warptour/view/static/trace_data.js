/** A trace as the page has read it: costs, bounds, steps, contributions, workers, notes and the times of its tours. */

import { get } from "./parts/api.js";

export class TraceData {
  /** @param {string} id @param {number} colour @param {() => void} grown called when something new was read */
  constructor(id, colour, grown) {
    this.id = id;
    this.colour = colour;
    this.grown = grown;
    /** The server's facts; see Trace in docs/developer/view.md. */
    this.facts = { id, name: "", state: "growing", lines: 0, frames: 0, begin: null, error: null };
    this.onChart = true;
    this.begin = null;
    /** Improvements and rises of the bound. */
    this.costs = { times: [], values: [] };
    this.bounds = { times: [], values: [] };
    /** Last time of any line, in seconds. */
    this.last = 0;
    this.iterations = 0;
    this.moves = null;
    /** Lines of steps by what they count: round, generation, … @type {Map<string, any[]>} */
    this.steps = new Map();
    this.contributions = [];
    this.workers = [];
    this.notes = [];
    this.end = null;
    /** Seconds, cost and number of routes of every tour. @type {[number, number, number][]} */
    this.frames = [];
    this.read = 0;
    this.reading = false;
    this.failure = null;
  }

  get cost() {
    return this.costs.values.at(-1) ?? null;
  }

  get bound() {
    return this.bounds.values.at(-1) ?? null;
  }

  /** Percent above the best known cost, or else above the lower bound; null if there is neither. */
  get gap() {
    const reference = this.reference;
    return reference && this.cost !== null ? (100 * (this.cost - reference)) / reference : null;
  }

  /** What gaps are measured from. */
  get reference() {
    return this.facts.best_known || this.bound || null;
  }

  /** What tells instances apart. */
  get instance() {
    return `${this.begin?.name ?? this.facts.name} ${this.facts.n ?? this.begin?.n}`;
  }

  update(facts) {
    const changed = facts.state !== this.facts.state || facts.error !== this.facts.error;
    this.facts = facts;
    this.begin = facts.begin ?? this.begin;
    if (this.read < facts.lines || this.frames.length < facts.frames) this.load();
    else if (changed) this.grown();
  }

  async load() {
    if (this.reading) return;
    this.reading = true;
    try {
      while (this.read < this.facts.lines || this.frames.length < this.facts.frames) {
        const [lines, frames] = await Promise.all([
          this.read < this.facts.lines ? get(`traces/${this.id}/lines?after=${this.read}`) : null,
          this.frames.length < this.facts.frames ? get(`traces/${this.id}/frames?after=${this.frames.length}`) : null,
        ]);
        if (!lines?.lines.length && !frames?.frames.length) break;
        for (const line of lines?.lines ?? []) this.take(line);
        this.read = lines?.next ?? this.read;
        for (const frame of frames?.frames ?? []) this.frames.push(frame);
        this.failure = null;
        this.grown();
      }
    } catch (error) {
      this.failure = error.message;
      this.grown();
    } finally {
      this.reading = false;
    }
  }

  /** Takes one line. Events that are not known are ignored, as the format asks. */
  take(line) {
    if (Number.isFinite(line.t)) this.last = Math.max(this.last, line.t);
    if (line.event === "begin") this.begin = line;
    else if (line.event === "improvement" || line.event === "bound" || line.event === "end") this.takeCost(line);
    else if (line.event === "step") this.takeStep(line);
    else if (line.event === "contributions") this.contributions = line.rows ?? [];
    else if (line.event === "workers" && Array.isArray(line.workers)) this.workers = line.workers;
    else if (line.event === "note") this.notes.push(line);
  }

  takeCost(line) {
    if (line.event === "end") {
      this.end = line;
      if (Array.isArray(line.workers)) this.workers = line.workers;
    }
    this.iterations = line.iterations ?? this.iterations;
    this.moves = line.moves ?? this.moves;
    if (Number.isFinite(line.cost) && line.cost !== this.cost) {
      this.costs.times.push(line.t);
      this.costs.values.push(line.cost);
    }
    if (Number.isFinite(line.lower_bound) && line.lower_bound !== this.bound) {
      this.bounds.times.push(line.t);
      this.bounds.values.push(line.lower_bound);
    }
  }

  takeStep(line) {
    if (!this.steps.has(line.of)) this.steps.set(line.of, []);
    this.steps.get(line.of).push(line);
  }

  /** Index of the last tour at `time`, or the first one. */
  frameAt(time) {
    let low = 0;
    let high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle][0] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
