/** Token buckets: how many messages may come, and what is left (rule P5). */

/** The rate per second, and the burst. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
  /** This many above the rate are refused one by one; after that the socket is closed. DEBT when absent. */
  readonly debt?: number;
}

export interface Bucket {
  readonly rate: Rate;
  tokens: number;
  /** Milliseconds since 1970. */
  refilledAt: number;
}

const DEBT = 40;

/** The limits of a socket. */
export const RATES = {
  message: { perSecond: 20, burst: 40 },
  /** `in` frames, separate from all others. */
  input: { perSecond: 30, burst: 60 },
  /** Requests for whole states, by `sync` or `hello`: each computes a view, which may be expensive. */
  state: { perSecond: 2, burst: 20 },
  /** Requests for replays: each reads a whole log. */
  replay: { perSecond: 0.2, burst: 3 },
  /** Messages about a rematch: each is a write, or a read of the others' presence. */
  rematch: { perSecond: 1, burst: 5 },
  /** Pings and pongs, each counted. */
  control: { perSecond: 5, burst: 20 },
  /** The same until its token is accepted. */
  greetingControl: { perSecond: 1, burst: 5, debt: 5 },
} as const satisfies Readonly<Record<string, Rate>>;

export type Limited = keyof typeof RATES;
/** A socket's buckets. A missing one is full. */
export type Buckets = { [what in Limited]?: Bucket };

/** `spend` from one of a socket's buckets. */
export function spendOf(
  buckets: Buckets,
  what: Limited,
  now: number,
  count = 1,
): ReturnType<typeof spend> {
  buckets[what] ??= makeBucket(now, RATES[what]);
  return spend(buckets[what], now, count);
}

/** Is there one left in one of a socket's buckets? It is not taken. */
export function hasLeftOf(buckets: Buckets, what: Limited, now: number): boolean {
  const bucket = buckets[what];
  return bucket === undefined || hasLeft(bucket, now);
}

export function makeBucket(now: number, rate: Rate): Bucket {
  return { rate, tokens: rate.burst, refilledAt: now };
}

/** Takes messages from the bucket, usually one: allowed, refused, or the socket is closed. */
export function spend(bucket: Bucket, now: number, count = 1): 'fine' | 'refuse' | 'close' {
  refill(bucket, now);
  bucket.tokens -= count;
  if (bucket.tokens >= 0) return 'fine';
  return bucket.tokens > -(bucket.rate.debt ?? DEBT) ? 'refuse' : 'close';
}

/** Is there one left? It is not taken. */
export function hasLeft(bucket: Bucket, now: number): boolean {
  refill(bucket, now);
  return bucket.tokens >= 1;
}

/** Is it full? */
export function isFull(bucket: Bucket, now: number): boolean {
  refill(bucket, now);
  return bucket.tokens >= bucket.rate.burst;
}

function refill(bucket: Bucket, now: number): void {
  const { perSecond, burst } = bucket.rate;
  const fresh = ((now - bucket.refilledAt) * perSecond) / 1_000;
  bucket.tokens = Math.min(burst, bucket.tokens + fresh);
  bucket.refilledAt = now;
}
