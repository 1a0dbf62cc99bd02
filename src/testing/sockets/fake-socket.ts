/** A platform socket without a network: a test controls how fast it reads. */

import type { PlatformSocket } from '../../platform/platform.ts';
import type { Connection } from '../../socket/connection/connection.ts';
import type { SocketService } from '../../socket/socket-service.ts';
import { makeInterpreter, spokenHere } from './both-protocols.ts';

export interface FakeSocket extends PlatformSocket<Connection> {
  /** What was sent, as texts of `matchd.v1`. */
  readonly sent: string[];
  /** Bytes sent and not read. */
  backlog: number;
  /** Whether the other end reads. */
  isReading: boolean;
  /** Whether the other end exists. Without it, nothing answers a ping. */
  isThere: boolean;
  /** The code it was closed with; null while it is open. */
  closedWith: number | null;
  /** Reads everything there is. */
  read(): void;
  /** A frame from the client. */
  receive(frame: object): void;
  /** A ping from the client, for which the platform queues a pong of that many bytes. */
  receivePing(bytes?: number): void;
}

/** Opens one as a handshake would, with a token or (null) without. */
export function openFakeSocket(
  service: SocketService,
  token: string | null,
  isThere = true,
): FakeSocket {
  const subprotocol = spokenHere();
  const interpreter = makeInterpreter(subprotocol);
  const protocols = token === null ? subprotocol : `${subprotocol}, token.${token}`;
  const request = new Request('http://127.0.0.1/v1/socket', {
    headers: { 'sec-websocket-protocol': protocols },
  });
  const decision = service.upgrade(request, { address: '198.51.100.77' });
  if (!decision.accept) throw new Error(`refused with ${decision.response.status}`);
  const { handlers } = service;
  const socket: FakeSocket = {
    data: decision.data,
    sent: [],
    backlog: 0,
    isReading: true,
    isThere,
    closedWith: null,
    send(texts) {
      if (socket.closedWith !== null) return;
      for (const text of texts) {
        socket.sent.push(...interpreter.read(text));
        if (!socket.isReading) socket.backlog += text.length;
      }
    },
    backlogBytes: () => socket.backlog,
    close(code) {
      if (socket.closedWith !== null) return;
      socket.closedWith = code;
      queueMicrotask(() => handlers.closed(socket, code));
    },
    terminate: () => socket.close(1006, ''),
    ping() {
      queueMicrotask(() => {
        if (socket.isThere && socket.closedWith === null) handlers.ponged(socket);
      });
    },
    read() {
      socket.isReading = true;
      if (socket.backlog === 0) return;
      socket.backlog = 0;
      handlers.drained(socket);
    },
    receive: (frame) => handlers.message(socket, interpreter.write(frame)),
    receivePing(bytes = 0) {
      if (socket.closedWith !== null) return;
      if (!socket.isReading) socket.backlog += bytes;
      handlers.pinged(socket);
    },
  };
  handlers.opened(socket);
  return socket;
}
