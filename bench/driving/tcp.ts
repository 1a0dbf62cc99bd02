/** TCP connections of the driver: one set of handlers for all, and a count of what passes. */

import type { Socket } from 'bun';

/** Bytes received from the server since counting began. */
export interface Traffic {
  bytes: number;
  /** WebSocket messages, control frames left out. */
  frames: number;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A protocol's handler of a connection. Called by the loop; must not throw. */
export interface Protocol {
  opened(connection: Connection): void;
  /** `bytes` is only good until this returns. */
  received(bytes: Buffer): void;
  closed(error: Error | null): void;
}

export interface Connection {
  write(bytes: string | Uint8Array): void;
  end(): void;
  destroy(): void;
}

/** Connects from `from`, an address in 127.0.0.0/8: servers limit the sockets of one address. */
export function openTcp(address: Address, from: string, protocol: Protocol): void {
  const options = {
    hostname: address.host,
    port: address.port,
    localAddress: from,
    data: protocol,
    socket: HANDLERS,
  };
  Bun.connect<Protocol>(options).catch((error: unknown) => protocol.closed(asError(error)));
}

/**
 * An address for the n-th client. 64 of them, so that thousands of sockets stay below a server's
 * cap of sockets an address, and none runs out of ports.
 */
export function clientAddress(n: number): string {
  return `127.0.1.${1 + (n % CLIENT_ADDRESSES)}`;
}

const CLIENT_ADDRESSES = 64;

const HANDLERS = {
  binaryType: 'buffer' as const,
  open(socket: Socket<Protocol>) {
    socket.setNoDelay(true);
    socket.data.opened(makeConnection(socket));
  },
  data(socket: Socket<Protocol>, bytes: Buffer) {
    socket.data.received(bytes);
  },
  close(socket: Socket<Protocol>) {
    socket.data.closed(null);
  },
  error(socket: Socket<Protocol>, error: Error) {
    socket.data.closed(error);
  },
};

function makeConnection(socket: Socket<Protocol>): Connection {
  return {
    write(bytes) {
      const written = socket.write(bytes);
      // Each client has one small message on its way, so a full buffer is a server that hangs.
      if (written >= 0 && written < bytes.length) socket.terminate();
    },
    end: () => void socket.end(),
    destroy: () => socket.terminate(),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
