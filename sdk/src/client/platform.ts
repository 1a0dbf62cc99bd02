/** The platform's clock, randomness and sockets, as a connection needs them; and wake-ups of a page. */

import type { ConnectionPorts, Socket } from './link.ts';

/** An id is sent twice with each move, and is unique for one player in one session. */
const ID_BYTES = 9;
/** How often the clocks are compared, and their tolerated difference. Milliseconds. */
const POLL_MS = 1_000;
const APART_MS_MAX = 500;

/** The device's clock minus the monotonic one. */
const apartMs = (): number => Date.now() - performance.now();
const STARTED_AT = apartMs();

/** Ms since 1970, on a clock that goes on evenly when the device's own is set. */
export const ownNow = (): number => STARTED_AT + performance.now();

/** The browser's own, or the export of the package `ws` in a runtime without one. */
export type WebSocketLike = new (url: string, protocols: string[]) => unknown;

/** Throws without a WebSocket: to the caller, because nobody could catch it once a socket is opened. */
export function makePorts(Given: WebSocketLike | undefined): ConnectionPorts {
  if ((Given ?? globalThis.WebSocket) === undefined) {
    throw new TypeError('No WebSocket here: pass one as `WebSocket`');
  }
  return {
    open(url, protocols) {
      const Used = Given ?? globalThis.WebSocket;
      const socket = new Used(url, protocols) as Socket & { onerror: unknown };
      // An unhandled error of `ws` would end the process; `onclose` follows anyway.
      socket.onerror = () => {};
      return socket;
    },
    now: ownNow,
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    random: () => Math.random(),
  };
}

/** A plain http page other than localhost has no `randomUUID`, Node 18 no `crypto`. */
export function makeId(): string {
  const none = new Uint8Array(ID_BYTES);
  const bytes = globalThis.crypto?.getRandomValues(none) ?? none.map(() => Math.random() * 256);
  return btoa(String.fromCharCode(...bytes));
}

/**
 * Calls the listener when the network or the page comes back, in browsers, or when the clocks have diverged:
 * `performance.now` may stand still while a device sleeps. The returned function stops it.
 */
export function followWaking(wake: () => void): () => void {
  if (typeof document === 'undefined') return () => {};
  const show = (): void => {
    if (document.visibilityState === 'visible') wake();
  };
  let apart = apartMs();
  const looking = setInterval(() => {
    const before = apart;
    apart = apartMs();
    if (Math.abs(apart - before) > APART_MS_MAX) wake();
  }, POLL_MS);
  addEventListener('online', wake);
  addEventListener('pageshow', show);
  document.addEventListener('visibilitychange', show);
  return () => {
    clearInterval(looking);
    removeEventListener('online', wake);
    removeEventListener('pageshow', show);
    document.removeEventListener('visibilitychange', show);
  };
}
