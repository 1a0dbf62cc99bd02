/** The files of an operator's games: the index for browsers, and how the files are sent. */

import { describe, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import type { GameManifest } from '../../contract/game-manifest.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { loadedGame } from '../../testing/service/loaded-games.ts';
import type { OwnGame } from './game-files.ts';
import { makePages } from './pages.ts';

const HOST = 'https://play.example';
const GAME = { id: 'pig', rulesVersion: 2, drawOffers: true };
const BOARD = 'export const makeBoard = () => {};';

const older = loadedGame({
  game: { ...GAME, rulesVersion: 1, drawOffers: false },
  isCurrent: false,
  browserRules: 'export const game = 1;',
  hash: 'a'.repeat(64),
});
const current = loadedGame({
  game: GAME,
  browserRules: 'export const game = 2;',
  browserBoard: BOARD,
  hash: 'b'.repeat(64),
  strings: { en: { name: 'Pig' }, de: { name: 'Schwein' } },
});
const ticking = loadedGame({
  game: {
    id: 'pong',
    rulesVersion: 1,
    drawOffers: false,
    ticks: { ticksPerSecond: 30, maskMax: 3 } as never,
  },
});

function openPages(loaded: () => readonly OwnGame[]) {
  const security = { contacts: [], clock: makeManualClock() };
  const tenantOrigins = () => Promise.resolve([]);
  const options = { root: '/nowhere', publicUrl: HOST, dev: null, security, tenantOrigins };
  const pages = makePages({ ...options, ownGames: loaded });
  return async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await pages(new Request(HOST + path, init));
    if (response === null) throw new Error(`${path} is no page`);
    return response;
  };
}
const get = openPages(() => [older, current, ticking]);

const manifestOf = async (id: string, from = get): Promise<GameManifest> =>
  (await (await from(`/play/games/${id}.json`)).json()) as GameManifest;

describe('the index of a game', () => {
  test('[W7] has its rules in every version, its board, its texts, and whether draws are offered', async () => {
    const manifest = await manifestOf('pig');
    expect(manifest).toEqual({
      id: 'pig',
      drawOffers: true,
      ticks: null,
      board: expect.stringMatching(/^\/play\/games\/pig\/[\w-]{22}\/board\.js$/),
      rules: [
        { version: 1, hash: 'a'.repeat(64), path: expect.stringMatching(/\/rules\.js$/) },
        { version: 2, hash: 'b'.repeat(64), path: expect.stringMatching(/\/rules\.js$/) },
      ],
      strings: { en: { name: 'Pig' }, de: { name: 'Schwein' } },
    });
    const pong = await manifestOf('pong');
    expect([pong.board, pong.strings, pong.ticks]).toEqual([
      null,
      {},
      { ticksPerSecond: 30, maskMax: 3 },
    ]);
  });

  test('[W7] is requested each time, and not sent again if unchanged', async () => {
    const response = await get('/play/games/pig.json');
    const { headers } = response;
    expect(headers.get('Cache-Control')).toBe('no-cache');
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    const known = { 'If-None-Match': headers.get('ETag')! };
    expect((await get('/play/games/pig.json', { headers: known })).status).toBe(304);
  });

  test('[W7] follows the games loaded while the service runs', async () => {
    let loaded: readonly OwnGame[] = [older];
    const from = openPages(() => loaded);
    const before = await manifestOf('pig', from);
    expect([before.board, before.rules.length]).toEqual([null, 1]);
    loaded = [older, current];
    const after = await manifestOf('pig', from);
    expect(after.rules.map(({ version }) => version)).toEqual([1, 2]);
    expect((await from(before.rules[0]!.path)).status).toBe(200);
    loaded = [current];
    expect((await from(before.rules[0]!.path)).status).toBe(404);
  });
});

describe('a file of a game', () => {
  test('[W3][W7] is a script that never changes, for frames in a sandbox too, and nothing else', async () => {
    const { board, rules } = await manifestOf('pig');
    for (const [path, text] of [
      [board!, BOARD],
      [rules[0]!.path, 'export const game = 1;'],
      [rules[1]!.path, 'export const game = 2;'],
    ] as const) {
      const response = await get(path);
      expect([response.status, await response.text()]).toEqual([200, text]);
      const { headers } = response;
      expect(headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
      expect(headers.get('Cross-Origin-Embedder-Policy')).toBe('require-corp');
    }
    const small = await get(board!, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(gunzipSync(new Uint8Array(await small.arrayBuffer())).toString()).toBe(BOARD);
  });

  test('[W7] has a name that identifies its content: another content has another', async () => {
    const other = { ...current, browserBoard: `${BOARD}//` };
    const from = openPages(() => [other]);
    const [before, after] = [
      (await manifestOf('pig')).board!,
      (await manifestOf('pig', from)).board!,
    ];
    expect(after).not.toBe(before);
    expect([(await from(after)).status, (await from(before)).status]).toEqual([200, 404]);
  });

  test('[W7] exists for loaded games only, by no other path and method', async () => {
    const { board, rules } = await manifestOf('pig');
    const digest = board!.split('/')[4]!;
    const paths = [
      '/play/games/other.json',
      '/play/games/toString.json',
      '/play/games/__proto__.json',
      '/play/games/pig',
      '/play/games/pig.js',
      `/play/games/pig/${'0'.repeat(22)}/rules.js`,
      `/play/games/pig/${digest}/rules.js`,
      `/play/games/pig/${digest}/bot.js`,
      `/play/games/pong/${digest}/board.js`,
      `/play/games/pig/${digest}/board.js/`,
      `/play/games/pig/..%2fpig/board.js`,
      rules[0]!.path.replace('rules', 'board'),
    ];
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await get(board!, { method: 'POST' })).status).toBe(405);
    const head = await get(board!, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const none = openPages(() => []);
    expect((await none('/play/games/pig.json')).status).toBe(404);
  });
});
