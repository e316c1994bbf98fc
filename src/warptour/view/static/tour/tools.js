/** Buttons below the map: zoom, and what can be saved or printed. */

import { getFile } from "../parts/api.js";
import { make } from "../parts/dom.js";
import { attempt } from "../parts/messages.js";
import { printSheets } from "../plan/print.js";
import { png, save, svg } from "./export.js";

export class Tools {
  /** @param {import("./panel.js").TourPanel} panel */
  constructor(panel) {
    this.panel = panel;
    const { scene } = panel;
    const zoom = (label, sign, action) =>
      make(
        "button",
        {
          type: "button",
          class: "icon",
          "aria-label": label,
          title: label,
          onclick: () => {
            action();
            scene.move();
          },
        },
        sign,
      );
    this.files = make("div", { class: "menu-items" });
    this.menu = make("details", { class: "menu" }, make("summary", { class: "button small" }, "Save"), this.files);
    this.menu.addEventListener("focusout", (event) => {
      if (!this.menu.contains(event.relatedTarget)) this.menu.open = false;
    });
    this.menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.menu.open = false;
    });
    this.element = make(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Map" },
      zoom("Zoom in", "+", () => scene.camera.zoom(1.5)),
      zoom("Zoom out", "−", () => scene.camera.zoom(1 / 1.5)),
      zoom("Show all", "⤢", () => scene.camera.fit()),
      this.menu,
    );
  }

  /** Offers what can be saved of what is shown. */
  update() {
    const { panel } = this;
    const { trace } = panel.state;
    const name = (panel.facts?.name ?? "tour").replace(/[^\w.-]+/g, "_");
    this.menu.hidden = !panel.facts;
    const items = [];
    if (panel.path()) {
      items.push(this.item("PNG of this view", async () => save(await png(panel.scene), `${name}.png`)));
      items.push(this.item("SVG, all of it", async () => save(svg(panel.scene, panel.depot()), `${name}.svg`)));
    }
    if (panel.frame !== null) {
      const formats = {
        csv: "CSV of the tour",
        xlsx: panel.facts.kind === "vrp" ? "Workbook for drivers" : "Workbook",
        geojson: "GeoJSON",
        [panel.facts.kind === "vrp" ? "sol" : "tour"]: "Solution file",
      };
      const path = (format) => `traces/${trace.id}/tours/${panel.frame}/export?format=${format}`;
      for (const [format, title] of Object.entries(formats)) items.push(this.download(title, () => path(format)));
      if (panel.facts.base) items.push(this.download("Plan with locks (JSON)", () => path("json")));
      if (panel.facts.kind === "vrp") {
        items.push(this.item("Print for drivers", () => printSheets(`traces/${trace.id}/tours/${panel.frame}`)));
      }
    }
    if (trace) items.push(this.download("CSV of the costs", () => `traces/${trace.id}/costs.csv`));
    const offered = JSON.stringify([trace?.id, ...items.map((item) => item.textContent)]);
    if (offered !== this.offered) this.files.replaceChildren(...items);
    this.offered = offered;
  }

  item(title, action) {
    return make(
      "button",
      {
        type: "button",
        class: "plain",
        onclick: () => {
          this.menu.open = false;
          attempt(action);
        },
      },
      title,
    );
  }

  /** A file of the server, as it is when it is asked for. @param {() => string} path */
  download(title, path) {
    return this.item(title, async () => {
      const { blob, name } = await getFile(path());
      save(blob, name);
    });
  }
}
