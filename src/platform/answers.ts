/** The few answers the platform gives itself, before or instead of the service; both runtimes share them. */

import type { BodyFault, Peer, ServeOptions } from './platform.ts';

const WEBSOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;
const WEBSOCKET_VERSION = '13';

const BODY_FAULTS: Readonly<
  Record<BodyFault, { readonly error: string; readonly status: number }>
> = {
  'too large': { error: 'Request body too large', status: 413 },
  'too slow': { error: 'Request body too slow', status: 408 },
};

/** The service's answer for a body that is not taken, else one of our own. */
export async function refuseBody(
  { refuse }: Pick<ServeOptions<never>, 'refuse'>,
  request: Request,
  peer: Peer,
  why: BodyFault,
): Promise<Response> {
  const { error, status } = BODY_FAULTS[why];
  const response = (await refuse?.(request, peer, why)) ?? Response.json({ error }, { status });
  // What comes of it still would be taken for a request.
  if (why === 'too slow') response.headers.set('connection', 'close');
  return response;
}

export function makeInternalError(): Response {
  return Response.json({ error: 'Internal server error' }, { status: 500 });
}

/** For requests whose head says nothing that can be understood. `isLast`: nor where the next one begins. */
export function makeBadRequest(isLast = false): Response {
  const headers: Record<string, string> = isLast ? { connection: 'close' } : {};
  return Response.json({ error: 'Bad request' }, { status: 400, headers });
}

/** Whether the client asks for a WebSocket, well-formed or not. */
export function isWebSocketRequest(headers: Headers): boolean {
  const upgrade = headers.get('upgrade');
  return upgrade !== null && upgrade.toLowerCase() === 'websocket';
}

/**
 * What to answer to a handshake that cannot become a WebSocket; null when it can. Looked at before
 * the service decides, so that what it attaches to an accepted socket is never left over.
 */
export function refuseMalformedHandshake(request: Request): Response | null {
  const { headers } = request;
  if (headers.get('sec-websocket-version') !== WEBSOCKET_VERSION) {
    return Response.json(
      { error: 'Unsupported WebSocket version' },
      { status: 426, headers: { 'sec-websocket-version': WEBSOCKET_VERSION } },
    );
  }
  const isWhole =
    request.method === 'GET' &&
    WEBSOCKET_KEY.test(headers.get('sec-websocket-key') ?? '') &&
    (headers.get('connection') ?? '').toLowerCase().includes('upgrade');
  if (isWhole) return null;
  return Response.json({ error: 'Malformed WebSocket handshake' }, { status: 400 });
}
