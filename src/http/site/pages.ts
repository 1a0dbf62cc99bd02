/** The pages that the service serves: for players, for developers, and the development demo. */

import path from 'node:path';
import { isSlug } from '../../tenancy/slug.ts';
import { sendDashboard } from './dashboard-pages.ts';
import type { DemoBackend } from './demo.ts';
import { makeDemoPages } from './demo.ts';
import { makeGameFiles, type OwnGame } from './game-files.ts';
import { type SecurityContact, sendHome, sendIcon, sendSecurityTxt } from './home.ts';
import type { Site } from './site.ts';
import {
  methodNotAllowed,
  notFound,
  pageHeaders,
  policy,
  readSite,
  redirect,
  sendAsset,
  sendDocument,
  styleHashes,
} from './site.ts';

export interface PagesOptions {
  /** The folder that holds `web/`. */
  readonly root: string;
  /** The service's own address, e.g. `https://play.example.com`. */
  readonly publicUrl: string;
  /** Null in production: there is no demo. */
  readonly dev: DemoBackend | null;
  /** The contacts in `/.well-known/security.txt`. */
  readonly security: SecurityContact;
  /** The origins that may frame `/play/<tenant>/`, by the tenant's slug; none for an unknown one. */
  readonly tenantOrigins: (slug: string) => Promise<readonly string[]>;
  /** The operator's games in every loaded version; absent without operator's games. */
  readonly ownGames?: () => readonly OwnGame[];
}

/** Answers requests for pages; null for other paths. */
export type Pages = (request: Request) => Promise<Response> | Response | null;

/** Every page and its files. */
const PAGES_PATH =
  /^\/(?:play|docs|demo|dashboard)(?:\/|$)|^\/home\/assets\/|^\/(?:llms\.txt|favicon\.ico|\.well-known\/security\.txt)$/;
const INDEX = 'index.html';
const ICON_PATH = '/favicon.ico';
const SECURITY_PATH = '/.well-known/security.txt';
const TENANT_PATH = /^\/play\/([^/]+)\/?$/;
/** A guide: a file of docs/, with or without its extension. */
const GUIDE_PATH = /^\/docs\/((?:guides\/|games\/)?[\w-]+)(\.md)?$/;
const ASSET_PATH = /^\/(play|docs|demo|dashboard|home)\/assets\/([\w.-]+)$/;

export function makePages(options: PagesOptions): Pages {
  const play = readSite(path.join(options.root, 'web/play/dist'));
  const docs = readSite(path.join(options.root, 'web/docs/dist'));
  // The demo's files exist in development only.
  const demo = options.dev && readSite(path.join(options.root, 'web/demo/dist'));
  const sendDemo = options.dev && demo && makeDemoPages(demo, options.dev);
  const dashboard = readSite(path.join(options.root, 'web/dashboard/dist'));
  const home = readSite(path.join(options.root, 'web/home/dist'));
  const gameFiles = makeGameFiles(options.ownGames ?? (() => []));
  const sites: Sites = { play, docs, demo, dashboard, home };
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/') return sendHome(request, home, options.dev !== null);
    if (!PAGES_PATH.test(pathname)) return null;
    if (pathname.startsWith('/demo/api/')) return sendDemo?.(request, pathname) ?? notFound();
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed();
    const asset = ASSET_PATH.exec(pathname);
    if (asset !== null) return sendAsset(request, sites[asset[1] as keyof Sites], asset[2]!);
    if (pathname === ICON_PATH) return sendIcon(request, home);
    if (pathname === SECURITY_PATH) {
      return sendSecurityTxt(request, options.publicUrl, options.security);
    }
    if (pathname.startsWith('/dashboard')) return sendDashboard(request, pathname, dashboard);
    const ofGame = gameFiles(request, pathname);
    if (ofGame !== null) return ofGame;
    if (pathname.startsWith('/play')) return sendPlay(request, pathname, play, options);
    return pathname.startsWith('/docs') || pathname === '/llms.txt'
      ? sendDocs(request, pathname, docs)
      : (sendDemo?.(request, pathname) ?? notFound());
  };
}

/** By the first segment of their paths; null for none. */
type Sites = Readonly<Record<'play' | 'docs' | 'demo' | 'dashboard' | 'home', Site | null>>;

/** Rules W1 to W3. */
function sendPlay(
  request: Request,
  pathname: string,
  site: Site,
  { publicUrl, tenantOrigins }: PagesOptions,
): Promise<Response> | Response {
  // The browser carries the token over to the new address.
  if (pathname === '/play') return redirect('/play/');
  const sendFor = (origins: readonly string[]): Response =>
    sendDocument(request, site, INDEX, {
      ...pageHeaders(playPolicy(publicUrl, origins, styleHashes(site, INDEX))),
      // For cross-origin isolated hosts; the policy restricts who may frame it.
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
  if (pathname === '/play/') return sendFor([]);
  const slug = TENANT_PATH.exec(pathname)?.[1];
  if (slug === undefined || !isSlug(slug)) return notFound();
  if (!pathname.endsWith('/')) return redirect(`${pathname}/`);
  return tenantOrigins(slug).then(sendFor);
}

function sendDocs(request: Request, pathname: string, site: Site): Response {
  if (pathname === '/docs' || pathname === '/docs/guides') return redirect(`${pathname}/`);
  const name = documentName(pathname);
  if (name === null) return notFound();
  if (name !== INDEX && !site.documents.has(name)) {
    const bare = pathname.slice(0, -1);
    return pathname.endsWith('/') && isGuide(bare, site) ? redirect(bare) : notFound();
  }
  return sendDocument(request, site, name, pageHeaders(DOCS_POLICY));
}

/** The API reference, the guides, also as Markdown, and what the search knows of both; null for anything else. */
function documentName(pathname: string): string | null {
  if (pathname === '/llms.txt') return 'llms.txt';
  if (pathname === '/docs/search.json') return 'search.json';
  if (pathname.endsWith('/')) return `${pathname.slice('/docs/'.length)}${INDEX}`;
  const [, name, ending = '.html'] = GUIDE_PATH.exec(pathname) ?? [];
  return name === undefined ? null : `${name}${ending}`;
}

/** Is it a guide's address, without `.md`? */
function isGuide(pathname: string, site: Site): boolean {
  const [, name, ending] = GUIDE_PATH.exec(pathname) ?? [];
  return name !== undefined && ending === undefined && site.documents.has(`${name}.html`);
}

/** Only its own files, the styles in its document, and sockets to the service. */
function playPolicy(
  publicUrl: string,
  framers: readonly string[],
  styles: readonly string[],
): string {
  const socketOrigin = new URL(publicUrl).origin.replace(/^http/, 'ws');
  return policy({
    'script-src': ["'self'"],
    'style-src': ["'self'", ...styles],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", socketOrigin],
    'frame-ancestors': ["'self'", ...framers],
  });
}

/** Its own files, and the two documents that it renders. */
const DOCS_POLICY = policy({
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'frame-ancestors': ["'none'"],
});
