/** Writes a `Response` to a response of node:http. */

import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

const NOT_YET = Symbol('not yet');
type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Rejects when the body's stream does; the caller handles what was not sent. */
export async function writeResponse(response: Response, out: ServerResponse): Promise<void> {
  out.statusCode = response.status;
  if (response.statusText !== '') out.statusMessage = response.statusText;
  for (const [name, value] of response.headers) {
    // Separate headers: cookies contain commas.
    if (name === 'set-cookie') out.appendHeader(name, value);
    else out.setHeader(name, value);
  }
  if (out.destroyed) {
    await response.body?.cancel();
    return;
  }
  if (response.body === null) {
    out.end();
    return;
  }
  const reader = response.body.getReader();
  // After the whole body was read this does nothing.
  out.once('close', () => void reader.cancel().catch(ignore));
  await writeBody(reader, out);
}

/**
 * A complete body is sent with its length in one write; a streamed one as it is produced, and its head at once.
 */
async function writeBody(reader: Reader, out: ServerResponse): Promise<void> {
  let held: Uint8Array | null = null;
  for (;;) {
    const reading = reader.read();
    if (!out.headersSent && (await isLater(reading))) {
      out.flushHeaders();
      if (held !== null) await write(held, out);
      held = null;
    }
    const { done, value } = await reading;
    if (done) {
      finish(out, held);
      return;
    }
    if (!out.headersSent && held === null) held = value;
    else {
      if (held !== null) await write(held, out);
      held = null;
      await write(value, out);
    }
  }
}

/** Sets the length itself, because Node sets none for HEAD. */
function finish(out: ServerResponse, held: Uint8Array | null): void {
  if (held !== null && !out.hasHeader('content-length')) {
    out.setHeader('content-length', held.byteLength);
  }
  out.end(held ?? undefined);
}

/** Whether a promise takes longer than this turn of the event loop. */
async function isLater(reading: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([reading, setImmediate(NOT_YET)])) === NOT_YET;
}

/** Backpressure: waits while the client reads more slowly than the body is produced. */
async function write(chunk: Uint8Array, out: ServerResponse): Promise<void> {
  if (out.destroyed || out.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      out.off('drain', settle);
      out.off('close', settle);
      resolve();
    };
    out.on('drain', settle);
    out.on('close', settle);
  });
}

function ignore(): void {}
