/** The panel of the tour: what is shown, with its tools, slider and labels. */

import { make, setText } from "../parts/dom.js";
import { size } from "../parts/format.js";
import { showError } from "../parts/messages.js";
import { CityLabel } from "./city.js";
import { Drawer } from "./drawer.js";
import { followGestures } from "./gestures.js";
import { Replay } from "./replay.js";
import { Scene } from "./scene.js";
import { Tools } from "./tools.js";

const SHARE = 8; // pause between two live tours, in times that the last one took: the cores are for the run

export class TourPanel {
  /** @param {HTMLElement} root @param {import("../state.js").State} state */
  constructor(root, state) {
    this.state = state;
    this.drawer = new Drawer();
    const [lines, above] = ["lines", "above"].map((name) => make("canvas", { class: name, "aria-hidden": "true" }));
    this.scene = new Scene(lines, above, this.drawer);
    this.scene.marks = (context) => this.drawMarks(context);
    this.scene.marked = () => this.depot() !== null || this.city.node >= 0;
    this.city = new CityLabel(this.scene);
    this.message = make("p", { class: "message" });
    this.map = make(
      "div",
      { class: "map", tabindex: 0, role: "application", "aria-roledescription": "map" },
      lines,
      above,
      this.city.element,
      this.message,
    );
    this.replay = new Replay((frame) => this.showFrame(frame));
    this.caption = make("p", { class: "caption" });
    this.tools = new Tools(this);
    const below = make("div", { class: "below" }, this.caption, this.tools.element);
    root.append(make("div", { class: "map-frame" }, this.map), below, this.replay.element);

    /** Path that coordinates were read from. @type {string | null} */ this.source = null;
    /** The tour that is shown, on the map if there are places; null without one. @type {number | null} */
    this.frame = null;
    /** Number of routes that are drawn. @type {number | null} */ this.routes = null;
    this.shown = () => {};
    this.stopChosen = (_stop, _route) => {};
    /** What takes a stop that the mouse goes down on, and the stop that it carries. */
    this.taken = (_x, _y) => null;
    /** @type {{node: number, x: number, y: number} | null} */ this.drag = null;
    /** What is to be drawn next, and what is drawn: trace and frame. */
    this.wanted = null;
    this.drawn = null;
    /** @type {Promise<void> | null} */ this.drawing = null;
    this.liveTimer = 0;

    followGestures(this.map, this.scene.camera, {
      moved: () => this.scene.move(),
      pointed: (x, y) => this.city.point(x, y),
      left: () => this.city.clear(),
      chosen: (x, y) => this.choose(x, y),
      taken: (x, y) => this.taken(x, y),
    });
    new ResizeObserver(() => this.scene.resize(this.map.clientWidth, this.map.clientHeight)).observe(this.map);
    state.on("selection", () => this.select());
    state.on("data", (trace) => trace === state.trace && this.grow());
    document.addEventListener("visibilitychange", () => this.grow());
  }

  /** Facts of what is shown: a trace, or a problem. */
  get facts() {
    return this.state.trace?.facts ?? this.state.problem;
  }

  /** Shows what was selected. */
  async select() {
    this.frame = this.routes = null;
    this.wanted = null;
    clearTimeout(this.liveTimer);
    this.liveTimer = 0;
    this.city.clear();
    this.shown();
    this.drawn = null;
    const { trace } = this.state;
    this.replay.take(trace);
    this.describe();
    if (!trace?.facts.frames) await this.showCities();
    else if (!trace.frames.length) await this.showFrame(trace.facts.frames - 1);
  }

  /** Shows what is new in the trace; a hidden page leaves the cores to the solver. */
  grow() {
    if (document.hidden || !this.state.trace) return;
    this.describe();
    if (!this.source && !this.drawing && this.path()) this.showCities();
    if (!this.drawing && !this.liveTimer) this.replay.take(this.state.trace);
    else this.replay.tell();
  }

  /** Path of the coordinates of what is shown; null where there is nothing to draw. */
  path() {
    const { state } = this;
    if (!this.facts?.drawable)
      return state.problemOf(state.trace)?.drawable ? `problems/${state.problemOf(state.trace).id}` : null;
    const problem = state.trace ? state.problemOf(state.trace) : state.problem;
    return problem ? `problems/${problem.id}` : `traces/${state.trace.id}`;
  }

  /** Reads the places, unless they are there. */
  async ground() {
    const path = this.path();
    if (path === this.source) return;
    if (!path) {
      this.source = null;
      this.scene.clear();
      return;
    }
    const { facts } = this;
    this.tell(`Reading ${size(facts) || facts.name} …`);
    this.scene.clear();
    const geographic = Boolean(facts.geographic);
    const ground = await this.drawer.ask("places", { path, geographic });
    this.scene.ground = ground;
    this.scene.geographic = geographic;
    this.scene.camera.fit(ground.projection);
    this.source = this.city.source = path;
  }

  /** Draws the cities without a tour. */
  async showCities() {
    await this.follow({ frame: null });
  }

  /** Draws a tour. */
  showFrame(frame) {
    return this.follow({ trace: this.state.trace, frame });
  }

  /** Draws what is wanted, and then what has been wanted since. */
  async follow(wanted) {
    this.wanted = wanted;
    this.drawing ??= this.drawAll();
    await this.drawing;
  }

  async drawAll() {
    while (this.wanted) {
      const wanted = this.wanted;
      const began = performance.now();
      try {
        if (wanted.frame === null) await this.drawCities();
        else await this.drawTour(wanted);
      } catch (error) {
        showError(error.message);
      }
      if (wanted === this.wanted) this.wanted = null;
      if (this.state.trace?.facts.state === "growing") this.pauseLive(SHARE * (performance.now() - began));
    }
    this.drawing = null;
    if (!this.liveTimer) this.grow();
  }

  /** Leaves time between two live tours. */
  pauseLive(milliseconds) {
    clearTimeout(this.liveTimer);
    this.liveTimer = setTimeout(() => {
      this.liveTimer = 0;
      this.grow();
    }, milliseconds);
  }

  async drawCities() {
    await this.ground();
    if (this.source) this.scene.show((await this.drawer.ask("dots")).line, true);
    this.tell(this.emptyMessage());
    this.shown();
    if (this.source) this.findCities();
  }

  async drawTour({ trace, frame }) {
    const key = `${trace.id}/${frame}`;
    if (key === this.drawn) return;
    const path = (number) => `traces/${trace.id}/tours/${number}`;
    this.drawer.ask("fetch", { path: path(frame) });
    await this.ground();
    if (trace !== this.state.trace) return;
    if (this.source) {
      const { depot = null, open = false } = trace.facts;
      const { line, routes } = await this.drawer.ask("tour", { path: path(frame), depot, open });
      if (trace !== this.state.trace) return;
      if (this.replay.playing && frame + 1 < trace.frames.length) this.drawer.ask("fetch", { path: path(frame + 1) });
      const route = routes === this.routes ? this.scene.route : null;
      this.routes = routes;
      this.scene.show(line, false);
      this.scene.route = route;
      this.findCities();
    }
    this.drawn = key;
    this.frame = frame;
    this.tell(this.emptyMessage());
    this.tools.update();
    this.shown();
  }

  /** Makes cities answer the pointer, once their picture is there. */
  async findCities() {
    const { ground } = this.scene;
    if (!ground.grid) ground.grid = await this.drawer.ask("grid");
  }

  /** Why there is no tour to see. */
  emptyMessage() {
    const { trace, problem } = this.state;
    if (!trace && !problem) return "Drop a file here, choose one, or generate an example.";
    if (trace && trace.frames.length === 0) {
      if (trace.facts.state === "growing") return this.path() ? "" : "Waiting for the first tour …";
      return this.path() ? "" : "This trace has no tours: warptour solve --trace FILE --tours keeps them.";
    }
    return this.path() ? "" : "This instance has distances only, and no places to draw.";
  }

  tell(text) {
    setText(this.message, text);
  }

  describe() {
    const { facts } = this;
    const what = facts ? [facts.name, size(facts)].filter(Boolean).join(" · ") : "";
    setText(this.caption, what);
    const help = "Arrow keys move, plus and minus zoom, 0 shows all, Enter tells the city in the middle.";
    this.map.setAttribute("aria-label", `${facts ? `Map of ${facts.name}, ${size(facts)}.` : "Map, empty."} ${help}`);
    this.tools.update();
  }

  /** A city was clicked, or the one in the middle is asked for. */
  async choose(x, y) {
    const node = this.city.point(x, y, 30);
    if (node >= 0) this.city.show(node, true);
    if (this.routes) this.stopChosen(node < 0 ? null : node, node < 0 ? null : await this.drawer.ask("routeOf", { node }));
  }

  /** Marks a stop on the map, and chooses it. */
  async showStop(node) {
    this.city.show(node, true);
    this.stopChosen(node, await this.drawer.ask("routeOf", { node }));
  }

  /** Lets a route stand out; null for none. */
  highlight(route) {
    this.scene.route = route;
    this.scene.touch();
  }

  /** The depot of vehicles, or null. */
  depot() {
    return this.facts?.kind === "vrp" ? (this.facts.depot ?? null) : null;
  }

  drawMarks(context) {
    const { ground, camera, colours } = this.scene;
    const depot = this.depot();
    if (depot !== null) {
      const [x, y] = camera.toPixel(ground.places[2 * depot], ground.places[2 * depot + 1]);
      context.fillStyle = colours.depot;
      context.strokeStyle = colours.ground;
      context.lineWidth = 2;
      context.beginPath();
      context.rect(x - 6, y - 6, 12, 12);
      context.fill();
      context.stroke();
    }
    for (const node of this.lockedStops()) this.ring(context, node);
    if (this.drag) this.drawDrag(context);
    this.city.draw(context);
  }

  /** Stops that stay on their vehicles when the plan is made again. */
  lockedStops() {
    const { facts } = this;
    return facts?.steps?.[this.frame]?.stops ?? facts?.locked?.stops ?? [];
  }

  pixelOf(node) {
    const { ground, camera } = this.scene;
    return camera.toPixel(ground.places[2 * node], ground.places[2 * node + 1]);
  }

  /** A ring around a stop that is locked. */
  ring(context, node) {
    const [x, y] = this.pixelOf(node);
    context.lineWidth = 2;
    context.strokeStyle = this.scene.colours.depot;
    context.beginPath();
    context.arc(x, y, 6, 0, 7);
    context.stroke();
  }

  /** The way of a stop that the mouse carries. */
  drawDrag(context) {
    const { node, x, y } = this.drag;
    context.lineWidth = 2;
    context.strokeStyle = this.scene.colours.depot;
    context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(...this.pixelOf(node));
    context.lineTo(x, y);
    context.stroke();
    context.setLineDash([]);
  }
}
