/** Heartbeats of stores in memory, as `ServiceStore` says. Times are ms since 1970. */

/** The latest heartbeat, by node; null when there is none. */
export function lastHeartbeat(heartbeats: ReadonlyMap<string, number>): number | null {
  return heartbeats.size === 0 ? null : Math.max(...heartbeats.values());
}

export function pruneHeartbeats(heartbeats: Map<string, number>, now: number): void {
  for (const [node, at] of heartbeats) if (at > now) heartbeats.delete(node);
  const last = lastHeartbeat(heartbeats) ?? 0;
  for (const [node, at] of heartbeats) if (at < last) heartbeats.delete(node);
}
