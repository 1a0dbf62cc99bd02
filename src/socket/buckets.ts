/** How much may come in a time, and what is left of it (rule P5). */

/** So many a second, and so many at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
  /** So many over the rate are refused one by one; after that the socket is closed. DEBT when absent. */
  readonly debt?: number;
}

export interface Bucket {
  readonly rate: Rate;
  tokens: number;
  /** Milliseconds since 1970. */
  refilledAt: number;
}

const DEBT = 40;

/** What of a socket is limited. */
export const RATES = {
  message: { perSecond: 20, burst: 40 },
  /** `in` frames, beside all others. */
  input: { perSecond: 30, burst: 60 },
  /** Whole states asked for, by `sync` or `hello`: each costs a view, and a view may cost much. */
  state: { perSecond: 2, burst: 20 },
  /** Replays asked for: each time a whole log is read. */
  replay: { perSecond: 0.2, burst: 3 },
  /** What is said and asked about a rematch: each is a write, or a read of who is there. */
  rematch: { perSecond: 1, burst: 5 },
  /** Pings and pongs, which are no messages, each counted. */
  control: { perSecond: 5, burst: 20 },
  /** The same until its token is accepted. */
  greetingControl: { perSecond: 1, burst: 5, debt: 5 },
} as const satisfies Readonly<Record<string, Rate>>;

export type Limited = keyof typeof RATES;
/** A socket's buckets. One that is not there is full. */
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

/** Takes messages from the bucket, mostly one: fine, to be refused, or the socket's last. */
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

/** Is it as if nothing had ever been taken? */
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
