/** Histograms of durations that can be added to each other: the same buckets forever, each 19 % wider than the last. */

/** Buckets in a doubling: a quantile is right to within 10 %. */
const PER_DOUBLING = 4;
/** Upper bound of the first bucket, as a power of two of milliseconds: 1/64 ms. */
const LOWEST_LOG = -6;
/** The last bucket begins at 29 minutes and has no end. */
export const BUCKETS = 108;

/** How many durations fell into each bucket. */
export type Histogram = Uint32Array;

export function makeHistogram(): Histogram {
  return new Uint32Array(BUCKETS);
}

/** The bucket of a duration in milliseconds; of an invalid one, the first. */
export function bucketOf(ms: number): number {
  const bucket = Math.ceil((Math.log2(ms) - LOWEST_LOG) * PER_DOUBLING);
  return bucket > 0 ? Math.min(bucket, BUCKETS - 1) : 0;
}

/** The upper bound of a bucket, in milliseconds. */
export function boundOf(bucket: number): number {
  return 2 ** (bucket / PER_DOUBLING + LOWEST_LOG);
}

export function countOf(histogram: Histogram): number {
  return histogram.reduce((sum, n) => sum + n, 0);
}

export function addTo(sum: Histogram, other: Histogram): void {
  for (let at = 0; at < BUCKETS; at++) sum[at]! += other[at]!;
}

/**
 * The duration, in milliseconds, that a part of all (0.99) does not exceed: the middle of its bucket,
 * so within 10 % of the exact one. Null of none.
 */
export function quantileOf(histogram: Histogram, part: number): number | null {
  const rank = Math.max(1, Math.ceil(countOf(histogram) * part));
  let seen = 0;
  for (let at = 0; at < BUCKETS; at++) {
    seen += histogram[at]!;
    if (seen >= rank) return round(boundOf(at) / 2 ** (0.5 / PER_DOUBLING));
  }
  return null;
}

/** To three digits: the rest is noise. */
function round(ms: number): number {
  return Number(ms.toPrecision(3));
}

// ── notation ───────────────────────────────────────────────────────────────────────────────────

/** Buckets that are not empty, each followed by its count: `[20, 5, 23, 1]`. */
export function printHistogram(histogram: Histogram): readonly number[] {
  const pairs: number[] = [];
  for (let at = 0; at < BUCKETS; at++) if (histogram[at]! > 0) pairs.push(at, histogram[at]!);
  return pairs;
}

/** A malformed histogram counts nothing: the other figures stay valid. */
export function parseHistogram(pairs: unknown): Histogram {
  const histogram = makeHistogram();
  if (!Array.isArray(pairs)) return histogram;
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [bucket, count] = [Number(pairs[i]), Number(pairs[i + 1])];
    if (bucket in histogram && count > 0) histogram[bucket]! += count;
  }
  return histogram;
}
