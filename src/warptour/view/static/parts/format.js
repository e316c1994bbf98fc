/** Numbers as text. */

/** A cost or length: grouped, with at most `digits` decimals for small ones. */
export function cost(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  const decimals = Number.isInteger(value) || Math.abs(value) >= 100000 ? 0 : digits;
  return value.toLocaleString("en", { maximumFractionDigits: decimals });
}

/** A cost with its unit, if it has one. @param {number | null} value @param {{cost_unit?: string | null}} facts */
export function price(value, facts) {
  return `${cost(value)}${value !== null && facts?.cost_unit ? ` ${facts.cost_unit}` : ""}`;
}

/** A count, grouped. */
export function count(value) {
  return value === null || value === undefined ? "–" : Math.round(value).toLocaleString("en");
}

/** A large number in few characters: 12.3k, 4.56M. */
export function brief(value) {
  if (value === null || value === undefined) return "–";
  return value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
}

/** Seconds as text: 0.25 s, 12.3 s, 4:05 min, 2:03:10 h. */
export function seconds(value) {
  if (value < 120) return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 1 })} s`;
  const whole = Math.round(value);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)} h`;
}

/** A time of the day, in seconds after midnight: 08:05, 00:30 +1 on the next day. */
export function timeOfDay(value) {
  const minutes = Math.round(value / 60);
  const [days, rest] = [Math.floor(minutes / 1440), ((minutes % 1440) + 1440) % 1440];
  const text = `${String(Math.floor(rest / 60)).padStart(2, "0")}:${String(rest % 60).padStart(2, "0")}`;
  return days ? `${text} ${days > 0 ? "+" : ""}${days}` : text;
}

/** A load: grouped, with at most two decimals, and its unit if that is known. @param {string | null} [unit] */
export function load(value, unit) {
  return `${cost(value)}${unit ? ` ${unit}` : ""}`;
}

/** A time that something takes, in seconds: 1:05 h. */
export function duration(value) {
  const minutes = Math.round(value / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
}

/** The unit that lengths are shown in: kilometres where they are metres. @param {string | null} unit */
export function lengthUnit(unit) {
  return unit === "m" ? "km" : (unit ?? "");
}

/** A length, with its unit unless a title has that. @param {number} value @param {string | null} unit */
export function length(value, unit, named = true) {
  const shown = unit === "m" ? (value / 1000).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 }) : cost(value);
  return named && unit ? `${shown} ${lengthUnit(unit)}` : shown;
}

/** Percent with as many decimals as tell something. */
export function percent(value) {
  if (value === null || value === undefined) return "–";
  return `${value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1 })}%`;
}

/** How large an instance is. @param {{kind: string, n: number}} facts */
export function size({ kind, n }) {
  if (n === null || n === undefined) return "";
  return kind === "vrp" ? plural(n - 1, "stop", "stops") : plural(n, "stop", "stops");
}

/** "1 city", "1,000 cities". */
export function plural(number, one, many) {
  return `${count(number)} ${number === 1 ? one : many}`;
}
