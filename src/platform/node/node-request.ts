/** Turns a request of node:http into a `Request`. */

import type { IncomingMessage } from 'node:http';

/** Methods whose requests have no body in `Request`'s eyes. */
const BODILESS_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** Null when target, Host and method make none, as with `Host: [` or TRACE. */
export function makeRequest(
  incoming: IncomingMessage,
  body: Uint8Array<ArrayBuffer> | null,
): Request | null {
  const { method = 'GET', url = '/' } = incoming;
  const base = `http://${incoming.headers.host ?? ''}`;
  try {
    return new Request(url.startsWith('/') ? base + url : url, {
      method,
      headers: makeHeaders(incoming.rawHeaders),
      body: BODILESS_METHODS.has(method) ? null : body,
    });
  } catch {
    return null;
  }
}

/** From Node's list of alternating names and values: repeated headers stay. */
function makeHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  }
  return headers;
}

/** The whole body, null when the request has none. `aborted` when the client left before its end. */
export async function readBody(
  incoming: IncomingMessage,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | null | 'too large' | 'aborted'> {
  const { headers } = incoming;
  if (Number(headers['content-length'] ?? 0) > bytesMax) return 'too large';
  const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
  if (!hasBody) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const take = (chunk: Buffer): void => {
      length += chunk.byteLength;
      if (length <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      // The rest runs off, bounded by the server's requestTimeout: closing now would reset the
      // connection before the client, still writing, has read its answer.
      incoming.off('data', take);
      incoming.resume();
      resolve('too large');
    };
    incoming.on('data', take);
    incoming.once('end', () => resolve(Buffer.concat(chunks, length)));
    incoming.once('error', () => resolve('aborted'));
    incoming.once('close', () => resolve('aborted'));
  });
}
