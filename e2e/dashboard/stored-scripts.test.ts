/** Markup in every text that can be stored: no page of the real server turns it into elements. */

import { beforeAll, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { DASHBOARD_API } from '../../src/contract/routes/dashboard-routes.ts';
import { openSocket } from '../../src/testing/sockets/socket-client.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { call } from '../parts/matches.ts';
import { openDashboard } from './dashboard-post.ts';
import { fillIn, OWNER, type Visit, visit } from './dashboard-visit.ts';

const TEST_MS_MAX = 120_000;
/** Time for tables to fill and frames to be drawn. Milliseconds. */
const REST_MS = 400;

/** Each creates an element that `intruders` finds, if a page inserts texts as markup. */
const MARKUP = {
  image: '"><img data-x src=x onerror=intruded=1>',
  frame: `'><iframe data-x src=javascript:intruded=1>`,
  drawing: '</script><svg data-x onload=intruded=1>',
  link: '<a data-x href=javascript:intruded=1>x</a>',
} as const;

/** The address of an invitation. */
const GUEST = '<img/data-x/src=x>@example.test';

const ANN = MARKUP.image;
const BOB = MARKUP.drawing;

const world = useBrowserWorld('stored markup');
const { inBrowser } = world;

let owner: Visit;
let ended: Session;
let running: Session;
/** The invitation link of a guest. */
let invitation: string;

interface Session {
  readonly sessionId: string;
  readonly playUrls: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<string, string>>;
}

beforeAll(async () => {
  // There is no server either when the browser is missing.
  if (world.browser === undefined) return;
  owner = await makeOwner();
  await storeMarkup();
  await storeByDashboard();
}, TEST_MS_MAX);

/** Creates the first account, with markup as its name and as the browser's name. */
async function makeOwner(): Promise<Visit> {
  const { url, setupUrl } = world.server;
  const made = await visit(world.browser, url, { userAgent: `Mozilla/5.0 ${MARKUP.image}` });
  await made.page.goto(setupUrl!);
  const fields = { 'E-mail address': OWNER.email, 'Your name': MARKUP.frame };
  await fillIn(made.page, { ...fields, Password: OWNER.password }, 'Create account');
  await made.page.getByRole('heading', { name: 'Overview' }).waitFor();
  return made;
}

/** Everything that a backend and its players can store in test mode. */
async function storeMarkup(): Promise<void> {
  ended = await makeSession();
  running = await makeSession();
  for (const { tokens } of [ended, running]) await addEntropy(tokens);
  await post(`/v1/sessions/${ended.sessionId}/end`, { reason: MARKUP.image });
  for (const kind of ['builtin', 'external']) {
    const texts = { name: MARKUP.image, displayName: MARKUP.drawing };
    await post('/v1/bots', {
      game: 'tictactoe',
      kind,
      ...texts,
      playerId: `${kind} ${MARKUP.link}`,
    });
  }
  const description = MARKUP.frame;
  await post('/v1/webhooks', {
    url: `${world.server.url}/?<svg/data-x/onload=intruded=1>`,
    description,
  });
  await post(`/v1/players/${encodeURIComponent(MARKUP.link)}/token`, { displayName: MARKUP.frame });
  const lobby = (await post(`/v1/players/${encodeURIComponent(ANN)}/token`, {})) as {
    token: string;
  };
  const socket = await openSocket(Number(new URL(world.server.url).port), lobby);
  await socket.next('welcome');
  const { ticketId } = (await post('/matchmaking/hosted/ticket?game=tictactoe')) as {
    ticketId: string;
  };
  await post(`/matchmaking/hosted/ticket/${ticketId}/players?game=tictactoe`, { playerId: ANN });
  await socket.close();
  // Rejected requests are stored in the request log.
  await ask('POST', '/v1/sessions', { game: MARKUP.image });
  await ask('GET', `/v1/sessions/${encodeURIComponent(MARKUP.image)}`);
  await ask('GET', `/v1/${encodeURIComponent(MARKUP.image)}`);
}

async function makeSession(): Promise<Session> {
  const players = [
    { id: ANN, displayName: MARKUP.image },
    { id: BOB, displayName: MARKUP.link },
  ];
  const metadata = { [MARKUP.image.slice(0, 40)]: MARKUP.image, table: MARKUP.drawing };
  return (await post('/v1/sessions', { game: 'tictactoe', players, metadata })) as Session;
}

/** Both players connect, each with entropy, so that the session starts. */
async function addEntropy(tokens: Session['tokens']): Promise<void> {
  const port = Number(new URL(world.server.url).port);
  const sockets = [];
  for (const id of [ANN, BOB]) {
    const socket = await openSocket(port, { token: tokens[id]! });
    const { s } = await socket.next('state');
    socket.send({ t: 'entropy', s, value: MARKUP.image });
    await socket.settle();
    sockets.push(socket);
  }
  for (const socket of sockets) await socket.close();
}

/** Everything that a member can store: keys, invitations, tenants. */
async function storeByDashboard(): Promise<void> {
  const member = openDashboard(world.server.url);
  await member.ask('/login', { email: OWNER.email, password: OWNER.password });
  await member.ask('/t/demo/test/keys', { name: MARKUP.image });
  await member.ask('/t/demo/live/keys', { name: MARKUP.drawing });
  await member.ask('/operator/tenants', { name: MARKUP.image, plan: 'starter' });
  const made = await member.ask('/t/demo/invitations', { email: GUEST, role: 'support' });
  invitation = String(made['url']);
}

async function ask(method: string, path: string, body?: object): Promise<Response> {
  return fetch(world.server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${world.server.testKey}`,
      'content-type': 'application/json',
      'user-agent': MARKUP.image,
      'x-request-id': MARKUP.image,
    },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
}

const post = (path: string, body: object = {}) => call(world.server, 'POST', path, body);

/** Markup that has become part of a page or of its frames; empty if none. */
async function intruders(page: Page): Promise<readonly string[]> {
  await page.waitForTimeout(REST_MS);
  const found = await Promise.all(
    page.frames().map((frame) =>
      frame.evaluate(() => {
        const marked =
          '[data-x], [onerror], [onload], [href^="javascript:" i], [src^="javascript:" i]';
        const elements = [...document.querySelectorAll(marked)].map((each) => each.outerHTML);
        return 'intruded' in window ? [...elements, 'a script ran'] : elements;
      }),
    ),
  );
  return found.flat();
}

async function pageText(page: Page): Promise<string> {
  const texts = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => document.body.innerText)),
  );
  return texts.join('\n');
}

/** The dashboard's pages, each with a text with markup that it shows, if any. */
const DASHBOARD_PAGES: readonly (readonly [path: string, shows: string | null])[] = [
  ['t/demo/test/overview', null],
  ['t/demo/test/sessions', ANN],
  ['t/demo/test/board', ANN],
  ['t/demo/test/players', MARKUP.frame],
  ['t/demo/test/bots', MARKUP.image],
  ['t/demo/test/integrity', null],
  ['t/demo/test/webhooks', MARKUP.frame],
  ['t/demo/test/requests', null],
  ['t/demo/test/usage', null],
  ['t/demo/test/keys', MARKUP.image],
  ['t/demo/live/keys', MARKUP.drawing],
  ['t/demo/test/explorer', null],
  ['t/demo/test/audit', null],
  ['t/demo/test/team', GUEST],
  ['account', MARKUP.frame],
  ['installation', MARKUP.image],
];

inBrowser(
  '[D10] the search finds injected markup',
  async () => {
    const page = await owner.context.newPage();
    for (const text of Object.values(MARKUP)) {
      await page.setContent(`<p title="${text}">${text}</p>`);
      expect([text, (await intruders(page)).length > 0]).toEqual([text, true]);
    }
    await page.close();
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D10] stored markup is text on every page of the dashboard',
  async () => {
    const { page, complaints } = owner;
    const sessions = [ended, running].map(({ sessionId }) => `t/demo/test/sessions/${sessionId}`);
    const pages = [...DASHBOARD_PAGES, ...sessions.map((path) => [path, ANN] as const)];
    for (const [path, shows] of pages) {
      await owner.to(path);
      expect([path, await intruders(page)]).toEqual([path, []]);
      if (shows !== null)
        expect([path, await pageText(page)]).toEqual([path, expect.stringContaining(shows)]);
    }
    expect(complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D11] stored markup is text in the dialogs of a session’s page and in search results',
  async () => {
    const { page, complaints } = owner;
    await owner.to(`t/demo/test/sessions/${ended.sessionId}`);
    for (const button of ['Verify']) {
      await page.getByRole('button', { name: button }).click();
      expect([button, await intruders(page)]).toEqual([button, []]);
    }
    await owner.to('t/demo/test/players');
    await page.getByRole('searchbox').or(page.getByRole('textbox')).first().fill(ANN);
    await page.keyboard.press('Enter');
    expect(await intruders(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D10] markup in an address is shown as text or not at all, on every page',
  async () => {
    const { url } = world.server;
    const { page, complaints } = owner;
    const markup = encodeURIComponent(MARKUP.image);
    const paths = ['t/demo/test/', 't/demo/', 't/', '', 't/demo/test/sessions/', 'link#', 'login?'];
    const addresses = [
      ...paths.map((path) => `${url}/dashboard/${path}${markup}`),
      `${url}/${markup}`,
      `${url}/?${markup}`,
      `${url}/docs/${markup}`,
      `${url}/docs?${markup}#${markup}`,
      `${url}/play/${markup}/`,
      `${url}/play/demo/?${markup}#token=${markup}&theme=${markup}&lang=${markup}&palette=${markup}`,
      `${url}/demo/?${markup}#${markup}`,
    ];
    for (const address of addresses) {
      await page.goto(address);
      expect([address, await intruders(page)]).toEqual([address, []]);
    }
    expect(complaints).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[W3] stored markup is text on the page of a match: for its players, for a watcher, and at the end',
  async () => {
    const { url } = world.server;
    const { playUrl } = (await post(`/v1/sessions/${running.sessionId}/watch`)) as {
      playUrl: string;
    };
    const pages: Visit[] = [];
    for (const address of [running.playUrls[ANN]!, running.playUrls[BOB]!, playUrl]) {
      const seat = await visit(world.browser, url);
      await seat.page.goto(address);
      await seat.page.locator('[role=gridcell]').first().waitFor();
      expect(await intruders(seat.page)).toEqual([]);
      pages.push(seat);
    }
    const shown = await pageText(pages[0]!.page);
    expect(shown).toContain(MARKUP.link);
    await post(`/v1/sessions/${running.sessionId}/end`);
    for (const { page, complaints, context } of pages) {
      await page.locator('.status[data-tone=done]').waitFor();
      expect([await intruders(page), complaints]).toEqual([[], []]);
      await context.close();
    }
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D9] no cell of the exported usage starts like a formula',
  async () => {
    const today = new Date().toISOString().slice(0, 10);
    const text = await owner.page.evaluate(
      async (path) => (await fetch(path)).text(),
      `${DASHBOARD_API}/t/demo/test/usage.csv?from=${today}&to=${today}`,
    );
    const cells = text.split(/\r?\n/).flatMap((line) => line.split(','));
    expect(cells.length).toBeGreaterThan(6);
    expect(cells.filter((cell) => /^[=+\-@\t"]/.test(cell))).toEqual([]);
  },
  TEST_MS_MAX,
);

inBrowser(
  '[D10] stored markup is text on the page of an invitation',
  async () => {
    const guest = await visit(world.browser, world.server.url);
    await guest.page.goto(invitation);
    await guest.page.getByText(GUEST).waitFor();
    expect([await intruders(guest.page), guest.complaints]).toEqual([[], []]);
    await guest.context.close();
  },
  TEST_MS_MAX,
);
