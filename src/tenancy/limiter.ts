/** Counts in fixed windows of 60 s: the requests of a plan, the wrong keys of an address (H5, H6). */

export const WINDOW_MS = 60_000;
/** Requests that fail the key check, from one address, in a window. */
export const WRONG_KEYS_PER_WINDOW = 30;
/** Keys counted at once. Beyond it the one counted longest is forgotten. */
const KEYS_MAX = 100_000;

export interface WindowTake {
  readonly allowed: boolean;
  readonly limit: number;
  /** The rest of the window after this one. */
  readonly remaining: number;
  /** When the window ends and the whole limit is available again. Milliseconds since 1970. */
  readonly resetAt: number;
}

export interface WindowLimiter {
  /**
   * Takes one out of the key's window, if one is left: refused requests do not count. `now` is
   * milliseconds since 1970 and must not run backwards.
   */
  take(key: string, limit: number, now: number): WindowTake;
  /** How many keys are counted. */
  size(): number;
}

interface Window {
  used: number;
  readonly resetAt: number;
}

/**
 * A key's windows follow each other without a gap from a beginning of its own, which its hash
 * decides: so all keys do not reset in the same moment. The state is in the answer.
 */
export function makeWindowLimiter({ keysMax = KEYS_MAX } = {}): WindowLimiter {
  const windows = new Map<string, Window>();
  let pruneAt = 0;
  /** Windows last 60 s, so looking at all of them that often keeps only what counts. */
  const prune = (now: number): void => {
    if (now < pruneAt) return;
    pruneAt = now + WINDOW_MS;
    for (const [key, { resetAt }] of windows) if (resetAt <= now) windows.delete(key);
  };
  const open = (key: string, now: number): Window => {
    prune(now);
    windows.delete(key);
    if (windows.size >= keysMax) forgetOldest(windows);
    const window = { used: 0, resetAt: windowEnd(key, now) };
    windows.set(key, window);
    return window;
  };
  return {
    take(key, limit, now) {
      const found = windows.get(key);
      const window = found === undefined || found.resetAt <= now ? open(key, now) : found;
      const allowed = window.used < limit;
      if (allowed) window.used += 1;
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - window.used),
        resetAt: window.resetAt,
      };
    },
    size: () => windows.size,
  };
}

function forgetOldest(windows: Map<string, Window>): void {
  for (const key of windows.keys()) {
    windows.delete(key);
    return;
  }
}

/** The first end of a window of this key after `now`. */
export function windowEnd(key: string, now: number): number {
  const offset = hash(key) % WINDOW_MS;
  return Math.floor((now - offset) / WINDOW_MS + 1) * WINDOW_MS + offset;
}

/** FNV-1a: quick and even enough to spread windows. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
