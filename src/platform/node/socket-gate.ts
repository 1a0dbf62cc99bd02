/** The WebSocket half of the Node platform: from a handshake to a socket of the service. */

import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { decide, findHandshakeFault, refuse, refuseUnread, withHeaders } from '../answers.ts';
import { startIdleSweep } from '../idle-sweep.ts';
import { makePeerAddress } from '../peer-address.ts';
import { FRAGMENTS_MAX, type ServeOptions, type UpgradeDecision } from '../platform.ts';
import { makeRequest } from './node-request.ts';
import { writeResponse } from './node-response.ts';
import { NodeSocket, type NodeSocketEvents } from './node-socket.ts';

/** How long a client may take to answer our close frame before its connection is dropped. */
const CLOSE_TIMEOUT_MS = 3_000;
/** How long a client may take to read the response to a refused handshake. */
const REFUSAL_TIMEOUT_MS = 5_000;
const CODE_GOING_AWAY = 1001;

export interface SocketGate {
  /** Listener for the server's 'upgrade'. */
  enter(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Starts to close what is open, with 1001. */
  close(): void;
  /** Drops every connection that was opened here, whatever its state. */
  destroyAll(): void;
}

export function makeSocketGate<T>(options: ServeOptions<T>): SocketGate {
  const sweep = startIdleSweep<NodeSocket<T>>(options.limits.idleTimeoutS);
  const connections = new Set<Socket>();
  const events: NodeSocketEvents<T> = {
    handlers: options.sockets,
    failed: (error) => options.failed?.(error),
    settled: (socket) => sweep.delete(socket),
  };
  const upgrade = makeUpgrader(options.limits.frameBytesMax);
  const accept = (tcp: Socket, incoming: IncomingMessage, head: Buffer, decision: Accepted<T>) =>
    upgrade(incoming, tcp, head, decision.protocol, (ws) => {
      const socket = new NodeSocket(decision.data, ws, tcp, events);
      sweep.add(socket);
      socket.start();
    });
  const answer = (incoming: IncomingMessage, tcp: Socket, response: Response | Promise<Response>) =>
    answerLast(
      incoming,
      tcp,
      Promise.resolve(response).then((made) => withHeaders(options, made)),
    );
  return {
    enter(incoming, tcp, head) {
      // Before anything else: a client that resets during the handshake must not end the process.
      tcp.on('error', () => tcp.destroy());
      if (!(tcp instanceof Socket) || !tcp.readable || !tcp.writable) {
        tcp.destroy();
        return;
      }
      connections.add(tcp);
      tcp.once('close', () => connections.delete(tcp));
      const request = makeRequest(incoming, null);
      const peer = { address: makePeerAddress(tcp.remoteAddress ?? '') };
      const fault = request === null ? null : findHandshakeFault(request);
      if (request === null) answer(incoming, tcp, refuseUnread(options, peer));
      else if (fault !== null) answer(incoming, tcp, refuse(options, request, peer, fault));
      else {
        const decision = decide(options, request, peer);
        if (decision.accept) accept(tcp, incoming, head, decision);
        else answer(incoming, tcp, decision.response);
      }
    },
    close() {
      sweep.stop();
      for (const socket of sweep.all()) socket.close(CODE_GOING_AWAY, 'Server closed');
    },
    destroyAll() {
      for (const tcp of connections) tcp.destroy();
    },
  };
}

type Accepted<T> = Extract<UpgradeDecision<T>, { accept: true }>;

type Upgrader = (
  incoming: IncomingMessage,
  tcp: Socket,
  head: Buffer,
  protocol: string | null,
  done: Parameters<WebSocketServer['handleUpgrade']>[3],
) => void;

/**
 * Hands a checked handshake to `ws`, which then finds nothing to refuse and calls `done` at once. The subprotocol
 * bypasses `ws`: the service chose it, from a header that `ws` would parse more strictly.
 */
function makeUpgrader(frameBytesMax: number): Upgrader {
  // A variable, because the types do not have `closeTimeout` yet.
  const settings = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: frameBytesMax,
    maxFragments: FRAGMENTS_MAX,
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  const server = new WebSocketServer(settings);
  let selected: string | null = null;
  server.on('headers', (lines) => {
    if (selected !== null) lines.push(`Sec-WebSocket-Protocol: ${selected}`);
  });
  return (incoming, tcp, head, protocol, done) => {
    delete incoming.headers['sec-websocket-protocol'];
    selected = protocol;
    server.handleUpgrade(incoming, tcp, head, done);
  };
}

/** Node has given up the socket, so the response is written and the connection closed here. */
function answerLast(incoming: IncomingMessage, tcp: Socket, response: Promise<Response>): void {
  tcp.setTimeout(REFUSAL_TIMEOUT_MS, () => tcp.destroy());
  const out = new ServerResponse(incoming);
  out.on('error', () => tcp.destroy());
  out.once('finish', () => tcp.destroySoon());
  out.shouldKeepAlive = false;
  out.assignSocket(tcp);
  response.then((made) => writeResponse(made, out)).catch(() => tcp.destroy());
}
