/** The few responses of the platform itself, before or instead of the service; both runtimes share them. */

import {
  DRAINED_BYTES_MAX,
  type Fault,
  type HandshakeFault,
  type Peer,
  type ServeOptions,
  type UpgradeDecision,
} from './platform.ts';

const WEBSOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;
const WEBSOCKET_VERSION = '13';

/** The default when the service gives none. */
const FAULTS: Readonly<Record<Fault, { readonly error: string; readonly status: number }>> = {
  'too large': { error: 'Request body too large', status: 413 },
  'too slow': { error: 'Request body too slow', status: 408 },
  'unsupported version': { error: 'Unsupported WebSocket version', status: 426 },
  'malformed handshake': { error: 'Malformed WebSocket handshake', status: 400 },
  'bad request': { error: 'Bad request', status: 400 },
};

/** Headers required for the status (RFC 9110, 15.5.22; RFC 6455, 4.4), whoever sends it. */
const HEADERS: Partial<Readonly<Record<Fault, Readonly<Record<string, string>>>>> = {
  // Further bytes would be taken for a request.
  'too slow': { connection: 'close' },
  'unsupported version': { upgrade: 'websocket', 'sec-websocket-version': WEBSOCKET_VERSION },
};

/** The service's answer to a request that is not processed, else one of our own. */
export async function refuse(
  options: Pick<ServeOptions<never>, 'refuse'>,
  request: Request,
  peer: Peer,
  why: Fault,
): Promise<Response> {
  const { error, status } = FAULTS[why];
  const own = (): Response => Response.json({ error }, { status });
  const response = (await options.refuse?.(request, peer, why)) ?? own();
  for (const [name, value] of Object.entries(HEADERS[why] ?? {})) response.headers.set(name, value);
  const announced = Number(request.headers.get('content-length') ?? 0);
  return why === 'too large' && announced > DRAINED_BYTES_MAX ? asLast(response) : response;
}

/** Refuses unparsable requests and closes the connection: the start of the next request is unknown. */
export async function refuseUnread(
  options: Pick<ServeOptions<never>, 'refuse'>,
  peer: Peer,
): Promise<Response> {
  const request = new Request('http://unknown.invalid/');
  return asLast(await refuse(options, request, peer, 'bad request'));
}

/**
 * Whether a request has exactly one host. Both runtimes join several `Host` headers with commas, and no host has a
 * comma.
 */
export function namesOneHost(headers: Headers): boolean {
  return headers.get('host')?.includes(',') !== true;
}

/** The response with the headers of every response. */
export function withHeaders(
  { headers }: Pick<ServeOptions<never>, 'headers'>,
  response: Response,
): Response {
  if (headers === undefined) return response;
  let answer = response;
  for (const [name, value] of Object.entries(headers)) {
    try {
      answer.headers.set(name, value);
    } catch {
      // The headers of a redirect or of a fetched page are immutable.
      answer = new Response(answer.body, answer);
      answer.headers.set(name, value);
    }
  }
  return answer;
}

/** The response that ends the connection. */
export function asLast(response: Response): Response {
  response.headers.set('connection', 'close');
  return response;
}

export function makeInternalError(): Response {
  return Response.json({ error: 'Internal server error' }, { status: 500 });
}

/** For a client that disconnected during its body: nobody reads it. */
export function makeUnheard(): Response {
  return Response.json({ error: 'Bad request' }, { status: 400 });
}

/** Whether a request asks for a WebSocket on their path, well-formed or not. */
export function isHandshake<T>(
  { sockets }: Pick<ServeOptions<T>, 'sockets'>,
  method: string | undefined,
  upgrade: string | null | undefined,
  url: string,
): boolean {
  if (upgrade?.toLowerCase() !== 'websocket' || method !== 'GET') return false;
  if (sockets.path === undefined) return true;
  return URL.canParse(url, 'http://x') && new URL(url, 'http://x').pathname === sockets.path;
}

/**
 * Why a handshake cannot become a WebSocket; null when it can. Checked before the service decides, so that nothing
 * it attaches to an accepted socket is left over.
 */
export function findHandshakeFault({ method, headers }: Request): HandshakeFault | null {
  if (headers.get('sec-websocket-version') !== WEBSOCKET_VERSION) return 'unsupported version';
  const isWhole =
    method === 'GET' &&
    WEBSOCKET_KEY.test(headers.get('sec-websocket-key') ?? '') &&
    (headers.get('connection') ?? '').toLowerCase().includes('upgrade');
  return isWhole ? null : 'malformed handshake';
}

/** The service's answer to a valid handshake; anything it throws is a 500. */
export function decide<T>(
  options: Pick<ServeOptions<T>, 'upgrade' | 'failed'>,
  request: Request,
  peer: Peer,
): UpgradeDecision<T> {
  try {
    return options.upgrade(request, peer);
  } catch (error) {
    options.failed?.(error);
    return { accept: false, response: makeInternalError() };
  }
}
