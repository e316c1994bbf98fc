/** A chart as a file of its own: what the style sheet gave it becomes attributes. */

const PROPERTIES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "opacity"];

/** @param {SVGSVGElement} chart @param {string} ground colour behind it @returns {Blob} */
export function chartFile(chart, ground) {
  const copy = /** @type {SVGSVGElement} */ (chart.cloneNode(true));
  const originals = chart.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, index) => {
    const style = getComputedStyle(originals[index]);
    for (const name of PROPERTIES) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  const behind = document.createElementNS(copy.namespaceURI, "rect");
  for (const [name, value] of [
    ["width", "100%"],
    ["height", "100%"],
    ["fill", ground],
  ])
    behind.setAttribute(name, value);
  copy.prepend(behind);
  for (const name of ["class", "tabindex", "role"]) copy.removeAttribute(name);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}
