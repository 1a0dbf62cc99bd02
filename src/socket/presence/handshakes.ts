/** How often an address may open sockets, and what a flood costs it (rule P5). */

import { hasLeft, isFull, makeBucket, type Rate, spend } from '../connection/buckets.ts';
import type { Census } from './census.ts';

/** Of an address, on one node: all its allowed sockets may reconnect twice at once. */
const HANDSHAKE_RATE: Rate = { perSecond: 20, burst: 400 };
/** A socket that was closed for a flood counts as this many handshakes. */
const FLOOD_COST = 100;

type Handshakes = Pick<Census, 'handshakes'>;

/** May another socket be opened from there? That counts, unless it is refused. */
export function mayConnect(census: Handshakes, address: string, now: number): boolean {
  const bucket = bucketOf(census, address, now);
  if (!hasLeft(bucket, now)) return false;
  spend(bucket, now);
  return true;
}

/** A socket of that address sent a flood: at the worst the next comes in after FLOOD_COST / perSecond seconds. */
export function countFlood(census: Handshakes, address: string, now: number): void {
  const bucket = bucketOf(census, address, now);
  spend(bucket, now, FLOOD_COST);
  bucket.tokens = Math.max(bucket.tokens, -FLOOD_COST);
}

/** Drops addresses with a full allowance. To be called every second. */
export function forgetHandshakes({ handshakes }: Handshakes, now: number): void {
  for (const [key, bucket] of handshakes) if (isFull(bucket, now)) handshakes.delete(key);
}

function bucketOf({ handshakes }: Handshakes, address: string, now: number) {
  const bucket = handshakes.get(address) ?? makeBucket(now, HANDSHAKE_RATE);
  handshakes.set(address, bucket);
  return bucket;
}
