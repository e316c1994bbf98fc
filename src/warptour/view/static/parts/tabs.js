/** Tabs, after the ARIA pattern: arrow keys go from one to the next. */

import { make } from "./dom.js";

/**
 * @param {string} label what the tabs are about
 * @param {{id: string, title: string, panel: HTMLElement}[]} tabs
 * @param {(id: string) => void} [chosen]
 */
export function makeTabs(label, tabs, chosen = () => {}) {
  const buttons = tabs.map(({ id, title, panel }) => {
    panel.id = `panel-${id}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    const choose = () => show(id);
    return make(
      "button",
      { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": panel.id, onclick: choose },
      title,
    );
  });

  function show(id) {
    tabs.forEach((tab, index) => {
      const current = tab.id === id;
      buttons[index].setAttribute("aria-selected", String(current));
      buttons[index].tabIndex = current ? 0 : -1;
      tab.panel.hidden = !current;
    });
    chosen(id);
  }

  function step(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const shown = buttons.filter((button) => !button.hidden);
    const next = shown[(shown.indexOf(event.target) + by + shown.length) % shown.length];
    next.focus();
    next.click();
    event.preventDefault();
  }

  const list = make("div", { role: "tablist", "aria-label": label, onkeydown: step }, ...buttons);
  show(tabs[0].id);
  return {
    element: make("div", { class: "tabs" }, list, ...tabs.map((tab) => tab.panel)),
    show,
    button: (id) => buttons[tabs.findIndex((tab) => tab.id === id)],
  };
}
