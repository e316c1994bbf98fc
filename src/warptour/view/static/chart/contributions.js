/** What neighbourhoods, workers and steps have contributed. */

import { draw, make } from "../parts/dom.js";
import { brief, cost, count, seconds } from "../parts/format.js";

const BARS = 60;

export class Contributions {
  constructor() {
    this.element = make("div", { class: "contributions" });
  }

  /** @param {import("../trace_data.js").TraceData | null} trace */
  draw(trace) {
    const parts = [];
    if (trace?.contributions.length) parts.push(neighbourhoods(trace.contributions));
    if (trace?.workers.length) parts.push(workers(trace.workers));
    for (const [of, lines] of trace?.steps ?? []) parts.push(steps(of, lines));
    const nothing = trace ? "Nothing was reported of neighbourhoods, workers or steps." : "No run yet.";
    this.element.replaceChildren(...(parts.length ? parts : [make("p", { class: "quiet" }, nothing)]));
  }
}

function neighbourhoods(rows) {
  const most = Math.max(...rows.map((row) => row.gain ?? 0), 1e-9);
  return table(
    "Neighbourhoods",
    ["name", "gain", "moves", "evaluations", "time"],
    rows.map((row) => [
      row.name,
      bar(row.gain, most),
      brief(row.moves),
      brief(row.evaluations),
      Number.isFinite(row.seconds) ? seconds(row.seconds) : "–",
    ]),
  );
}

function workers(rows) {
  const most = Math.max(...rows.map((row) => row.gain ?? 0), 1e-9);
  return table(
    "Workers",
    ["name", "device", "gain", "per second", "state"],
    rows.map((row) => [row.name, row.device ?? "–", bar(row.gain, most), `${brief(row.rate)}${row.unit ? ` ${row.unit}` : ""}`, row.status ?? "–"]),
  );
}

/** What the steps of a kind gained over their number, and what the last ones say. */
function steps(of, lines) {
  const last = lines.at(-1);
  const facts = Object.entries(last.facts ?? {}).filter(([, value]) => Number.isFinite(value));
  const list = facts.flatMap(([name, value]) => [
    make("dt", {}, name.replaceAll("_", " ")),
    make("dd", {}, cost(value, 3)),
  ]);
  return make(
    "section",
    {},
    make("h3", {}, `${of[0].toUpperCase()}${of.slice(1)}s `, make("span", { class: "quiet" }, count(last.number))),
    lines.some((line) => line.facts?.gain > 0) ? gains(of, lines) : null,
    make("dl", { class: "figures" }, ...list),
  );
}

/** Bars of the gain between one line and the next, in at most as many groups as there is room for. */
function gains(of, lines) {
  const groups = Math.min(BARS, lines.length);
  const heights = [];
  let before = 0;
  for (let group = 1; group <= groups; group++) {
    const line = lines[Math.ceil((group * lines.length) / groups) - 1];
    const gain = line.facts?.gain ?? before;
    heights.push({ gain: Math.max(0, gain - before), number: line.number });
    before = gain;
  }
  const most = Math.max(...heights.map(({ gain }) => gain)) || 1;
  const height = (gain) => (gain > 0 ? 6 + 50 * Math.sqrt(gain / most) : 0);
  const bars = heights.map(({ gain, number }, index) =>
    draw(
      "rect",
      {
        x: ((index + 0.1) * 300) / groups,
        width: 240 / groups,
        y: 60 - height(gain),
        height: height(gain),
      },
      draw("title", {}, `to ${of} ${count(number)}: ${cost(gain)}`),
    ),
  );
  const label = `Gain of ${of}s 1 to ${count(lines.at(-1).number)}; the largest is ${cost(most)}`;
  return make(
    "figure",
    {},
    draw(
      "svg",
      { class: "bars", viewBox: "0 0 300 60", preserveAspectRatio: "none", role: "img", "aria-label": label },
      ...bars,
    ),
    make("figcaption", { class: "quiet" }, `gain by ${of}, the most ${cost(most)} (heights are square roots)`),
  );
}

function table(title, columns, rows) {
  const head = make("tr", {}, ...columns.map((name) => make("th", { scope: "col" }, name)));
  const body = rows.map(([name, ...cells]) =>
    make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell) => make("td", {}, cell))),
  );
  return make(
    "section",
    {},
    make("h3", {}, title),
    make(
      "div",
      { class: "scroll" },
      make("table", { class: "figures" }, make("thead", {}, head), make("tbody", {}, ...body)),
    ),
  );
}

/** A number with a bar of its share of the most. */
function bar(value, most) {
  if (!Number.isFinite(value)) return "–";
  const filled = make("span", { class: "filled" });
  filled.style.width = `${Math.max(0, Math.min(100, (100 * value) / most))}%`;
  return make("span", { class: "bar" }, filled, make("span", { class: "value" }, brief(value)));
}
