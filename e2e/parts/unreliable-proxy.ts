/** A TCP proxy in front of a server that tests can cut and block, like a player's network that fails. */

import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export interface UnreliableProxy {
  readonly port: number;
  /** Drops every connection and accepts no new one until `repair`. */
  cut(): void;
  /** Blocks the server's data, while the client's still arrives. */
  block(): void;
  repair(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
}

/** Listens on `port` and forwards everything to `target`. */
export async function makeUnreliableProxy(port: number, target: number): Promise<UnreliableProxy> {
  const pairs = new Set<Pair>();
  let state: 'sound' | 'cut' | 'clogged' = 'sound';
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    const pair = { client, upstream };
    pairs.add(pair);
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (state !== 'clogged') client.write(bytes);
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => drop(pairs, pair));
      socket.on('close', () => drop(pairs, pair));
    }
  });
  await listen(server, port);
  const dropAll = (): void => {
    for (const pair of [...pairs]) drop(pairs, pair);
  };
  return {
    port,
    cut() {
      state = 'cut';
      dropAll();
    },
    block() {
      state = 'clogged';
    },
    repair() {
      // The blocked data is lost, so no connection of that time can continue.
      if (state === 'clogged') dropAll();
      state = 'sound';
    },
    close() {
      dropAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function drop(pairs: Set<Pair>, pair: Pair): void {
  pairs.delete(pair);
  pair.client.destroy();
  pair.upstream.destroy();
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}
