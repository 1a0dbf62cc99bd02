/** The descriptions of the interface as they are sent: compressed, and once to each reader. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Exchange } from './exchange.ts';
import { respondJson } from './response.ts';

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

/** The text, or 304 for who has it already. */
export function respondDocument(exchange: Exchange, { text, gzip, etag }: Document): Response {
  const { headers: asked } = exchange.request;
  const plain = respondJson(exchange, 200, text, {
    etag,
    'cache-control': 'no-cache',
    vary: 'Origin, Accept-Encoding',
  });
  const { headers } = plain;
  if (asked.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  if (!/\bgzip\b/.test(asked.get('accept-encoding') ?? '')) return plain;
  headers.set('content-encoding', 'gzip');
  return new Response(gzip, { status: 200, headers });
}
