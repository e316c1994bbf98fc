/** One field of a form: its label, input and help; reads nothing where the value is the default. */

import { make } from "../parts/dom.js";

let ids = 0;

/**
 * @typedef {{name: string, title?: string, type: string, default?: any, low?: number | null, high?: number | null,
 *   choices?: any[] | null, optional?: boolean, help?: string, unit?: string | null, example?: string | null,
 *   group?: string | null}} Form
 */

/**
 * @param {Form} form as `api/forms` describes it
 * @returns {{element: HTMLElement, input: any, read: () => any, write: (value: any) => void, name: string}} `read` returns undefined for the default
 */
export function makeField(form) {
  const id = `field-${++ids}`;
  const help = form.help ? make("small", { id: `${id}-help` }, ...withCode(form.help)) : null;
  const input = makeInput(form, id);
  if (help) input.setAttribute("aria-describedby", help.id);
  if (help) input.title = help.textContent;
  const unit = form.unit && !form.name.includes(form.unit) ? ` (${form.unit})` : "";
  const title = `${form.title ?? form.name.replaceAll("_", " ")}${unit}`;
  const label = make("label", { htmlFor: id }, title);
  const list = input.suggestions ?? null;
  const element =
    form.type === "boolean"
      ? make("div", { class: "field check" }, input, label, help)
      : make("div", { class: "field" }, label, input, list, help);
  const write = (value) => writeInput(form, input, value);
  return { element, input, name: form.name, read: () => readInput(form, input), write };
}

function writeInput(form, input, value) {
  if (form.type === "boolean") input.checked = Boolean(value ?? form.default);
  else if (form.type !== "file") input.value = asText(value);
}

function makeInput(form, id) {
  if (form.type === "boolean") return make("input", { id, type: "checkbox", checked: Boolean(form.default) });
  if (form.type === "choice") {
    const none = form.optional ? [make("option", { value: "" }, "as usual")] : [];
    const options = form.choices.map((choice) => make("option", { value: String(choice) }, String(choice)));
    const select = make("select", { id }, ...none, ...options);
    select.value = form.default === null || form.default === undefined ? select.options[0].value : String(form.default);
    return select;
  }
  if (form.type === "file") return make("input", { id, type: "file" });
  const placeholder = asText(form.default) || (form.example ?? "");
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
  if (form.type === "file") return input.files[0];
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
