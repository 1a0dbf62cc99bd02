/** A built page: its files read once, and how they are sent. */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** A built file, ready to send. */
export interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Of a document: its inline styles, as a policy names them. */
  readonly styles: readonly string[];
}

/** A built page: its documents by path, and their files by name. Empty when it is not built. */
export interface Site {
  readonly documents: ReadonlyMap<string, Asset>;
  readonly assets: ReadonlyMap<string, Asset>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Names contain a hash of the content, so the content never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

/** In a built page, the folder of its documents' files. */
const ASSETS = 'assets';

/** Reads a built page once. A missing folder is a page that is not built. */
export function readSite(dist: string): Site {
  const documents = new Map(readFiles(dist));
  for (const { name } of entriesOf(dist).filter((each) => each.isDirectory())) {
    if (name === ASSETS) continue;
    for (const [file, asset] of readFiles(path.join(dist, name))) {
      documents.set(`${name}/${file}`, asset);
    }
  }
  return { documents, assets: readFiles(path.join(dist, ASSETS)) };
}

const entriesOf = (folder: string): fs.Dirent[] =>
  fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];

function readFiles(folder: string): Map<string, Asset> {
  const files = entriesOf(folder).filter((each) => each.isFile());
  return new Map(files.map(({ name }) => [name, readAsset(path.join(folder, name))]));
}

function readAsset(file: string): Asset {
  const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
  return makeAsset(type, fs.readFileSync(file));
}

export function makeAsset(type: string, content: Uint8Array): Asset {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  const bytes = new Uint8Array(content);
  const gzip = new Uint8Array(gzipSync(content, { level: 9 }));
  const styles = type === TYPES['.html'] ? hashStyles(bytes) : [];
  return { type, bytes, gzip, etag: `"${digest}"`, styles };
}

/** The content of each style element, as a policy names it. */
function hashStyles(html: Uint8Array): string[] {
  const [, ...parts] = new TextDecoder().decode(html).split('<style>');
  return parts.map((part) => {
    const style = part.slice(0, part.indexOf('</style>'));
    return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  });
}

/** What a policy must allow for the inline styles of a document. */
export const styleHashes = (site: Site, name: string): readonly string[] =>
  site.documents.get(name)?.styles ?? [];

/** Also for sandboxed frames: without an origin they fetch as strangers. */
export const SHARED_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // A worker script needs the policy of the page that starts it.
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const;

/** For files whose names identify their content. */
export const FILE_HEADERS = { ...SHARED_HEADERS, 'Cache-Control': FOR_EVER } as const;

/** Any file of a page. A file that is not in the map does not exist: paths never reach the disk. */
export function sendAsset(request: Request, site: Site | null, name: string): Response {
  const asset = site?.assets.get(name);
  if (asset === undefined) return notFound();
  return send(request, asset, FILE_HEADERS);
}

/** A document of a page, or the message that it is not built. */
export function sendDocument(
  request: Request,
  site: Site,
  name: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const document = site.documents.get(name);
  return document === undefined ? notBuilt() : send(request, document, headers);
}

export function send(
  request: Request,
  asset: Asset,
  headers: Readonly<Record<string, string>>,
): Response {
  const all: Record<string, string> = {
    ...SAFE_HEADERS,
    ...headers,
    ETag: asset.etag,
    Vary: 'Accept-Encoding',
  };
  if (request.headers.get('If-None-Match') === asset.etag) {
    return new Response(null, { status: 304, headers: all });
  }
  const isCompressed = /\bgzip\b/.test(request.headers.get('Accept-Encoding') ?? '');
  const body = isCompressed ? asset.gzip : asset.bytes;
  all['Content-Type'] = asset.type;
  all['Content-Length'] = String(body.byteLength);
  if (isCompressed) all['Content-Encoding'] = 'gzip';
  return new Response(request.method === 'HEAD' ? null : body, { headers: all });
}

/** A `Content-Security-Policy` that allows only what is named. */
export function policy(allowed: Readonly<Record<string, readonly string[]>>): string {
  const rules = { 'default-src': ["'none'"], 'base-uri': ["'none'"], 'form-action': ["'none'"] };
  return Object.entries({ ...rules, ...allowed })
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/** A window opened by another page is isolated from it: neither can navigate the other. */
export function pageHeaders(contentPolicy: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
  };
}

export function redirect(location: string): Response {
  return new Response(null, { status: 308, headers: { ...SAFE_HEADERS, Location: location } });
}

export function refuse(
  status: number,
  code: string,
  error: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify({ error }), {
    status,
    headers: {
      ...SAFE_HEADERS,
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Error-Code': code,
      ...headers,
    },
  });
}

export const notFound = (): Response => refuse(404, 'not_found', 'Not found');

export const methodNotAllowed = (allow = 'GET, HEAD'): Response =>
  refuse(405, 'method_not_allowed', 'Method not allowed', { Allow: allow });

export const notBuilt = (): Response =>
  refuse(503, 'pages_not_built', 'The pages have not been built: npm run build');
