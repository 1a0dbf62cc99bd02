/** The descriptions of the interface, ready to be sent as they are or compressed. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** A JSON text that does not change while the process runs. */
export interface Document {
  readonly text: string;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

export function makeDocument(text: string): Document {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { text, gzip: new Uint8Array(gzipSync(text, { level: 9 })), etag: `"${digest}"` };
}
