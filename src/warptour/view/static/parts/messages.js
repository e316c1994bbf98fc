/** The line of an error, and what is said to screen readers. */

import { byId, make } from "./dom.js";
import { Refused } from "./api.js";

/** Shows one line, as the command line prints it, until it is dismissed or the next action succeeds. */
export function showError(line) {
  const named = { type: "button", class: "plain", "aria-label": "Dismiss" };
  const dismiss = make("button", { ...named, onclick: clearError }, "✕");
  byId("error").replaceChildren(make("p", {}, line), dismiss);
}

export function clearError() {
  byId("error").replaceChildren();
}

/** Says something to screen readers without showing it. */
export function say(text) {
  byId("announcement").textContent = text;
}

/**
 * Does something that the server may refuse, and shows why if it does.
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<T | undefined>}
 */
export async function attempt(action) {
  try {
    const result = await action();
    clearError();
    return result;
  } catch (error) {
    if (!(error instanceof Refused)) console.error(error);
    showError(error instanceof Refused ? error.message : `the page failed: ${error.message}`);
  }
}
