/** Serves HTTP and WebSockets with Bun's own server. */

import type { Server, WebSocketHandler } from 'bun';
import {
  asLast,
  decide,
  findHandshakeFault,
  isHandshake,
  makeInternalError,
  makeUnheard,
  namesOneHost,
  refuse,
  refuseUnread,
  withHeaders,
} from '../answers.ts';
import { type BodiesUnderWay, watchBodies } from '../bodies-under-way.ts';
import { type IdleSweep, startIdleSweep } from '../idle-sweep.ts';
import { makePeerAddress } from '../peer-address.ts';
import {
  BACKLOG_BYTES_MAX,
  HEAD_TIMEOUT_S,
  HTTP_IDLE_TIMEOUT_S,
  type Peer,
  type Platform,
  type PlatformServer,
  PortInUseError,
  type ServeOptions,
  UNREAD_INPUT_BYTES_LONG,
  UNREAD_INPUT_BYTES_MAX,
} from '../platform.ts';
import { readWhole } from './bun-body.ts';
import { BunSocket } from './bun-socket.ts';
import { peerName, watchUnreadInput } from './unread-input.ts';

type BunServer<T> = Server<BunSocket<T>>;

/** The only way to set a length. */
const CONTENT_LENGTH = /^\d+$/;

/** A server's parts besides the runtime's. */
interface Tended<T> {
  readonly sweep: IdleSweep<BunSocket<T>>;
  readonly bodies: BodiesUnderWay;
  /** Open sockets by `peer`. */
  readonly byPeer: Map<string, BunSocket<T>>;
}

export const bunPlatform: Platform = {
  name: 'bun',
  async serve<T>(options: ServeOptions<T>): Promise<PlatformServer> {
    const sweep = startIdleSweep<BunSocket<T>>(options.limits.idleTimeoutS);
    const tended: Tended<T> = { sweep, bodies: watchBodies(), byPeer: new Map() };
    try {
      return makePlatformServer(options, listen(options, tended), tended);
    } catch (error) {
      stopTending(tended);
      throw isPortInUse(error) ? new PortInUseError(options.port) : error;
    }
  },
};

function stopTending<T>({ sweep, bodies }: Tended<T>): void {
  sweep.stop();
  bodies.stop();
}

function listen<T>(options: ServeOptions<T>, tended: Tended<T>): BunServer<T> {
  return Bun.serve<BunSocket<T>>({
    hostname: options.hostname,
    port: options.port,
    development: false,
    // With two servers on one port each would get half of the players.
    reusePort: false,
    idleTimeout: HEAD_TIMEOUT_S,
    // Bun's own refusal has no JSON body, so `answer` refuses first; see there.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch(request, server) {
      const answered = isHandshake(
        options,
        request.method,
        request.headers.get('upgrade'),
        request.url,
      )
        ? upgrade(options, request, server)
        : answer(options, tended.bodies, request, server);
      if (options.headers === undefined || answered === undefined) return answered;
      return answered instanceof Response
        ? withHeaders(options, answered)
        : answered.then((response) => withHeaders(options, response));
    },
    error(error) {
      options.failed?.(error);
      return withHeaders(options, makeInternalError());
    },
    websocket: makeWebSocketHandler(options, tended),
  });
}

function answer<T>(
  options: ServeOptions<T>,
  bodies: BodiesUnderWay,
  request: Request,
  server: BunServer<T>,
): Response | Promise<Response> {
  // From here on the connection may be as slow as an open one, not as a head.
  server.timeout(request, HTTP_IDLE_TIMEOUT_S);
  const { address } = otherEnd(request, server);
  const peer = { address };
  if (!isClear(request)) return refuseUnread(options, peer);
  const { headers } = request;
  const announced = headers.get('content-length') ?? '0';
  // Bun accepts a repeated one, and passes both on as one text.
  if (!CONTENT_LENGTH.test(announced)) return refuseUnread(options, peer);
  const length = Number(announced);
  if (length > options.limits.bodyBytesMax) return refuse(options, request, peer, 'too large');
  const hasBody = length > 0 || headers.has('transfer-encoding');
  return hasBody ? answerWhole(options, bodies, request, peer) : options.fetch(request, peer);
}

/** Whether its head names exactly one host. With an invalid Host header Bun's `url` has none. */
function isClear({ url, headers }: Request): boolean {
  return URL.canParse(url) && namesOneHost(headers);
}

/** Bun passes a request on with its head: it is answered once its body has arrived. */
async function answerWhole<T>(
  options: ServeOptions<T>,
  bodies: BodiesUnderWay,
  request: Request,
  peer: Peer,
): Promise<Response> {
  const whole = await readWhole(request, options.limits.bodyBytesMax, bodies);
  if (whole === 'aborted') return makeUnheard();
  // Otherwise Bun would read the rest without limit.
  if (whole === 'endless') return asLast(await refuse(options, request, peer, 'too large'));
  return typeof whole === 'string'
    ? refuse(options, request, peer, whole)
    : options.fetch(whole, peer);
}

/** As with Node, a refused handshake ends the connection. */
function upgrade<T>(
  options: ServeOptions<T>,
  request: Request,
  server: BunServer<T>,
): Response | Promise<Response> | undefined {
  const { address, port } = otherEnd(request, server);
  const peer = { address };
  if (!isClear(request)) return refuseUnread(options, peer);
  const fault = findHandshakeFault(request);
  if (fault !== null) return refuse(options, request, peer, fault).then(asLast);
  const decision = decide(options, request, peer);
  if (!decision.accept) return asLast(decision.response);
  const isUpgraded = server.upgrade(request, {
    data: new BunSocket(decision.data, peerName(address, port)),
    // An empty value selects none; without the header Bun would select the first one offered.
    headers: { 'sec-websocket-protocol': decision.protocol ?? '' },
  });
  return isUpgraded ? undefined : refuse(options, request, peer, 'bad request').then(asLast);
}

/** Of the request's connection. Called once, because it is a system call. */
function otherEnd<T>(
  request: Request,
  server: BunServer<T>,
): { readonly address: string; readonly port: number } {
  const { address, port } = server.requestIP(request) ?? { address: '', port: 0 };
  return { address: makePeerAddress(address), port };
}

type PlainEvent = 'opened' | 'pinged' | 'ponged' | 'drained' | 'flooded';

/**
 * Differences between Bun and `ws`: Bun calls `close` from inside our own `close()`; it reports 1006 for frames
 * that it refused with 1009, 1007 or 1002, and adds a reason to those close frames; it never waits for the
 * client's half of the closing handshake. Its own idle timer is not used, because every frame we send resets it: a
 * dead player would stay connected as long as the match goes on.
 */
function makeWebSocketHandler<T>(
  options: ServeOptions<T>,
  { sweep, byPeer }: Tended<T>,
): WebSocketHandler<BunSocket<T>> {
  const { sockets: handlers, limits } = options;
  const tell = (event: PlainEvent, socket: BunSocket<T>): void => notify(options, event, socket);
  return {
    maxPayloadLength: limits.frameBytesMax,
    backpressureLimit: BACKLOG_BYTES_MAX,
    closeOnBackpressureLimit: true,
    idleTimeout: 0,
    sendPings: false,
    perMessageDeflate: false,
    open(ws) {
      ws.data.attach(ws);
      sweep.add(ws.data);
      byPeer.set(ws.data.peer, ws.data);
      tell('opened', ws.data);
    },
    message(ws, message) {
      const socket = ws.data;
      socket.read(message.length, () => {
        try {
          if (typeof message === 'string') handlers.message(socket, message);
          else handlers.binary(socket);
        } catch (error) {
          fail(options, socket, error);
        }
      });
    },
    ping(ws, data) {
      if (ws.readyState !== WebSocket.OPEN) return;
      // Bun's own limit drops no socket for pongs.
      if (ws.getBufferedAmount() >= BACKLOG_BYTES_MAX) ws.terminate();
      else ws.data.read(data.length, () => tell('pinged', ws.data));
    },
    pong(ws, data) {
      ws.data.read(data.length, () => tell('ponged', ws.data));
    },
    drain(ws) {
      // Bun also calls this when only part of the backlog was sent.
      if (ws.getBufferedAmount() > 0 || ws.readyState !== WebSocket.OPEN) return;
      if (!ws.data.isEnding) tell('drained', ws.data);
    },
    close(ws, code) {
      sweep.delete(ws.data);
      // By now another client may use that port.
      if (byPeer.get(ws.data.peer) === ws.data) byPeer.delete(ws.data.peer);
      queueMicrotask(() => {
        try {
          handlers.closed(ws.data, code);
        } catch (error) {
          options.failed?.(error);
        }
      });
    },
  };
}

function notify<T>(options: ServeOptions<T>, event: PlainEvent, socket: BunSocket<T>): void {
  try {
    options.sockets[event](socket);
  } catch (error) {
    fail(options, socket, error);
  }
}

function fail<T>(options: ServeOptions<T>, socket: BunSocket<T>, error: unknown): void {
  options.failed?.(error);
  socket.fail();
}

function makePlatformServer<T>(
  options: ServeOptions<T>,
  server: BunServer<T>,
  tended: Tended<T>,
): PlatformServer {
  const { port } = server;
  if (port === undefined) throw new Error('a server on a port has one');
  const watched = {
    port,
    bytesMax: UNREAD_INPUT_BYTES_MAX,
    bytesLong: UNREAD_INPUT_BYTES_LONG,
  };
  const stopWatching = watchUnreadInput(watched, (peer) => {
    const socket = tended.byPeer.get(peer);
    if (socket !== undefined) notify(options, 'flooded', socket);
  });
  return {
    port,
    async stopListening() {
      // Its promise waits for the open connections; the port is free at once.
      void server.stop(false);
    },
    bodiesEnded: tended.bodies.ended,
    async close() {
      await server.stop(true);
      stopWatching();
      stopTending(tended);
    },
  };
}

function isPortInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
