/** Reads a request's body before the request is answered, in its time and not further than its limit. */

import type { BodiesUnderWay } from '../bodies-under-way.ts';
import { gatherBody } from '../gathered-body.ts';
import type { BodyFault } from '../platform.ts';

const UTF8 = new TextDecoder();

/**
 * The request with its body here: `arrayBuffer`, `text` and `json` give it at once. `aborted` when its
 * client left before the end.
 */
export function readWhole(
  request: Request,
  bytesMax: number,
  bodies: BodiesUnderWay,
): Promise<Request | BodyFault | 'aborted'> {
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
async function readUpTo(request: Request, bytesMax: number): Promise<ArrayBuffer | null> {
  if (request.body === null) return new ArrayBuffer();
  const body = gatherBody(bytesMax);
  for await (const piece of request.body) if (!body.add(piece)) return null;
  return body.whole().buffer;
}

/** The same object: another `Request` around the bytes costs several microseconds. */
function withBody(request: Request, body: ArrayBuffer): Request {
  request.arrayBuffer = async () => body;
  request.text = async () => UTF8.decode(body);
  request.json = async () => JSON.parse(UTF8.decode(body));
  return request;
}
