/** Measures the frame rate and lowers the resolution when frames are late. */

export interface Pace {
  /** Called for each frame with the browser's time, ms. Returns the seconds since the last one. */
  beat(now: number): number;
  /** Whether frames are more frequent than ticks, so that there are intermediate states to show. */
  readonly isFast: boolean;
}

/** From the sharpest on; each step down follows late frames. */
const STEPS = [2, 1.5, 1.25, 1, 0.75] as const;
const BEATS = 45;
/** At 60 Hz a frame takes 16.7 ms. A shorter time means a faster display, a longer one missed frames. */
const FAST_MS = 13.5;
const LATE_MS = 18.2;
/** Longer gaps do not count: the page was hidden, or the machine asleep. */
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
