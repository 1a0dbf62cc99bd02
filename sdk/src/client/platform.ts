/** The machine's own clock, chance and sockets, as a connection needs them; and when a page wakes. */

import type { ConnectionPorts, Socket } from './link.ts';

const ID_BYTES = 16;

/** The browser's own, or what the package `ws` exports where a runtime has none. */
export type WebSocketLike = new (url: string, protocols: string[]) => unknown;

export function makePorts(Given: WebSocketLike | undefined): ConnectionPorts {
  return {
    open(url, protocols) {
      const Used = Given ?? globalThis.WebSocket;
      if (Used === undefined) throw new TypeError('No WebSocket here: pass one as `WebSocket`');
      const socket = new Used(url, protocols) as Socket & { onerror: unknown };
      // That of `ws` throws out of the process where nobody listens; `onclose` follows anyway.
      socket.onerror = () => {};
      return socket;
    },
    now: () => Date.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    random: () => Math.random(),
  };
}

/** On a plain http address other than localhost there is no `randomUUID`, in Node 18 no `crypto`. */
export function makeId(): string {
  const none = new Uint8Array(ID_BYTES);
  const bytes = globalThis.crypto?.getRandomValues(none) ?? none.map(() => Math.random() * 256);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Calls when the network or the page comes back, in browsers; the answer stops it. */
export function followWaking(wake: () => void): () => void {
  if (typeof document === 'undefined') return () => {};
  const show = (): void => {
    if (document.visibilityState === 'visible') wake();
  };
  addEventListener('online', wake);
  addEventListener('pageshow', show);
  document.addEventListener('visibilitychange', show);
  return () => {
    removeEventListener('online', wake);
    removeEventListener('pageshow', show);
    document.removeEventListener('visibilitychange', show);
  };
}
