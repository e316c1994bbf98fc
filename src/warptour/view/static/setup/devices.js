/** Which devices a run may use: none chosen means the solver chooses. */

import { get } from "../parts/api.js";
import { make } from "../parts/dom.js";

export class DeviceChoice {
  constructor() {
    this.list = make("div", { class: "checks" }, make("p", { class: "quiet" }, "Looking for devices …"));
    this.element = make("fieldset", {}, make("legend", {}, "Devices"), this.list);
    this.boxes = [];
    this.load();
  }

  async load() {
    try {
      const { devices, missing } = await get("devices");
      this.boxes = devices.map((device) =>
        make("input", { type: "checkbox", value: device.name, disabled: !device.usable }),
      );
      const labels = devices.map((device, index) =>
        make(
          "label",
          { class: "check", title: device.failure ?? device.title ?? "" },
          this.boxes[index],
          make(
            "span",
            {},
            device.name,
            " ",
            make("small", {}, device.usable ? (device.title ?? "") : (device.failure ?? "")),
          ),
        ),
      );
      this.list.replaceChildren(
        make("small", {}, "None chosen: the quickest for the problem."),
        ...labels,
        ...missing.map((line) => make("small", {}, line)),
      );
    } catch (error) {
      this.list.replaceChildren(make("p", { class: "line-error" }, error.message));
    }
  }

  /** Names with commas, or auto. */
  read() {
    const chosen = this.boxes.filter((box) => box.checked).map((box) => box.value);
    return chosen.length ? chosen.join(",") : "auto";
  }
}
