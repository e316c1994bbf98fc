/** Programs of the WebGL painter. Positions are in the plane; `view` is its centre, `scale` device pixels per unit. */

const PLACE = `#version 300 es
precision highp float;
uniform vec2 view, size;
uniform float scale;
uniform vec4 palette[13];
out vec4 colour;
vec2 pixel(vec2 position) { return (position - view) * scale; }
vec4 place(vec2 pixel) { return vec4(2.0 * pixel / size, 0.0, 1.0); }
vec4 paint(float shade) { return shade > 13.0 ? vec4(0.0) : palette[int(shade)]; }
`;

const PLAIN = `#version 300 es
precision highp float;
in vec4 colour;
out vec4 painted;
void main() { painted = colour; }
`;

/** Edges of one pixel, as a strip. */
export const HAIRS = [
  `${PLACE}
in vec2 start; in float shade;
void main() { gl_Position = place(pixel(start)); colour = paint(shade); }`,
  PLAIN,
];

/** Edges of any width: a rectangle each, with soft sides. */
export const EDGES = [
  `${PLACE}
in vec2 start, end; in float shade;
uniform float thickness;
out float aside;
void main() {
  vec2 from = pixel(start), to = pixel(end), along = to - from;
  float length = max(length(along), 1e-6);
  vec2 ahead = along / length, side = vec2(-ahead.y, ahead.x);
  float reach = 0.5 * thickness + 1.0;
  float right = float(gl_VertexID & 1) * 2.0 - 1.0;
  aside = right * reach;
  vec2 corner = (gl_VertexID < 2 ? from - ahead * 0.25 * thickness : to + ahead * 0.25 * thickness) + side * aside;
  gl_Position = place(corner);
  colour = paint(shade);
}`,
  `#version 300 es
precision highp float;
in vec4 colour; in float aside;
uniform float thickness;
out vec4 painted;
void main() { painted = colour * clamp(0.5 * thickness + 0.5 - abs(aside), 0.0, 1.0); }`,
];

/** Round dots. */
export const DOTS = [
  `${PLACE}
in vec2 start; in float shade;
uniform float thickness;
void main() { gl_Position = place(pixel(start)); gl_PointSize = thickness + 2.0; colour = paint(shade); }`,
  `#version 300 es
precision highp float;
in vec4 colour;
uniform float thickness;
out vec4 painted;
void main() {
  float away = distance(gl_PointCoord, vec2(0.5)) * (thickness + 2.0);
  painted = colour * clamp(0.5 * thickness + 0.5 - away, 0.0, 1.0);
}`,
];

/** A picture made elsewhere, moved and scaled to where it belongs. */
export const PICTURE = [
  `#version 300 es
precision highp float;
uniform vec4 corners;
out vec2 texel;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  texel = vec2(corner.x, 1.0 - corner.y);
  gl_Position = vec4(mix(corners.xy, corners.zw, corner), 0.0, 1.0);
}`,
  `#version 300 es
precision highp float;
in vec2 texel;
uniform sampler2D picture;
uniform float opacity;
out vec4 painted;
void main() { vec4 found = texture(picture, texel); painted = vec4(found.rgb, 1.0) * found.a * opacity; }`,
];
