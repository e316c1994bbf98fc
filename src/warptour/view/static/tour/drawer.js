/** The worker, as promises. */

export class Drawer {
  constructor() {
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.waiting = new Map();
    this.last = 0;
    this.worker.onmessage = ({ data: { id, result, error } }) => {
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      if (error) reject(new Error(error));
      else resolve(result);
    };
  }

  /** @param {"places" | "solution" | "picture"} task @param {object} value @param {Transferable[]} [given] */
  ask(task, value, given = []) {
    const id = ++this.last;
    this.worker.postMessage({ id, task, value }, given);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
}
