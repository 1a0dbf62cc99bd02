/** The development demo: a tenant's app as a page, and all seats of a match side by side. */

import type { GameId } from '../../../game/src/game.ts';
import type { Site } from './site.ts';
import {
  makeAsset,
  methodNotAllowed,
  notBuilt,
  notFound,
  pageHeaders,
  policy,
  redirect,
  refuse,
  send,
  sendDocument,
} from './site.ts';

/** What the demo's tenant does as a backend, with a key. */
export interface DemoBackend {
  /** The operator's games, listed after the shipped ones. */
  ownGames?(): readonly DemoTitle[];
  /** A new match to try out: the URLs of its seats, in order. */
  openSeats(game: GameId): Promise<readonly string[]>;
  /** A call of the app's page to its backend, by name; null for an unknown one. */
  answer(name: string, body: DemoBody): Promise<DemoAnswer | null>;
}

/** The fields of a page's request, unchecked. */
export type DemoBody = Readonly<Record<string, unknown>>;
export interface DemoAnswer {
  readonly status: number;
  readonly body: object;
}

export interface DemoTitle {
  readonly id: GameId;
  /** Its display name. */
  readonly title: string;
}

/** A game to choose. */
export interface DemoGame {
  readonly game: GameId;
  /** The display name of an operator's game. */
  readonly title?: string;
  /** Its rule sets, the default first, and each one's number of players. */
  readonly variants: readonly {
    readonly name: string;
    readonly seats: { readonly min: number; readonly max: number };
  }[];
}

/** A seat that another player takes by its link. */
export interface DemoSeat {
  readonly player: string;
  readonly name: string;
  readonly playUrl: string;
}

/** A created match: the seat of the app's own user, and those of the others. */
export interface DemoMatch {
  readonly session: string;
  readonly player: string;
  readonly playUrl: string;
  /** Empty against bots. */
  readonly others: readonly DemoSeat[];
}

const DEMO_PATH = /^\/demo\/([a-z0-9-]+)\/?$/;
const API_PATH = /^\/demo\/api\/([a-z]+)$/;

/** Answers requests below `/demo`. */
export function makeDemoPages(
  site: Site,
  backend: DemoBackend,
): (request: Request, pathname: string) => Promise<Response> | Response {
  return (request, pathname) => {
    if (pathname === '/demo') return redirect('/demo/');
    if (pathname === '/demo/') {
      return sendDocument(request, site, 'index.html', pageHeaders(APP_POLICY));
    }
    const call = API_PATH.exec(pathname)?.[1];
    if (call !== undefined) return answerApp(request, call, backend);
    const id = DEMO_PATH.exec(pathname)?.[1];
    const game = gamesOf(backend).find((each) => each.id === id);
    return game === undefined
      ? sendNoGame(request, site, backend)
      : sendSeats(request, game, site, backend);
  };
}

/** Only the app's own page may call: any other site in the browser could, too. */
async function answerApp(request: Request, name: string, backend: DemoBackend): Promise<Response> {
  if (request.method !== 'POST') return methodNotAllowed('POST');
  const origin = URL.parse(request.headers.get('Origin') ?? '');
  if (origin?.host !== new URL(request.url).host) {
    return refuse(403, 'origin_not_allowed', 'Only the demo’s own page may ask');
  }
  const body: unknown = await request.json().catch(() => null);
  if (typeof body !== 'object' || body === null) {
    return refuse(400, 'invalid_json', 'Request body must be an object');
  }
  const answer = await backend.answer(name, body as DemoBody);
  if (answer === null) return notFound();
  return Response.json(answer.body, {
    status: answer.status,
    headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  });
}

async function sendSeats(
  request: Request,
  game: DemoTitle,
  site: Site,
  backend: DemoBackend,
): Promise<Response> {
  if (!site.documents.has('seats.html')) return notBuilt();
  // HEAD and prefetch are not visits: they issue no tokens.
  const isVisit = request.method === 'GET' && !isPrefetch(request);
  const urls = isVisit ? await backend.openSeats(game.id) : [];
  return sendFilled(request, site, {
    title: escapeHtml(game.title),
    intro:
      'A fresh test match, its seats on one page. Each seat is the very page your players get.',
    path: `/demo/${game.id}`,
    again: 'New match',
    games: linksTo(gamesOf(backend), game.id),
    seats: urls.map(makeSeat).join('\n'),
  });
}

/** A typed address or an old link: a page that leads on, for both. */
function sendNoGame(request: Request, site: Site, backend: DemoBackend): Response {
  const page = sendFilled(request, site, {
    title: 'No such game',
    intro: 'The demo has no game at this address. Choose one of these.',
    path: '/demo/',
    again: 'All of the demo',
    games: linksTo(gamesOf(backend), null),
    seats: '',
  });
  return page.ok ? new Response(page.body, { status: 404, headers: page.headers }) : page;
}

function sendFilled(
  request: Request,
  site: Site,
  fill: Readonly<Record<string, string>>,
): Response {
  const template = site.documents.get('seats.html');
  if (template === undefined) return notBuilt();
  const text = new TextDecoder().decode(template.bytes);
  const html = text.replace(/\{\{(\w+)\}\}/g, (hole, name: string) => fill[name] ?? hole);
  const page = makeAsset(template.type, new TextEncoder().encode(html));
  return send(request, page, { ...pageHeaders(SEATS_POLICY), 'Cache-Control': 'no-store' });
}

function isPrefetch(request: Request): boolean {
  return /prefetch/.test(request.headers.get('Sec-Purpose') ?? '');
}

/** The shipped games. */
const SHIPPED: readonly DemoTitle[] = [
  { id: 'tictactoe', title: 'Tic-tac-toe' },
  { id: 'connect4', title: 'Connect four' },
  { id: 'checkers', title: 'Checkers' },
  { id: 'ludo', title: 'Ludo' },
  { id: 'pool', title: 'Pool' },
  { id: 'fight-arena', title: 'Fight arena' },
];

function gamesOf({ ownGames }: DemoBackend): readonly DemoTitle[] {
  return [...SHIPPED, ...(ownGames?.() ?? [])];
}

function linksTo(all: readonly DemoTitle[], shown: GameId | null): string {
  const links = all.map(({ id, title }) => {
    const current = id === shown ? ' aria-current="page"' : '';
    return `<a href="/demo/${id}"${current}>${escapeHtml(title)}</a>`;
  });
  return links.join('\n');
}

/** By path only, so that the demo works under every name of the service. */
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

/** Its own files, its backend, and the service's matches. */
const APP_POLICY = policy({
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'frame-src': ["'self'"],
  'frame-ancestors': ["'none'"],
});

const SEATS_POLICY = policy({
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'frame-src': ["'self'"],
  'frame-ancestors': ["'none'"],
});
