/** The plan that is shown: its routes, their days and stops as the server tells them, which route is chosen; changes. */

import { get, post } from "../parts/api.js";
import { attempt, say } from "../parts/messages.js";

const NOTHING = {
  routes: [], idle: [], unserved: [], faults: [], capacity: null, clock: false, unit: null, load_unit: null,
  changes: null,
};

export class Plan {
  /** @param {import("../state.js").State} state @param {import("../tour/panel.js").TourPanel} tour */
  constructor(state, tour) {
    this.state = state;
    this.tour = tour;
    /** What `…/routes` told last. @type {any} */ this.facts = NOTHING;
    /** The vehicle that is chosen, from 0. @type {number | null} */ this.chosen = null;
    /** The stop of it that is. @type {number | null} */ this.stop = null;
    /** The stops of the chosen vehicle. @type {any[]} */ this.stops = [];
    /** Whether another trace is about to be shown, whose plan was made of this one. */ this.changing = false;
    /** @type {Function[]} */ this.listeners = [];
    tour.stopChosen = (stop, vehicle) => this.choose(vehicle, { stop, reveal: true });
  }

  /** Calls a listener when there is something new, with whether the choice is to be revealed. */
  on(listener) {
    this.listeners.push(listener);
  }

  tell(reveal = false) {
    for (const listener of this.listeners) listener(reveal);
  }

  get rows() {
    return this.facts.routes;
  }

  /** Whether stops can be moved and locked. */
  get editable() {
    return Boolean(this.state.trace?.facts.base) && this.path !== null;
  }

  /** What was changed by hand: the number of the plan before, and locks; null if nothing was. */
  get step() {
    return this.state.trace?.facts.steps?.[this.tour.frame] ?? null;
  }

  /** How many changes led to the plan that is shown. */
  get depth() {
    const { steps } = this.state.trace.facts;
    let depth = 0;
    for (let at = this.step?.before ?? null; at !== null; at = steps[at].before) depth++;
    return depth;
  }

  /** Stops and vehicles that are locked. @returns {{stops: number[], vehicles: number[]}} */
  get locked() {
    return this.step ?? this.state.trace?.facts.locked ?? { stops: [], vehicles: [] };
  }

  /** Path of the tour that is shown, or null. */
  get path() {
    const { trace } = this.state;
    return trace && this.tour.frame !== null ? `traces/${trace.id}/tours/${this.tour.frame}` : null;
  }

  row(vehicle) {
    return this.rows.find((row) => row.number === vehicle + 1) ?? null;
  }

  /** What a vehicle is called: its number, and its name if it has one. */
  name(vehicle) {
    const own = [...this.rows, ...this.facts.idle].find((row) => row.number === vehicle + 1);
    return own?.vehicle ? `${own.number} · ${own.vehicle}` : `Route ${vehicle + 1}`;
  }

  /** Reads the routes of the tour that is shown, the latest wish first. */
  async show() {
    const { path } = this;
    if (!path && this.changing) return;
    this.asked = path;
    const vehicles = path && this.state.trace.facts.kind === "vrp";
    const answer = vehicles ? await get(`${path}/routes`).catch(() => null) : NOTHING;
    if (!answer || path !== this.asked) return;
    this.facts = { ...NOTHING, ...answer };
    this.changing = false;
    if (this.chosen !== null && !this.row(this.chosen)) this.chosen = this.stop = null;
    await this.readStops();
    this.tour.highlight(this.chosen);
    this.tell();
  }

  async readStops() {
    const { path, chosen } = this;
    const answer = path && chosen !== null ? await get(`${path}/routes/${chosen}`).catch(() => null) : null;
    if (chosen === this.chosen) this.stops = answer?.stops ?? [];
  }

  /** Lets a route stand out until another one is chosen. */
  async choose(vehicle, { stop = null, reveal = false } = {}) {
    const before = this.chosen;
    this.chosen = vehicle;
    this.stop = stop;
    if (vehicle !== before) this.stops = [];
    this.tour.highlight(vehicle);
    this.tell();
    await this.readStops();
    this.tell(reveal);
  }

  /** Chooses a route, or none where it is chosen already. */
  toggle(vehicle) {
    return this.choose(vehicle === this.chosen ? null : vehicle);
  }

  /** Puts a stop on another vehicle. */
  async move(stop, vehicle, name) {
    if (await this.change({ move: { stop, vehicle } })) say(`${name} is on ${this.name(vehicle)} now`);
  }

  lockStop(stop, locked) {
    return this.change({ locked: { stops: changed(this.locked.stops, stop, locked) } });
  }

  lockRoute(vehicle, locked) {
    return this.change({ locked: { vehicles: changed(this.locked.vehicles, vehicle, locked) } });
  }

  /** Changes the plan; the first change of one makes another trace, which is shown from then on. */
  async change(body) {
    const { state, tour, path } = this;
    const facts = await attempt(() => post(`${path}/change`, body));
    if (!facts) return false;
    tour.replay.live = true;
    state.take({ traces: [facts] });
    const trace = state.traces.get(facts.id);
    trace.onChart = false;
    this.changing = trace !== state.trace;
    if (this.changing) state.select({ trace });
    else this.tell();
    return true;
  }
}

function changed(numbers, number, present) {
  const others = numbers.filter((each) => each !== number);
  return present ? [...others, number] : others;
}
