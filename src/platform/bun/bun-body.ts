/** Reads a request body of unannounced length, but not further than its limit. */

/** `aborted` when the client left before its end. */
export async function readBody(
  request: Request,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | 'too large' | 'aborted'> {
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength;
      if (length > bytesMax) return 'too large';
      chunks.push(chunk);
    }
  } catch {
    return 'aborted';
  }
  return Buffer.concat(chunks, length);
}
