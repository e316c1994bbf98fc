/** Dragging a stop to another route: onto the map, the table of routes, or a day. */

import { nearest } from "../tour/grid.js";

const REACH = 9; // pixels around a stop in which it is taken
const NEAR = 40; // pixels around a stop in which its route is meant

export class StopDrag {
  /** @param {import("./plan.js").Plan} plan */
  constructor(plan) {
    this.plan = plan;
    this.tour = plan.tour;
    this.tour.taken = (x, y) => this.take(x, y);
  }

  /** Takes the stop at a place of the map; null where there is none that can go elsewhere. */
  take(x, y) {
    const node = this.plan.editable ? this.at(x, y, REACH) : -1;
    if (node < 0 || node === this.tour.depot()) return null;
    const held = { node, x, y, vehicle: null, over: true };
    return {
      moved: (event, toX, toY) => this.follow(Object.assign(held, { x: toX, y: toY }), event),
      dropped: () => this.drop(held),
      left: () => this.end(held),
    };
  }

  at(x, y, reach) {
    const { ground, camera } = this.tour.scene;
    if (!ground?.grid) return -1;
    return nearest(ground.grid, ground.places, ...camera.toPlane(x, y), reach / camera.scale);
  }

  /** Shows where the stop would go. */
  async follow(held, event) {
    this.tour.drag = held;
    const element = document.elementFromPoint(event.clientX, event.clientY);
    const row = element?.closest("[data-vehicle]");
    let vehicle = row ? Number(row.dataset.vehicle) : null;
    if (!row && this.tour.map.contains(element)) {
      const near = this.at(held.x, held.y, NEAR);
      vehicle = near < 0 || near === held.node ? null : await this.tour.drawer.ask("routeOf", { node: near });
    }
    if (this.tour.drag !== held) return;
    held.vehicle = vehicle;
    this.tour.highlight(vehicle ?? this.plan.chosen);
  }

  async drop(held) {
    this.end(held);
    const own = await this.tour.drawer.ask("routeOf", { node: held.node });
    if (held.vehicle === null || held.vehicle === own) return;
    await this.plan.move(held.node, held.vehicle, `Stop ${held.node + 1}`);
  }

  end(held) {
    if (this.tour.drag === held) this.tour.drag = null;
    this.tour.highlight(this.plan.chosen);
  }
}
