/** Heartbeats and downtimes of stores in memory, as `ServiceStore` says. Times are ms since 1970. */

import type { Downtime } from '../store/store.ts';

/** The latest heartbeat, by node; null when there is none. */
export function lastHeartbeat(heartbeats: ReadonlyMap<string, number>): number | null {
  return heartbeats.size === 0 ? null : Math.max(...heartbeats.values());
}

/** Downtimes are kept by their beginnings. */
export function pruneHeartbeats(
  heartbeats: Map<string, number>,
  downtimes: Map<number, Downtime>,
  now: number,
): void {
  for (const [node, at] of heartbeats) if (at > now) heartbeats.delete(node);
  const last = lastHeartbeat(heartbeats) ?? 0;
  for (const [node, at] of heartbeats) if (at < last) heartbeats.delete(node);
  for (const { from, to } of downtimes.values()) {
    if (from >= now) downtimes.delete(from);
    else if (to > now) downtimes.set(from, { from, to: now });
  }
}
