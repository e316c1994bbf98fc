/** Which part of the plane is seen: its centre, and pixels per unit. */

const DEEPEST = 2 ** 22; // pixels per unit at which 32-bit coordinates are still good to an eighth of a pixel
const MARGIN = 24; // pixels around everything

export class Camera {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.width = 1;
    this.height = 1;
    this.extent = { width: 1, height: 1 };
    this.fitted = true;
  }

  /** Takes the size of the window, in CSS pixels. */
  resize(width, height) {
    this.width = width;
    this.height = height;
    if (this.fitted) this.fit();
    else this.limit();
  }

  /** Shows everything. */
  fit(extent = this.extent) {
    this.extent = extent;
    this.x = 0;
    this.y = 0;
    this.scale = this.wholeScale();
    this.fitted = true;
  }

  /** Scale at which everything is seen. */
  wholeScale() {
    const across = (this.width - 2 * MARGIN) / (this.extent.width || 1e-9);
    const up = (this.height - 2 * MARGIN) / (this.extent.height || 1e-9);
    return Math.max(1, Math.min(across, up));
  }

  /** Moves by pixels. */
  pan(right, down) {
    this.x -= right / this.scale;
    this.y += down / this.scale;
    this.fitted = false;
    this.limit();
  }

  /** Zooms by a factor around a pixel, which stays where it is. */
  zoom(factor, pixelX = this.width / 2, pixelY = this.height / 2) {
    const [x, y] = this.toPlane(pixelX, pixelY);
    this.scale = Math.min(DEEPEST, Math.max(this.wholeScale() / 3, this.scale * factor));
    this.x = x - (pixelX - this.width / 2) / this.scale;
    this.y = y + (pixelY - this.height / 2) / this.scale;
    this.fitted = false;
    this.limit();
  }

  /** Keeps the centre over what there is to see. */
  limit() {
    this.x = Math.max(-this.extent.width / 2, Math.min(this.extent.width / 2, this.x));
    this.y = Math.max(-this.extent.height / 2, Math.min(this.extent.height / 2, this.y));
  }

  /** @returns {[number, number]} */
  toPlane(pixelX, pixelY) {
    return [this.x + (pixelX - this.width / 2) / this.scale, this.y - (pixelY - this.height / 2) / this.scale];
  }

  /** @returns {[number, number]} */
  toPixel(x, y) {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }

  /** The part of the plane in the window: left, bottom, right, top. @returns {[number, number, number, number]} */
  get box() {
    const across = this.width / 2 / this.scale;
    const up = this.height / 2 / this.scale;
    return [this.x - across, this.y - up, this.x + across, this.y + up];
  }

  /** What a picture of this view is made for. */
  get view() {
    return { x: this.x, y: this.y, scale: this.scale, width: this.width, height: this.height };
  }
}
