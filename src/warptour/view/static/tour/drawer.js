/** The worker, as promises. */

import { Refused } from "../parts/api.js";

export class Drawer {
  constructor() {
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    /** @type {Map<number, {resolve: Function, reject: Function}>} */ this.waiting = new Map();
    this.last = 0;
    this.worker.onmessage = ({ data: { id, result, error } }) => {
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      if (error) reject(new Refused(error));
      else resolve(result);
    };
  }

  /** @param {string} task one of the answers in worker.js @param {object} [value] @returns {Promise<any>} */
  ask(task, value = {}) {
    const id = ++this.last;
    this.worker.postMessage({ id, task, value });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
}
