/** Draws with WebGL 2. The same members as `CanvasPainter`. */

import { DOTS, EDGES, HAIRS, PICTURE } from "./shaders.js";

export class WebglPainter {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => void} restored called when the context was lost and is back, with nothing in it
   * @returns {WebglPainter | null} null where there is no WebGL 2
   */
  static open(canvas, restored) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: false });
    return gl && new WebglPainter(canvas, gl, restored);
  }

  constructor(canvas, gl, restored) {
    this.canvas = canvas;
    this.gl = gl;
    /** Whether a GPU does the work, so that a million edges take milliseconds. */ this.fast = !isSoftware(gl);
    this.name = "WebGL";
    this.setUp();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.setUp();
      restored();
    });
  }

  setUp() {
    const { gl } = this;
    /** Linked when they are first used. @type {Map<string[], ReturnType<typeof link>>} */ this.programs = new Map();
    this.positions = gl.createBuffer();
    this.shades = gl.createBuffer();
    this.pictureTexture = makeTexture(gl);
    this.backdropTexture = makeTexture(gl);
    this.pictureShown = null;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** Takes the line that is drawn from now on. @param {import("./pyramid.js").Pyramid} line */
  take(line) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.positions);
    gl.bufferData(gl.ARRAY_BUFFER, line.positions, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.shades);
    gl.bufferData(gl.ARRAY_BUFFER, line.shades, gl.STATIC_DRAW);
  }

  /**
   * Begins a frame. The canvas is opaque, so that the browser need not draw what is behind it.
   * @param {import("./raster.js").View} view
   * @param {{palette: number[][], clear: number[]}} colours red, green, blue to 1
   */
  begin(view, { palette, clear }) {
    const { gl, canvas } = this;
    if (canvas.width !== view.width || canvas.height !== view.height) {
      canvas.width = view.width;
      canvas.height = view.height;
    }
    gl.viewport(0, 0, view.width, view.height);
    gl.clearColor(clear[0], clear[1], clear[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.view = view;
    this.palette = palette;
  }

  /** Strips of one pixel. @param {[number, number][]} ranges */
  hairs(ranges, opacity) {
    const { gl } = this;
    this.use(HAIRS, opacity, 1);
    this.attribute(HAIRS, "start", this.positions, 2, 0, 0);
    this.attribute(HAIRS, "shade", this.shades, 1, 0, 0);
    for (const [first, count] of ranges) gl.drawArrays(gl.LINE_STRIP, first, count);
  }

  edges(ranges, thickness, opacity) {
    const { gl } = this;
    this.use(EDGES, opacity, thickness);
    for (const [first, count] of ranges) {
      this.attribute(EDGES, "start", this.positions, 2, first, 1);
      this.attribute(EDGES, "end", this.positions, 2, first + 1, 1);
      this.attribute(EDGES, "shade", this.shades, 1, first + 1, 1);
      if (count > 1) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count - 1);
    }
  }

  dots(ranges, thickness, opacity) {
    const { gl } = this;
    this.use(DOTS, opacity, thickness);
    this.attribute(DOTS, "start", this.positions, 2, 0, 0);
    this.attribute(DOTS, "shade", this.shades, 1, 0, 0);
    for (const [first, count] of ranges) gl.drawArrays(gl.POINTS, first, count);
  }

  /** A drawing of this view, below the lines. @param {HTMLCanvasElement} drawing */
  backdrop(drawing) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.backdropTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, drawing);
    this.texture([-1, -1, 1, 1], 1);
  }

  /** A picture of another view. @param {{pixels: Uint8ClampedArray, view: import("./raster.js").View}} picture */
  picture(picture, opacity) {
    const { gl, view } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.pictureTexture);
    if (this.pictureShown !== picture) {
      this.pictureShown = picture;
      const bytes = new Uint8Array(picture.pixels.buffer);
      gl.texImage2D(
        gl.TEXTURE_2D,
        0,
        gl.RGBA,
        picture.view.width,
        picture.view.height,
        0,
        gl.RGBA,
        gl.UNSIGNED_BYTE,
        bytes,
      );
    }
    const zoom = view.scale / picture.view.scale;
    const x = (2 * (picture.view.x - view.x) * view.scale) / view.width;
    const y = (2 * (picture.view.y - view.y) * view.scale) / view.height;
    const across = (zoom * picture.view.width) / view.width;
    const up = (zoom * picture.view.height) / view.height;
    this.texture([x - across, y - up, x + across, y + up], opacity);
  }

  /** Draws what is bound between corners of the window, which are -1 and 1. */
  texture(corners, opacity) {
    const { gl } = this;
    const { id, uniforms } = this.program(PICTURE);
    gl.useProgram(id);
    gl.uniform4f(uniforms.corners, ...corners);
    gl.uniform1f(uniforms.opacity, opacity);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  program(sources) {
    if (!this.programs.has(sources)) this.programs.set(sources, link(this.gl, sources));
    return this.programs.get(sources);
  }

  use(sources, opacity, thickness) {
    const { gl, view } = this;
    const { id, uniforms } = this.program(sources);
    gl.useProgram(id);
    gl.uniform2f(uniforms.view, view.x, view.y);
    gl.uniform2f(uniforms.size, view.width, view.height);
    gl.uniform1f(uniforms.scale, view.scale);
    gl.uniform1f(uniforms.thickness, thickness);
    const colours = this.palette.flatMap(([red, green, blue]) => [
      red * opacity,
      green * opacity,
      blue * opacity,
      opacity,
    ]);
    gl.uniform4fv(uniforms.palette, colours);
  }

  attribute(sources, name, buffer, size, first, divisor) {
    const { gl } = this;
    const index = this.program(sources).attributes[name];
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(index);
    if (size === 2) gl.vertexAttribPointer(index, 2, gl.FLOAT, false, 0, 8 * first);
    else gl.vertexAttribPointer(index, 1, gl.UNSIGNED_BYTE, false, 0, first);
    gl.vertexAttribDivisor(index, divisor);
  }
}

function makeTexture(gl) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.LINEAR);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  return texture;
}

function isSoftware(gl) {
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  return (
    names !== null && /swiftshader|llvmpipe|software|basic render/i.test(gl.getParameter(names.UNMASKED_RENDERER_WEBGL))
  );
}

function link(gl, [vertices, fragments]) {
  const id = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertices],
    [gl.FRAGMENT_SHADER, fragments],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(id, shader);
  }
  gl.bindAttribLocation(id, 0, "start");
  gl.linkProgram(id);
  if (!gl.getProgramParameter(id, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(id));
  const uniforms = {};
  for (const name of ["view", "size", "scale", "palette", "thickness", "corners", "opacity"]) {
    uniforms[name] = gl.getUniformLocation(id, name);
  }
  const attributes = {};
  for (const name of ["start", "end", "shade"]) attributes[name] = gl.getAttribLocation(id, name);
  return { id, uniforms, attributes };
}
