/** Reads a request's body before the request is answered, within its time and size limits. */

import type { BodiesUnderWay } from '../bodies-under-way.ts';
import { gatherBody } from '../gathered-body.ts';
import { type BodyFault, DRAINED_BYTES_MAX } from '../platform.ts';

const UTF8 = new TextDecoder();

/**
 * The request with its complete body: `arrayBuffer`, `text` and `json` resolve at once. `aborted` when its client
 * disconnected, `endless` when it is larger than what is read and dropped.
 */
export function readWhole(
  request: Request,
  bytesMax: number,
  bodies: BodiesUnderWay,
): Promise<Request | BodyFault | 'aborted' | 'endless'> {
  return new Promise((resolve) => {
    const awaited = bodies.add(() => resolve('too slow'));
    const isAnnounced = !request.headers.has('transfer-encoding');
    const reading = isAnnounced ? request.arrayBuffer() : readUpTo(request, bytesMax);
    reading.then(
      (body) => {
        bodies.delete(awaited);
        resolve(typeof body === 'string' ? body : withBody(request, body));
      },
      () => {
        bodies.delete(awaited);
        resolve('aborted');
      },
    );
  });
}

/** Bytes above `bytesMax` are dropped. Rejects when the client disconnected. */
async function readUpTo(
  request: Request,
  bytesMax: number,
): Promise<ArrayBuffer | 'too large' | 'endless'> {
  if (request.body === null) return new ArrayBuffer();
  const body = gatherBody(bytesMax);
  let dropped = 0;
  for await (const piece of request.body) {
    if (dropped === 0 && body.add(piece)) continue;
    dropped += piece.byteLength;
    if (dropped > DRAINED_BYTES_MAX) return 'endless';
  }
  return dropped > 0 ? 'too large' : body.whole().buffer;
}

/** The same object: another `Request` around the bytes costs several microseconds. */
function withBody(request: Request, body: ArrayBuffer): Request {
  request.arrayBuffer = async () => body;
  request.text = async () => UTF8.decode(body);
  request.json = async () => JSON.parse(UTF8.decode(body));
  return request;
}
