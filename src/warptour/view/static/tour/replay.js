/** The slider over the tours of a trace, with play and live. */

import { make } from "../parts/dom.js";
import { price, seconds } from "../parts/format.js";

const PLAY_SECONDS = 12; // of a whole replay
const SHORTEST = 50; // milliseconds of a frame

export class Replay {
  /** @param {(frame: number) => Promise<void>} show draws a frame, and resolves once it is drawn */
  constructor(show) {
    this.show = show;
    /** @type {import("../trace_data.js").TraceData | null} */ this.trace = null;
    this.frame = -1;
    this.playing = false;
    this.live = true;
    this.slider = make("input", {
      type: "range",
      min: "0",
      step: "1",
      "aria-label": "Tour",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.playButton = make("button", {
      type: "button",
      class: "icon",
      onclick: () => (this.playing ? this.pause() : this.play()),
    });
    this.liveButton = make("button", { type: "button", class: "small", onclick: () => this.follow() }, "Latest");
    this.label = make("output", { class: "figures" });
    this.element = make(
      "div",
      { class: "replay", role: "group", "aria-label": "Replay" },
      this.playButton,
      this.slider,
      this.liveButton,
      this.label,
    );
    this.tell();
  }

  /** Takes a trace, or what is new in it. */
  take(trace) {
    if (trace !== this.trace) {
      this.trace = trace;
      this.frame = -1;
      this.live = true;
      this.playing = false;
    }
    const last = (trace?.frames.length ?? 0) - 1;
    this.element.hidden = last < 0;
    if (this.live && last >= 0 && last !== this.frame) {
      this.frame = last;
      this.show(last);
    }
    this.tell();
  }

  /** Goes to a frame, and stays there. */
  go(frame) {
    this.live = frame === this.trace.frames.length - 1;
    this.frame = frame;
    this.tell();
    return this.show(frame);
  }

  /** Goes to the tour of a time. */
  goTo(time) {
    if (!this.trace?.frames.length) return;
    this.pause();
    this.go(this.trace.frameAt(time));
  }

  follow() {
    this.pause();
    if (this.trace?.frames.length) this.go(this.trace.frames.length - 1);
  }

  pause() {
    this.playing = false;
    this.tell();
  }

  async play() {
    const { trace } = this;
    if (this.frame >= trace.frames.length - 1) this.frame = -1;
    this.playing = true;
    while (this.playing && this.trace === trace && this.frame < trace.frames.length - 1) {
      const pause = Math.max(SHORTEST, (1000 * PLAY_SECONDS) / trace.frames.length);
      await Promise.all([
        this.go(this.frame + 1),
        new Promise((resolve) => setTimeout(resolve, Math.min(pause, 1000))),
      ]);
    }
    if (this.trace === trace) this.pause();
  }

  tell() {
    const frames = this.trace?.frames ?? [];
    this.playButton.textContent = this.playing ? "⏸" : "▶";
    this.playButton.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.liveButton.disabled = this.live;
    this.slider.max = String(Math.max(0, frames.length - 1));
    this.slider.value = String(Math.max(0, this.frame));
    const shown = frames[this.frame];
    if (!shown) return;
    const when = this.trace.facts.steps ? (this.frame ? `change ${this.frame}` : "unchanged") : seconds(shown[0]);
    this.label.textContent = `${when} · ${price(shown[1], this.trace.facts)}`;
    this.slider.setAttribute("aria-valuetext", `tour ${this.frame + 1} of ${frames.length}, ${this.label.textContent}`);
  }
}
