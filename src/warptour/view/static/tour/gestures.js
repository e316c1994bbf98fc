/** Pan and zoom by mouse, touch, wheel and keyboard. */

const KEY_STEP = 60; // pixels
const KEY_ZOOM = 1.3;
const CLICK = 5; // pixels that a pointer may move in a click

/**
 * @param {HTMLElement} element
 * @param {import("./camera.js").Camera} camera
 * @param {{moved: () => void, left: () => void, pointed: Place, chosen: Place, taken: (x: number, y: number) => Taken | null}} on
 * @typedef {(x: number, y: number) => void} Place a place in pixels
 * @typedef {{moved: (event: PointerEvent, x: number, y: number) => void, dropped: () => void, left: () => void}} Taken
 */
export function followGestures(element, camera, on) {
  /** @type {Map<number, {x: number, y: number}>} */ const pointers = new Map();
  let travelled = 0;
  /** What the mouse carries. @type {Taken | null} */ let taken = null;

  element.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    pointers.set(event.pointerId, place(event));
    if (pointers.size === 1) {
      travelled = 0;
      taken = event.pointerType === "mouse" ? on.taken(place(event).x, place(event).y) : null;
    }
    element.setPointerCapture(event.pointerId);
  });

  element.addEventListener("pointermove", (event) => {
    const to = place(event);
    const from = pointers.get(event.pointerId);
    if (!from) return on.pointed(to.x, to.y);
    const before = spread(pointers);
    pointers.set(event.pointerId, to);
    const after = spread(pointers);
    travelled += Math.hypot(to.x - from.x, to.y - from.y);
    if (taken) return travelled < CLICK ? undefined : taken.moved(event, to.x, to.y);
    camera.pan(after.x - before.x, after.y - before.y);
    if (before.size > 0) camera.zoom(after.size / before.size, after.x, after.y);
    on.moved();
  });

  const lift = (event) => {
    if (taken && pointers.size === 1) {
      if (event.type === "pointerup" && travelled >= CLICK) taken.dropped();
      else taken.left();
      taken = null;
    }
    if (pointers.delete(event.pointerId) && pointers.size === 0 && travelled < CLICK && event.type === "pointerup") {
      const { x, y } = place(event);
      on.chosen(x, y);
    }
  };
  element.addEventListener("pointerup", lift);
  element.addEventListener("pointercancel", lift);
  element.addEventListener("pointerleave", on.left);

  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x, y } = place(event);
      const lines = event.deltaMode === 1 ? 20 : 1;
      camera.zoom(Math.exp(-Math.max(-300, Math.min(300, event.deltaY * lines)) * 0.002), x, y);
      on.moved();
    },
    { passive: false },
  );

  element.addEventListener("dblclick", (event) => {
    const { x, y } = place(event);
    camera.zoom(event.shiftKey ? 0.5 : 2, x, y);
    on.moved();
  });

  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 4 * KEY_STEP : KEY_STEP;
    const actions = {
      ArrowLeft: () => camera.pan(step, 0),
      ArrowRight: () => camera.pan(-step, 0),
      ArrowUp: () => camera.pan(0, step),
      ArrowDown: () => camera.pan(0, -step),
      "+": () => camera.zoom(KEY_ZOOM),
      "=": () => camera.zoom(KEY_ZOOM),
      "-": () => camera.zoom(1 / KEY_ZOOM),
      0: () => camera.fit(),
      Home: () => camera.fit(),
      Enter: () => on.chosen(camera.width / 2, camera.height / 2),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
    if (event.key !== "Enter") on.moved();
  });

  function place(event) {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

/** Middle of the pointers, and how far they are from each other. */
function spread(pointers) {
  const all = [...pointers.values()];
  const x = all.reduce((sum, pointer) => sum + pointer.x, 0) / all.length;
  const y = all.reduce((sum, pointer) => sum + pointer.y, 0) / all.length;
  return { x, y, size: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 };
}
