/** The pages the service hands out itself: for players, for developers, and the demo of development. */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { GameId } from '../games/game.ts';
import { findGame } from '../games/registry.ts';

/** Makes a match to try out. Both URLs open seats of it, in the order of seats. */
export interface DemoMint {
  mintDemo(game: GameId): Promise<{ readonly urls: readonly string[] }>;
}

export interface PagesOptions {
  /** The folder that holds `web/`. */
  readonly root: string;
  /** The service's own address, e.g. `https://play.example.com`. */
  readonly publicUrl: string;
  /** Null in production: there is no demo. */
  readonly dev: DemoMint | null;
  /**
   * The origins that may frame `/play/<tenant>/`; null for a tenant that does not exist. Without
   * it there are no such paths, and only the service itself may frame the page.
   */
  readonly tenantOrigins?: (tenant: string) => Promise<readonly string[] | null>;
}

/** Answers requests for pages; null for paths that are none. */
export type Pages = (request: Request) => Promise<Response> | Response | null;

/** A built file, ready to be sent. */
interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** A built page: its document and the files it asks for, by name. */
interface Site {
  /** Null when it has not been built. */
  readonly index: Asset | null;
  readonly assets: ReadonlyMap<string, Asset>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Names carry a hash of the content, so what a name stands for never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const TENANT_PATH = /^\/play\/([a-z0-9][a-z0-9_-]{0,63})\/?$/;
const DEMO_PATH = /^\/demo\/([a-z0-9-]+)\/?$/;
const ASSET_PATH = /^\/(play|docs|demo)\/assets\/([\w.-]+)$/;

export function makePages(options: PagesOptions): Pages {
  const play = readSite(path.join(options.root, 'web/play/dist'));
  const docs = readSite(path.join(options.root, 'web/docs/dist'));
  const demo = readSite(path.join(options.root, 'web/demo/dist'));
  // The demo's files exist in development only.
  const sites: Sites = { play, docs, demo: options.dev === null ? null : demo };
  return (request) => {
    const { pathname } = new URL(request.url);
    if (!/^\/(?:play|docs|demo)(?:\/|$)/.test(pathname)) return null;
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed();
    const asset = ASSET_PATH.exec(pathname);
    if (asset !== null) return sendAsset(request, sites[asset[1] as keyof Sites], asset[2]!);
    if (pathname.startsWith('/play')) return sendPlay(request, pathname, play, options);
    return pathname.startsWith('/docs')
      ? sendDocs(request, pathname, docs)
      : sendDemo(request, pathname, demo, options);
  };
}

/** By the first step of their paths; null where there is none. */
type Sites = Readonly<Record<'play' | 'docs' | 'demo', Site | null>>;

/** Reads a built page once. A folder that is not there is a page that is not built. */
function readSite(dist: string): Site {
  if (!fs.existsSync(path.join(dist, 'index.html'))) return { index: null, assets: new Map() };
  const folder = path.join(dist, 'assets');
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return {
    index: readAsset(path.join(dist, 'index.html')),
    assets: new Map(names.map((name) => [name, readAsset(path.join(folder, name))])),
  };
}

function readAsset(file: string): Asset {
  const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
  return makeAsset(type, fs.readFileSync(file));
}

function makeAsset(type: string, content: Uint8Array): Asset {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  const bytes = new Uint8Array(content);
  const gzip = new Uint8Array(gzipSync(content, { level: 9 }));
  return { type, bytes, gzip, etag: `"${digest}"` };
}

/** Any file of a page. What the map does not hold does not exist: paths never reach the disk. */
function sendAsset(request: Request, site: Site | null, name: string): Response {
  const asset = site?.assets.get(name);
  if (asset === undefined) return notFound();
  return send(request, asset, {
    'Cache-Control': FOR_EVER,
    // Frames in a sandbox without an origin of their own fetch scripts as strangers do.
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}

function sendPlay(
  request: Request,
  pathname: string,
  site: Site,
  options: PagesOptions,
): Promise<Response> | Response {
  // The browser carries the token over to the new address.
  if (pathname === '/play') return redirect('/play/');
  const sendFor = (origins: readonly string[]): Response =>
    site.index === null
      ? notBuilt()
      : send(request, site.index, pageHeaders(playPolicy(options.publicUrl, origins)));
  if (pathname === '/play/') return sendFor([]);
  const tenant = TENANT_PATH.exec(pathname)?.[1];
  if (tenant === undefined || options.tenantOrigins === undefined) return notFound();
  if (!pathname.endsWith('/')) return redirect(`${pathname}/`);
  return options
    .tenantOrigins(tenant)
    .then((origins) => (origins === null ? notFound() : sendFor(origins)));
}

function sendDocs(request: Request, pathname: string, site: Site): Response {
  if (pathname === '/docs') return redirect('/docs/');
  if (pathname !== '/docs/') return notFound();
  return site.index === null ? notBuilt() : send(request, site.index, pageHeaders(DOCS_POLICY));
}

async function sendDemo(
  request: Request,
  pathname: string,
  site: Site,
  { dev }: PagesOptions,
): Promise<Response> {
  const id = DEMO_PATH.exec(pathname)?.[1];
  const game = DEMOS.find((each) => each.id === id);
  if (dev === null || game === undefined || findGame(game.id) === null) return notFound();
  if (site.index === null) return notBuilt();
  // Asking for the head alone, or ahead of time, is no visit: it mints nothing.
  const isVisit = request.method === 'GET' && !isPrefetch(request);
  const { urls } = isVisit ? await dev.mintDemo(game.id) : { urls: [] };
  const html = fillDemo(new TextDecoder().decode(site.index.bytes), game, urls);
  const page = makeAsset(site.index.type, new TextEncoder().encode(html));
  return send(request, page, { ...pageHeaders(DEMO_POLICY), 'Cache-Control': 'no-store' });
}

function isPrefetch(request: Request): boolean {
  return /prefetch/.test(request.headers.get('Sec-Purpose') ?? '');
}

interface Demo {
  readonly id: GameId;
  readonly title: string;
}

/** All games by their titles; the demo has those whose engine is there. */
const DEMOS: readonly Demo[] = [
  { id: 'tictactoe', title: 'Tic-tac-toe' },
  { id: 'connect4', title: 'Connect four' },
  { id: 'checkers', title: 'Checkers' },
  { id: 'ludo', title: 'Ludo' },
  { id: 'pool', title: 'Pool' },
  { id: 'fight-arena', title: 'Fight arena' },
];

function fillDemo(template: string, game: Demo, urls: readonly string[]): string {
  const games = DEMOS.filter((each) => findGame(each.id) !== null).map(({ id, title }) => {
    const current = id === game.id ? ' aria-current="page"' : '';
    return `<a href="/demo/${id}"${current}>${escapeHtml(title)}</a>`;
  });
  const fill: Readonly<Record<string, string>> = {
    title: escapeHtml(game.title),
    path: `/demo/${game.id}`,
    games: games.join('\n'),
    seats: urls.map(makeSeat).join('\n'),
  };
  return template.replace(/\{\{(\w+)\}\}/g, (hole, name: string) => fill[name] ?? hole);
}

/** By path alone, so that the demo works under every name the service is reached by. */
function makeSeat(url: string, seat: number): string {
  const { pathname, search, hash } = new URL(url);
  const address = escapeHtml(pathname + search + hash);
  return (
    `<figure><figcaption><span>Seat ${seat + 1}</span>` +
    `<a href="${address}" target="_blank" rel="noopener">Open in its own tab</a></figcaption>` +
    `<iframe src="${address}" title="Seat ${seat + 1}" ` +
    'allow="autoplay; fullscreen; gamepad" referrerpolicy="no-referrer"></iframe></figure>'
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Only its own files, and sockets to the service. */
function playPolicy(publicUrl: string, framers: readonly string[]): string {
  const socketOrigin = new URL(publicUrl).origin.replace(/^http/, 'ws');
  return policy({
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", socketOrigin],
    'frame-ancestors': ["'self'", ...framers],
  });
}

/** Its own files, and the two documents that it draws. */
const DOCS_POLICY = policy({
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'frame-ancestors': ["'none'"],
});

const DEMO_POLICY = policy({
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'frame-src': ["'self'"],
  'frame-ancestors': ["'none'"],
});

function policy(allowed: Readonly<Record<string, readonly string[]>>): string {
  const rules = { 'default-src': ["'none'"], 'base-uri': ["'none'"], 'form-action': ["'none'"] };
  return Object.entries({ ...rules, ...allowed })
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

function pageHeaders(contentPolicy: string): Record<string, string> {
  return { 'Content-Security-Policy': contentPolicy, 'Cache-Control': 'no-cache' };
}

const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;

function send(request: Request, asset: Asset, headers: Record<string, string>): Response {
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

function redirect(location: string): Response {
  return new Response(null, { status: 308, headers: { ...SAFE_HEADERS, Location: location } });
}

function refuse(
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

const notFound = (): Response => refuse(404, 'not_found', 'Not found');

const methodNotAllowed = (): Response =>
  refuse(405, 'method_not_allowed', 'Method not allowed', { Allow: 'GET, HEAD' });

const notBuilt = (): Response =>
  refuse(503, 'pages_not_built', 'The pages have not been built: npm run build');
