/**
 * How often a player may connect (rule P5): connecting is a record in each of their matches, and so is
 * disconnecting.
 */

import type { TokenClaims } from '../../runtime/access/tokens.ts';
import { hasLeft, isFull, makeBucket, type Rate, spend } from '../connection/buckets.ts';
import type { Census } from './census.ts';
import { presentKey } from './presence.ts';

/** Of a player in one world, over all sockets, on one node. */
export const ARRIVAL_RATE: Rate = { perSecond: 1, burst: 30 };

type Arrivals = Pick<Census, 'arrivals'>;

/** May they connect once more? That counts, unless it is refused. Watchers and bots leave no records. */
export function mayArrive({ arrivals }: Arrivals, claims: TokenClaims, now: number): boolean {
  const key = presentKey(claims);
  if (key === null) return true;
  const bucket = arrivals.get(key) ?? makeBucket(now, ARRIVAL_RATE);
  arrivals.set(key, bucket);
  if (!hasLeft(bucket, now)) return false;
  spend(bucket, now);
  return true;
}

/** They were refused through no fault of theirs: it does not count. */
export function takeBackArrival({ arrivals }: Arrivals, claims: TokenClaims): void {
  const bucket = arrivals.get(presentKey(claims) ?? '');
  if (bucket !== undefined) bucket.tokens += 1;
}

/** Drops players with a full allowance. To be called every second. */
export function forgetArrivals({ arrivals }: Arrivals, now: number): void {
  for (const [key, bucket] of arrivals) if (isFull(bucket, now)) arrivals.delete(key);
}
