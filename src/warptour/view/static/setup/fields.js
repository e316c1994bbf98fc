/** One field of a form: its label, input and help; reads nothing where the value is the default. */

import { make } from "../parts/dom.js";

let ids = 0;

/**
 * @typedef {{name: string, title?: string, type: string, default?: any, low?: number | null, high?: number | null,
 *   choices?: any[] | null, optional?: boolean, help?: string}} Form
 */

/**
 * @param {Form} form as `api/forms` describes it
 * @returns {{element: HTMLElement, input: any, read: () => any, name: string}} `read` returns undefined for the default
 */
export function makeField(form) {
  const id = `field-${++ids}`;
  const help = form.help ? make("small", { id: `${id}-help` }, ...withCode(form.help)) : null;
  const input = makeInput(form, id);
  if (help) input.setAttribute("aria-describedby", help.id);
  const title = form.title ?? form.name.replaceAll("_", " ");
  const label = make("label", { htmlFor: id }, title);
  const list = input.suggestions ?? null;
  const element =
    form.type === "boolean"
      ? make("div", { class: "field check" }, input, label, help)
      : make("div", { class: "field" }, label, input, list, help);
  return { element, input, name: form.name, read: () => readInput(form, input) };
}

function makeInput(form, id) {
  if (form.type === "boolean") return make("input", { id, type: "checkbox", checked: Boolean(form.default) });
  if (form.type === "choice") {
    const none = form.optional ? [make("option", { value: "" }, "default")] : [];
    const options = form.choices.map((choice) => make("option", { value: String(choice) }, String(choice)));
    const select = make("select", { id }, ...none, ...options);
    select.value = form.default === null || form.default === undefined ? select.options[0].value : String(form.default);
    return select;
  }
  const placeholder = asText(form.default);
  if (form.type === "integer" || form.type === "number") {
    const step = form.type === "integer" ? "1" : "any";
    const limits = { min: asText(form.low), max: asText(form.high) };
    return make("input", {
      id,
      type: "number",
      step,
      ...limits,
      placeholder,
      inputMode: form.type === "integer" ? "numeric" : "decimal",
    });
  }
  const input = make("input", { id, type: "text", placeholder, autocomplete: "off", spellcheck: false });
  if (form.choices?.length) {
    input.setAttribute("list", `${id}-list`);
    input.suggestions = make(
      "datalist",
      { id: `${id}-list` },
      ...form.choices.map((choice) => make("option", { value: String(choice) })),
    );
  }
  return input;
}

function readInput(form, input) {
  if (form.type === "boolean") return input.checked === Boolean(form.default) ? undefined : input.checked;
  const text = input.value.trim();
  if (text === "" || text === asText(form.default)) return undefined;
  if (form.type === "integer" || form.type === "number") return Number(text);
  if (form.type === "words")
    return text
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean);
  return text;
}

function asText(value) {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Text in which ``words`` between backticks are code. */
function withCode(text) {
  return text.split("``").map((part, index) => (index % 2 ? make("code", {}, part) : part));
}
