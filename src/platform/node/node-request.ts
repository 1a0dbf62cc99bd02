/** Turns a request of node:http into a `Request`. */

import type { IncomingMessage } from 'node:http';
import { namesOneHost } from '../answers.ts';
import type { BodiesUnderWay } from '../bodies-under-way.ts';
import { gatherBody } from '../gathered-body.ts';
import { type BodyFault, DRAINED_BYTES_MAX } from '../platform.ts';

/** Time to read the response before the connection of an endless body is dropped. */
const LINGER_MS = 1_000;

/** Methods for which `Request` allows no body. */
const BODILESS_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** Null when target, Host and method form no valid request, as with two Hosts, `Host: [` or TRACE. */
export function makeRequest(
  incoming: IncomingMessage,
  body: Uint8Array<ArrayBuffer> | null,
): Request | null {
  const { method = 'GET', url = '/' } = incoming;
  const base = `http://${incoming.headers.host ?? ''}`;
  const headers = makeHeaders(incoming.rawHeaders);
  if (!namesOneHost(headers)) return null;
  try {
    return new Request(url.startsWith('/') ? base + url : url, {
      method,
      headers,
      body: BODILESS_METHODS.has(method) ? null : body,
    });
  } catch {
    return null;
  }
}

/** From Node's alternating list of names and values: repeated headers stay. */
function makeHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  }
  return headers;
}

/**
 * The whole body, null when the request has none. `aborted` when the client disconnected, `too slow` when its time
 * is up.
 */
export async function readBody(
  incoming: IncomingMessage,
  bytesMax: number,
  bodies: BodiesUnderWay,
): Promise<Uint8Array<ArrayBuffer> | null | BodyFault | 'aborted'> {
  const { headers } = incoming;
  if (Number(headers['content-length'] ?? 0) > bytesMax) return 'too large';
  const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
  if (!hasBody) return null;
  const body = gatherBody(bytesMax);
  return new Promise((resolve) => {
    const take = (chunk: Buffer): void => {
      if (!body.add(chunk)) leave('too large');
    };
    // The rest is read and dropped: closing now would reset the connection before the client, still writing, has read
    // its response. A body that is too large has the server's requestTimeout, one that is too slow the time until the
    // response is written.
    const leave = (why: BodyFault): void => {
      incoming.off('data', take);
      dropRest(incoming);
      end(why);
    };
    const awaited = bodies.add(() => leave('too slow'));
    const end = (outcome: Uint8Array<ArrayBuffer> | BodyFault | 'aborted'): void => {
      bodies.delete(awaited);
      resolve(outcome);
    };
    incoming.on('data', take);
    incoming.once('end', () => end(body.whole()));
    incoming.once('error', () => end('aborted'));
    incoming.once('close', () => end('aborted'));
  });
}

/** Reads and drops what still arrives, up to a limit; above it the connection ends. */
function dropRest(incoming: IncomingMessage): void {
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= DRAINED_BYTES_MAX) return;
    incoming.pause();
    setTimeout(() => incoming.socket.destroy(), LINGER_MS).unref();
  });
  incoming.resume();
}
