/** The HTTP half of the Node platform: a node:http server that answers by `fetch`. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  asLast,
  findHandshakeFault,
  isHandshake,
  makeInternalError,
  makeUnheard,
  refuse,
  refuseUnread,
  withHeaders,
} from '../answers.ts';
import { BODY_TIMEOUT_S, type BodiesUnderWay } from '../bodies-under-way.ts';
import { makePeerAddress } from '../peer-address.ts';
import { HEAD_TIMEOUT_S, HTTP_IDLE_TIMEOUT_S, type ServeOptions } from '../platform.ts';
import { makeRequest, readBody } from './node-request.ts';
import { writeResponse } from './node-response.ts';

/** How often Node looks for overdue requests. */
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;
/** Head and body, with a margin so that the service answers a slow body before Node cuts it off. */
const REQUEST_TIMEOUT_S = HEAD_TIMEOUT_S + BODY_TIMEOUT_S + 5;

export function makeHttpServer<T>(options: ServeOptions<T>, bodies: BodiesUnderWay): Server {
  /** Requests behind which Node's parser drops bytes that came with them. */
  const passedOver = new WeakSet<IncomingMessage>();
  const http = createServer({
    headersTimeout: HEAD_TIMEOUT_S * 1000,
    requestTimeout: REQUEST_TIMEOUT_S * 1000,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    keepAliveTimeout: HTTP_IDLE_TIMEOUT_S * 1000,
    // Java's client offers h2c with its requests; those are ordinary ones.
    shouldUpgradeCallback(incoming) {
      const isForSocket = asksForSocket(options, incoming);
      if (!isForSocket) passedOver.add(incoming);
      return isForSocket;
    },
  });
  http.setTimeout(HTTP_IDLE_TIMEOUT_S * 1000);
  http.on('request', (incoming, out) => {
    void answer(options, bodies, incoming, out, passedOver.has(incoming));
  });
  return http;
}

function asksForSocket<T>(options: ServeOptions<T>, incoming: IncomingMessage): boolean {
  const { method, headers, url = '/' } = incoming;
  return isHandshake(options, method, headers.upgrade, url);
}

async function answer<T>(
  options: ServeOptions<T>,
  bodies: BodiesUnderWay,
  incoming: IncomingMessage,
  out: ServerResponse,
  isPassedOver: boolean,
): Promise<void> {
  // A client that disconnects is no error of ours, but an unhandled 'error' would end the process.
  out.on('error', () => out.destroy());
  try {
    const response = await makeResponse(options, bodies, incoming);
    // Closing before the whole body has arrived could lose the response.
    if (isPassedOver && incoming.complete) out.shouldKeepAlive = false;
    await writeResponse(withHeaders(options, response), out);
  } catch (error) {
    options.failed?.(error);
    if (out.headersSent) {
      out.destroy();
      return;
    }
    for (const name of out.getHeaderNames()) out.removeHeader(name);
    await writeResponse(withHeaders(options, makeInternalError()), out);
  }
}

async function makeResponse<T>(
  options: ServeOptions<T>,
  bodies: BodiesUnderWay,
  incoming: IncomingMessage,
): Promise<Response> {
  const body = await readBody(incoming, options.limits.bodyBytesMax, bodies);
  if (body === 'aborted') return makeUnheard();
  const isRefused = typeof body === 'string';
  const request = makeRequest(incoming, isRefused ? null : body);
  const peer = { address: makePeerAddress(incoming.socket.remoteAddress ?? '') };
  if (request === null) return refuseUnread(options, peer);
  // Without `Connection: upgrade` Node treats a handshake as an ordinary request.
  if (asksForSocket(options, incoming)) {
    const fault = findHandshakeFault(request) ?? 'bad request';
    return asLast(await refuse(options, request, peer, fault));
  }
  return isRefused ? refuse(options, request, peer, body) : options.fetch(request, peer);
}
