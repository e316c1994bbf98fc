/** Elements of the page. Text is always text: nothing here parses markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element. Functions become listeners (`onclick`), known names properties, other names attributes.
 * @param {string} tag
 * @param {Record<string, any>} [properties] null and undefined are left out
 * @param {...(Node | string | number | null | undefined)} children
 * @returns {HTMLElement & any}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined).map(asNode));
  return element;
}

/**
 * Creates an element of a drawing.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number)} children
 * @returns {SVGElement}
 */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children.map(asNode));
  return element;
}

/** The element with this id. @returns {HTMLElement & any} */
export function byId(id) {
  return document.getElementById(id);
}

/** Sets an element's text, and hides it where there is none. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

function asNode(child) {
  return typeof child === "number" ? String(child) : child;
}
