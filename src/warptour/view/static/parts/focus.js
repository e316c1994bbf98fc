/** Keeps the focus on a control while its surroundings are drawn again; `data-key` tells which one it is. */

/** @param {HTMLElement} element @param {() => void} draw replaces what is in it */
export function withFocus(element, draw) {
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.dataset.key;
  const at = key ? [...element.querySelectorAll("[data-key]")].indexOf(active) : -1;
  draw();
  if (!key) return;
  const all = [...element.querySelectorAll("[data-key]")];
  const same = all.find((other) => other.dataset.key === key);
  const kind = key.split("-")[0];
  (same ?? all.slice(at).find((other) => other.dataset.key.startsWith(kind)) ?? all.at(-1))?.focus();
}
