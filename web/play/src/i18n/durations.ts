/** Times as shown on a clock, and as spoken. */

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

export interface Durations {
  /** `0:09`, `12:30`, `1:02:03`, `2 days, 4 hr`. A second that has begun counts as a whole one. */
  countdown(ms: number): string;
  /** The same for elapsed time. */
  elapsed(ms: number): string;
  /** A countdown for screen readers: `9 seconds`, `12 minutes, 30 seconds`. */
  spoken(ms: number): string;
}

/** The two largest units that are not zero. */
function partsOf(seconds: number): readonly (readonly [unit: string, count: number])[] {
  const parts = [
    ['day', Math.floor(seconds / DAY_S)],
    ['hour', Math.floor(seconds / HOUR_S) % 24],
    ['minute', Math.floor(seconds / MINUTE_S) % 60],
    ['second', seconds % MINUTE_S],
  ] as const;
  const first = parts.findIndex(([, count]) => count > 0);
  if (first === -1) return [['second', 0]];
  return parts.slice(first, first + 2).filter(([, count]) => count > 0);
}

export function makeDurations(language: string): Durations {
  const one = new Intl.NumberFormat(language, { useGrouping: false });
  const two = new Intl.NumberFormat(language, { useGrouping: false, minimumIntegerDigits: 2 });
  const printUnits = (seconds: number, width: 'short' | 'long'): string => {
    const list = new Intl.ListFormat(language, { type: 'unit', style: width });
    const printUnit = ([unit, count]: readonly [string, number]): string =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: width }).format(count);
    return list.format(partsOf(seconds).map(printUnit));
  };
  const print = (seconds: number): string => {
    if (seconds >= DAY_S) return printUnits(seconds, 'short');
    const hours = Math.floor(seconds / HOUR_S);
    const minutes = Math.floor(seconds / MINUTE_S) % 60;
    const rest = two.format(seconds % MINUTE_S);
    return hours > 0
      ? `${one.format(hours)}:${two.format(minutes)}:${rest}`
      : `${one.format(minutes)}:${rest}`;
  };
  const left = (ms: number): number => Math.max(0, Math.ceil(ms / SECOND_MS));
  return {
    countdown: (ms) => print(left(ms)),
    elapsed: (ms) => print(Math.max(0, Math.round(ms / SECOND_MS))),
    spoken: (ms) => printUnits(left(ms), 'long'),
  };
}
