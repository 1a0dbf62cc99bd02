/** Serves HTTP and WebSockets with node:http and `ws`. */

import type { Server } from 'node:http';
import { type BodiesUnderWay, watchBodies } from '../bodies-under-way.ts';
import {
  type Platform,
  type PlatformServer,
  PortInUseError,
  type ServeOptions,
} from '../platform.ts';
import { makeHttpServer } from './http-server.ts';
import { makeSocketGate, type SocketGate } from './socket-gate.ts';

/** How long clients may take to answer the close frames of a server that shuts down. */
const SHUTDOWN_TIMEOUT_MS = 250;

export const nodePlatform: Platform = {
  name: 'node',
  async serve<T>(options: ServeOptions<T>): Promise<PlatformServer> {
    const bodies = watchBodies();
    const http = makeHttpServer(options, bodies);
    http.once('close', bodies.stop);
    try {
      await listen(http, options);
    } catch (error) {
      bodies.stop();
      throw error;
    }
    // No await from here until the listener is registered, so no handshake is missed.
    const gate = makeSocketGate(options);
    http.on('upgrade', gate.enter);
    return makePlatformServer(http, gate, bodies);
  },
};

function listen<T>(http: Server, options: ServeOptions<T>): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      reject(error.code === 'EADDRINUSE' ? new PortInUseError(options.port) : error);
    };
    http.once('error', fail);
    http.listen(options.port, options.hostname, () => {
      http.off('error', fail);
      resolve();
    });
  });
}

function makePlatformServer(
  http: Server,
  gate: SocketGate,
  bodies: BodiesUnderWay,
): PlatformServer {
  const address = http.address();
  if (address === null || typeof address === 'string')
    throw new Error('a server on a port has one');
  const ended = new Promise<void>((resolve) => http.once('close', resolve));
  const stopListening = async (): Promise<void> => {
    if (http.listening) http.close();
  };
  return {
    port: address.port,
    stopListening,
    bodiesEnded: bodies.ended,
    async close() {
      await stopListening();
      gate.close();
      http.closeAllConnections();
      const timer = setTimeout(gate.destroyAll, SHUTDOWN_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
