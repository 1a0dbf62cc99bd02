/** Slows whoever signs in over and over: a right password is work too (rule D2). */

const WINDOW_MS = 60_000;
/** Right passwords in a window. */
const RIGHT_MAX = 20;
/** Names counted at once; beyond it the one counted longest is forgotten. */
const NAMES_MAX = 100_000;

export interface SignInWindow {
  /** 0, or how long to wait. Counts nothing. */
  waitMs(name: string, now: number): number;
  count(name: string, now: number): void;
}

interface Window {
  used: number;
  readonly endsAt: number;
}

/** A window begins with the first that counts in it. */
export function makeSignInWindow({ namesMax = NAMES_MAX } = {}): SignInWindow {
  const windows = new Map<string, Window>();
  return {
    waitMs(name, now) {
      const window = windows.get(name);
      const isFull = window !== undefined && window.used >= RIGHT_MAX;
      return isFull ? Math.max(0, window.endsAt - now) : 0;
    },
    count(name, now) {
      const window = windows.get(name);
      if (window !== undefined && window.endsAt > now) {
        window.used += 1;
        return;
      }
      windows.delete(name);
      if (windows.size >= namesMax) windows.delete(windows.keys().next().value!);
      windows.set(name, { used: 1, endsAt: now + WINDOW_MS });
    },
  };
}
