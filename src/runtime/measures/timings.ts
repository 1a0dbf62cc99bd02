/** Cheap histograms for the path of a move. */

/** Upper bounds of the buckets for durations of milliseconds, in seconds. */
export const SHORT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
/** Upper bounds for waits of people, in seconds. */
export const LONG_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];

export interface Timing {
  /** Counts one value, in the histogram's base unit. */
  observe(value: number): void;
}

/** The values of one set of labels, counted so far. */
export interface Series {
  readonly labels: readonly string[];
  /** One count per bucket, and one for values above the last bound. Not cumulative. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** A histogram by labels. Every label has a closed set of values. */
export interface Timings<L extends readonly string[]> {
  readonly labelNames: L;
  readonly bounds: readonly number[];
  /** The series of these values of the labels, made on first use. */
  of(...labels: { readonly [K in keyof L]: string }): Timing;
  read(): readonly Series[];
}

interface Counted extends Timing {
  readonly labels: readonly string[];
  readonly counts: number[];
  sum: number;
}

export function makeTimings<const L extends readonly string[]>(
  labelNames: L,
  bounds: readonly number[],
): Timings<L> {
  const series = new Map<string, Counted>();
  return {
    labelNames,
    bounds,
    of(...labels) {
      const name = labels.join('\n');
      const known = series.get(name);
      if (known !== undefined) return known;
      const made = makeCounted(labels, bounds);
      series.set(name, made);
      return made;
    },
    read: () => [...series.values()],
  };
}

function makeCounted(labels: readonly string[], bounds: readonly number[]): Counted {
  const counts: number[] = Array.from({ length: bounds.length + 1 }, () => 0);
  const counted: Counted = {
    labels,
    counts,
    sum: 0,
    observe(value) {
      let at = 0;
      while (at < bounds.length && value > bounds[at]!) at += 1;
      counts[at]! += 1;
      counted.sum += value;
    },
  };
  return counted;
}
