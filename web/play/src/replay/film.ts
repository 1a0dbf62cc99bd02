/** The state of a replay that is shown: its scene, whether it runs, and its speed. Independent of the display. */

export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** The film: `last` + 1 scenes. */
export interface Strip {
  readonly last: number;
  /** How long a scene is shown before the next, at normal speed. Milliseconds. */
  stayMs(index: number): number;
}

/** How a scene was reached: by playing on from the one before it, or from anywhere. */
export type Arrival = 'forward' | 'jump';

export interface Film {
  readonly index: number;
  readonly last: number;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  /** The speed of motion within the scene: the film's speed, or 0 while it is paused. */
  readonly pace: number;
  /** Restarts from the beginning at the end. */
  play(): void;
  pause(): void;
  /** One scene forwards or back; pauses the film. */
  step(by: 1 | -1): void;
  seek(index: number): void;
  setSpeed(speed: Speed): void;
  /** Advances by this time, ms. */
  advance(ms: number): void;
}

/** A longer time between two frames means that the page was hidden. Milliseconds. */
const LOOK_MS_MAX = 250;

/** `changed` is called for every change: with null when it is still the same scene. */
export function makeFilm(
  strip: Strip,
  changed: (arrival: Arrival | null) => void,
  firstSpeed: Speed = 1,
): Film {
  const { last } = strip;
  let index = 0;
  let isPlaying = false;
  let speed: Speed = firstSpeed;
  let leftMs = strip.stayMs(0);
  /** Motion within the scene may end although the film has stopped. */
  let isFinishing = false;
  const goTo = (next: number, arrival: Arrival): void => {
    index = next;
    leftMs = strip.stayMs(next);
    changed(arrival);
  };
  const stop = (finishing: boolean): void => {
    isPlaying = false;
    isFinishing = finishing;
  };
  return {
    get index() {
      return index;
    },
    last,
    get isPlaying() {
      return isPlaying;
    },
    get speed() {
      return speed;
    },
    get pace() {
      return isPlaying || isFinishing ? speed : 0;
    },
    play() {
      if (last === 0) return;
      isPlaying = true;
      if (index === last) goTo(0, 'jump');
      else changed(null);
    },
    pause() {
      stop(false);
      changed(null);
    },
    step(by) {
      stop(true);
      const next = Math.min(last, Math.max(0, index + by));
      if (next === index) changed(null);
      else goTo(next, by > 0 ? 'forward' : 'jump');
    },
    seek(next) {
      stop(true);
      goTo(Math.min(last, Math.max(0, Math.round(next))), 'jump');
    },
    setSpeed(next) {
      speed = next;
      changed(null);
    },
    advance(ms) {
      if (!isPlaying) return;
      leftMs -= Math.min(ms, LOOK_MS_MAX) * speed;
      if (leftMs > 0) return;
      const reached = runOn(strip, index, leftMs);
      if (reached.index === last) stop(true);
      goTo(reached.index, 'forward');
      leftMs = reached.leftMs;
    },
  };
}

/** Scenes shorter than a frame, as ticks are, are skipped together. */
function runOn(strip: Strip, from: number, overMs: number): { index: number; leftMs: number } {
  let index = from;
  let leftMs = overMs;
  while (leftMs <= 0 && index < strip.last) {
    index += 1;
    leftMs += strip.stayMs(index);
  }
  return { index, leftMs };
}
