/** Reads a request's body before the request is answered, in its time and not further than its limit. */

import type { BodiesUnderWay } from '../bodies-under-way.ts';

/** Why there is no body: its client left before the end, sent too much, or took too long. */
type NoBody = 'aborted' | 'too large' | 'too slow';

type Bytes = ArrayBuffer | Uint8Array<ArrayBuffer>;

const UTF8 = new TextDecoder();

/** The request with its body here: `arrayBuffer`, `text` and `json` give it at once. */
export function readWhole(
  request: Request,
  bytesMax: number,
  bodies: BodiesUnderWay,
): Promise<Request | NoBody> {
  return new Promise((resolve) => {
    const awaited = bodies.add(() => resolve('too slow'));
    const isAnnounced = !request.headers.has('transfer-encoding');
    const reading = isAnnounced ? request.arrayBuffer() : readUpTo(request, bytesMax);
    reading.then(
      (body) => {
        bodies.delete(awaited);
        resolve(body === null ? 'too large' : withBody(request, body));
      },
      () => {
        bodies.delete(awaited);
        resolve('aborted');
      },
    );
  });
}

/** Null when there are more than `bytesMax`. Rejects when the client left before the end. */
async function readUpTo(request: Request, bytesMax: number): Promise<Bytes | null> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body) {
    length += chunk.byteLength;
    if (length > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** The same object: another `Request` around the bytes costs several microseconds. */
function withBody(request: Request, body: Bytes): Request {
  request.arrayBuffer = async () => (body instanceof ArrayBuffer ? body : body.slice().buffer);
  request.text = async () => UTF8.decode(body);
  request.json = async () => JSON.parse(UTF8.decode(body));
  return request;
}
