/** Limits repeated sign-ins: each examined password is work, right or wrong (rule D2). */

const WINDOW_MS = 60_000;
/** Passwords in a window. */
const ATTEMPTS_MAX = 20;
/** Names counted at once; beyond it the one counted longest is forgotten. */
const NAMES_MAX = 100_000;

export interface SignInWindow {
  /** 0, or how long to wait. Counts nothing. */
  waitMs(name: string, now: number): number;
  /** Counts a try, before it is looked at: many at once are many all the same. Answers what takes it back. */
  count(name: string, now: number): () => void;
}

interface Window {
  used: number;
  readonly endsAt: number;
}

/** A window begins with the first that counts in it. */
export function makeSignInWindow({ namesMax = NAMES_MAX } = {}): SignInWindow {
  const windows = new Map<string, Window>();
  const open = (name: string, now: number): Window => {
    const found = windows.get(name);
    if (found !== undefined && found.endsAt > now) return found;
    windows.delete(name);
    if (windows.size >= namesMax) windows.delete(windows.keys().next().value!);
    const window: Window = { used: 0, endsAt: now + WINDOW_MS };
    windows.set(name, window);
    return window;
  };
  return {
    waitMs(name, now) {
      const window = windows.get(name);
      const isFull = window !== undefined && window.used >= ATTEMPTS_MAX;
      return isFull ? Math.max(0, window.endsAt - now) : 0;
    },
    count(name, now) {
      const window = open(name, now);
      window.used += 1;
      return () => {
        window.used -= 1;
        // A name without tries takes no place: it would push out one that has some.
        if (window.used === 0 && windows.get(name) === window) windows.delete(name);
      };
    },
  };
}
