/** How quickly pictures come, and how sharp they may be so that they come quickly enough. */

export interface Pace {
  /** A picture is due; the browser's own time, ms. Answers the seconds since the last. */
  beat(now: number): number;
  /** Do pictures come faster than ticks, so that there is something between two ticks to be shown? */
  readonly isFast: boolean;
}

/** From the sharpest; down one whenever pictures come too late. */
const STEPS = [2, 1.5, 1.25, 1, 0.75] as const;
const BEATS = 45;
/** A display of 60 Hz has 16.7 ms. Below the first it is faster, above the second some were missed. */
const FAST_MS = 13.5;
const LATE_MS = 18.2;
/** Longer pauses are no measure: the page was hidden, or the machine asleep. */
const PAUSE_MS = 250;

/** `changed` hears of canvas pixels to one of CSS, at most. */
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
