/** The frame rate, and the resolution that allows it. */

export interface Pace {
  /** A frame is due; the browser's own time, ms. Returns the seconds since the last. */
  beat(now: number): number;
  /** Are frames faster than ticks, so that there are intermediate states to show? */
  readonly isFast: boolean;
}

/** From the sharpest; one step down whenever frames are late. */
const STEPS = [2, 1.5, 1.25, 1, 0.75] as const;
const BEATS = 45;
/** A display of 60 Hz has 16.7 ms. Below the first it is faster, above the second some were missed. */
const FAST_MS = 13.5;
const LATE_MS = 18.2;
/** Longer pauses do not count: the page was hidden, or the machine asleep. */
const PAUSE_MS = 250;

/** `changed` is called with the maximum of canvas pixels per CSS pixel. */
export function makePace(changed: (sharpness: number) => void): Pace {
  let last: number | null = null;
  let sum = 0;
  let count = 0;
  let isFast = false;
  let step = 0;
  const judge = (mean: number): void => {
    isFast = mean < FAST_MS;
    if (mean <= LATE_MS || step === STEPS.length - 1) return;
    step += 1;
    changed(STEPS[step]!);
  };
  return {
    beat(now) {
      const passed = last === null ? 0 : now - last;
      last = now;
      if (passed > PAUSE_MS) {
        sum = 0;
        count = 0;
        return 0;
      }
      sum += passed;
      count += 1;
      if (count === BEATS) {
        judge(sum / count);
        sum = 0;
        count = 0;
      }
      return passed / 1_000;
    },
    get isFast() {
      return isFast;
    },
  };
}
