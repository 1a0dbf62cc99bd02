/** The browser's own clock, chance and sockets, as a connection needs them. */

import type { ConnectionPorts, Socket } from './connection.ts';

const ID_BYTES = 16;

export const browserPorts: ConnectionPorts = {
  open: (url, protocols) => new WebSocket(url, protocols) as Socket,
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  makeId: () => crypto.randomUUID?.() ?? makeHexId(),
};

/** On a plain http address other than localhost there is no `randomUUID`. */
function makeHexId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
