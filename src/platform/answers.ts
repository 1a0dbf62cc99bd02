/** The few answers the platform gives itself, before or instead of the service; both runtimes share them. */

const WEBSOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;
const WEBSOCKET_VERSION = '13';

export function makeBodyTooLarge(): Response {
  return Response.json({ error: 'Request body too large' }, { status: 413 });
}

/** For bodies that take too long; what comes of them still is read by nobody. */
export function makeRequestTimeout(): Response {
  return Response.json(
    { error: 'Request timeout' },
    { status: 408, headers: { connection: 'close' } },
  );
}

export function makeInternalError(): Response {
  return Response.json({ error: 'Internal server error' }, { status: 500 });
}

/** For requests whose Host and target make no URL. */
export function makeBadRequest(): Response {
  return Response.json({ error: 'Bad request' }, { status: 400 });
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
