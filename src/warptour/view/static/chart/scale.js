/** Axes: from values to pixels, and the marks on them. */

/**
 * @typedef {{low: number, high: number, log: boolean, at: (value: number) => number, back: (pixel: number) => number,
 *   marks: number[]}} Scale
 */

/**
 * @param {number} low @param {number} high values at the two ends
 * @param {number} from @param {number} to pixels there
 * @param {boolean} log @param {number} most number of marks at most
 * @returns {Scale}
 */
export function makeScale(low, high, from, to, log, most) {
  if (!(high > low)) [low, high] = log ? [low / 1.1, low * 1.1 || 1] : [low * 0.98 - 1e-3, low * 1.02 + 1e-3];
  const value = log ? Math.log10 : (number) => number;
  const [start, span] = [value(low), value(high) - value(low)];
  return {
    low,
    high,
    log,
    at: (number) => from + ((value(Math.max(number, log ? low : -Infinity)) - start) / span) * (to - from),
    back: (pixel) => {
      const number = start + ((pixel - from) / (to - from)) * span;
      return log ? 10 ** number : number;
    },
    marks: log ? logMarks(low, high, most) : linearMarks(low, high, most),
  };
}

function linearMarks(low, high, most) {
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const marks = [];
  for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-12); i++)
    marks.push(Number((i * step).toPrecision(12)));
  return marks;
}

function logMarks(low, high, most) {
  for (const factors of [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1, 3], [1]]) {
    const marks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      marks.push(...factors.map((factor) => Number((factor * 10 ** power).toPrecision(12))));
    }
    const inside = marks.filter((mark) => mark >= low && mark <= high);
    if (inside.length <= most && inside.length >= 2) return inside;
    if (factors.length === 1 && inside.length > most) {
      const every = Math.ceil(inside.length / most);
      return inside.filter((_, index) => index % every === 0);
    }
  }
  return linearMarks(low, high, most);
}

/**
 * The indices of marks whose texts do not touch, from the first on.
 * @param {Scale} scale @param {number[]} sizes of the texts along the axis, in pixels
 */
export function apart({ marks, at }, sizes) {
  const kept = [];
  for (let k = 0; k < marks.length; k++) {
    const last = kept.at(-1);
    if (last === undefined || Math.abs(at(marks[k]) - at(marks[last])) >= (sizes[k] + sizes[last]) / 2 + 6) kept.push(k);
  }
  return kept;
}

/** Marks as text, with as many digits as tell them apart. @param {number[]} marks */
export function markTexts(marks) {
  const largest = Math.max(...marks.map(Math.abs));
  for (let digits = 3; digits < 12; digits++) {
    const style = { maximumSignificantDigits: digits, notation: largest >= 1e6 ? "compact" : "standard" };
    const texts = marks.map((mark) => mark.toLocaleString("en", style));
    if (
      new Set(texts).size === marks.length &&
      marks.every((mark) => Math.abs(Number(mark.toPrecision(digits)) - mark) <= 1e-9 * largest)
    )
      return texts;
  }
  return marks.map(String);
}
