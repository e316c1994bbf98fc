/** Draws with the 2D canvas, where there is no WebGL. The same members as `WebglPainter`. */

import { PEN_UP } from "./strip.js";

export class CanvasPainter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.fast = false;
    this.name = "canvas";
    this.stencil = document.createElement("canvas");
    this.pictureShown = null;
  }

  take(line) {
    this.line = line;
  }

  begin(view, { hex, ground }) {
    const { canvas, context } = this;
    if (canvas.width !== view.width || canvas.height !== view.height) {
      Object.assign(canvas, { width: view.width, height: view.height });
    }
    context.fillStyle = ground;
    context.fillRect(0, 0, view.width, view.height);
    this.view = view;
    this.palette = hex;
  }

  backdrop(drawing) {
    this.context.drawImage(drawing, 0, 0);
  }

  edges(ranges, thickness, opacity) {
    const { context, line } = this;
    context.lineWidth = thickness;
    context.lineJoin = "round";
    context.globalAlpha = opacity;
    for (const [first, count] of ranges) {
      let pen = PEN_UP;
      context.beginPath();
      for (let i = first; i < first + count; i++) {
        const shade = line.shades[i];
        if (shade !== pen && pen !== PEN_UP) this.stroke(pen);
        if (shade !== pen) context.moveTo(this.x(i), this.y(i));
        else context.lineTo(this.x(i), this.y(i));
        pen = shade;
      }
      if (pen !== PEN_UP) this.stroke(pen);
    }
    context.globalAlpha = 1;
  }

  stroke(shade) {
    this.context.strokeStyle = this.palette[shade];
    this.context.stroke();
    this.context.beginPath();
  }

  dots(ranges, thickness, opacity) {
    const { context, line } = this;
    context.globalAlpha = opacity;
    for (const [first, count] of ranges) {
      for (let i = first; i < first + count; i++) {
        if (line.shades[i] === PEN_UP) continue;
        context.fillStyle = this.palette[line.shades[i]];
        context.beginPath();
        context.arc(this.x(i), this.y(i), thickness / 2, 0, 7);
        context.fill();
      }
    }
    context.globalAlpha = 1;
  }

  picture(picture, opacity) {
    const { context, stencil, view } = this;
    const { width, height } = picture.view;
    if (this.pictureShown !== picture) {
      this.pictureShown = picture;
      Object.assign(stencil, { width, height });
      stencil.getContext("2d").putImageData(new ImageData(picture.pixels, width, height), 0, 0);
    }
    const zoom = view.scale / picture.view.scale;
    const left = view.width / 2 + (picture.view.x - view.x) * view.scale - (zoom * width) / 2;
    const top = view.height / 2 - (picture.view.y - view.y) * view.scale - (zoom * height) / 2;
    context.globalAlpha = opacity;
    context.drawImage(stencil, left, top, zoom * width, zoom * height);
    context.globalAlpha = 1;
  }

  x(vertex) {
    return this.view.width / 2 + (this.line.positions[2 * vertex] - this.view.x) * this.view.scale;
  }

  y(vertex) {
    return this.view.height / 2 - (this.line.positions[2 * vertex + 1] - this.view.y) * this.view.scale;
  }
}
