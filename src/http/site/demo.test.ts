/** The demo's pages, and which callers its backend answers, over a generated build. */

import { afterAll, describe, expect, test } from 'bun:test';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeManualClock } from '../../testing/manual-clock.ts';
import type { DemoBackend } from './demo.ts';
import { makePages } from './pages.ts';

const HOST = 'http://localhost:4000';
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'matchd-demo-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const dist = path.join(root, 'web/demo/dist');
fs.mkdirSync(path.join(dist, 'assets'), { recursive: true });
fs.writeFileSync(path.join(dist, 'index.html'), '<title>app</title>');
fs.writeFileSync(
  path.join(dist, 'seats.html'),
  '<title>{{title}}</title>{{games}}{{path}}{{seats}}',
);
fs.writeFileSync(path.join(dist, 'assets/demo-3c4d.css'), 'a{}');

const opened: string[] = [];
const asked: unknown[] = [];
const dev: DemoBackend = {
  openSeats(game) {
    opened.push(game);
    const url = (seat: number) => `https://elsewhere.example/play/demo/#token=a&b'${seat}`;
    return Promise.resolve([url(0), url(1)]);
  },
  answer(name, body) {
    asked.push([name, body]);
    return Promise.resolve(name === 'matches' ? { status: 409, body: { error: 'full' } } : null);
  },
};
const security = { contacts: [], clock: makeManualClock() };
const tenantOrigins = () => Promise.resolve([]);
const open = (own: DemoBackend | null, folder = root) =>
  makePages({ root: folder, publicUrl: HOST, dev: own, security, tenantOrigins });
const inDevelopment = open(dev);

async function get(path: string, init: RequestInit = {}, of = inDevelopment): Promise<Response> {
  const response = await of(new Request(HOST + path, init));
  if (response === null) throw new Error(`${path} is no page`);
  return response;
}

describe('the seats of a match', () => {
  test('[H10] are issued at each visit and shown, by path and escaped', async () => {
    opened.length = 0;
    const response = await get('/demo/tictactoe');
    const html = await response.text();
    await get('/demo/fight-arena');
    expect(opened).toEqual(['tictactoe', 'fight-arena']);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Security-Policy')).toContain("frame-src 'self'");
    expect(html).toContain('<title>Tic-tac-toe</title>');
    expect(html).toContain('<iframe src="/play/demo/#token=a&#38;b&#39;0"');
    expect(html).toContain('<iframe src="/play/demo/#token=a&#38;b&#39;1"');
    expect(html).not.toContain('elsewhere');
    expect(html).not.toContain('{{');
  });

  test('[H10] a prefetch is not a visit', async () => {
    opened.length = 0;
    await get('/demo/tictactoe', { method: 'HEAD' });
    await get('/demo/tictactoe', { headers: { 'Sec-Purpose': 'prefetch' } });
    expect(opened).toEqual([]);
  });

  test('[H10] the demo does not exist in production, nor for an unknown game', async () => {
    const paths = ['/demo/', '/demo', '/demo/tictactoe', '/demo/assets/demo-3c4d.css'];
    for (const each of paths) expect((await get(each, {}, open(null))).status).toBe(404);
    const call = { method: 'POST', headers: { Origin: HOST }, body: '{}' };
    expect((await get('/demo/api/matches', call, open(null))).status).toBe(404);
    for (const each of ['/demo/chess', '/demo/toString', '/demo/tictactoe/x', '/demo/api']) {
      expect([each, (await get(each)).status]).toEqual([each, 404]);
    }
    expect((await get('/demo/assets/demo-3c4d.css')).status).toBe(200);
  });

  test('[H10] an address without a game is a page with links, and issues no tokens', async () => {
    opened.length = 0;
    for (const each of ['/demo/chess', '/demo/toString', '/demo/tictactoe/x']) {
      const response = await get(each);
      expect([each, response.status]).toEqual([each, 404]);
      expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      const html = await response.text();
      expect(html).toContain('<title>No such game</title>');
      expect(html).toContain('<a href="/demo/ludo">Ludo</a>');
      expect(html).not.toContain('{{');
    }
    expect(opened).toEqual([]);
  });

  test('[H10] a missing build is reported', async () => {
    const unbuilt = open(dev, path.join(root, 'empty'));
    opened.length = 0;
    for (const each of ['/demo/', '/demo/tictactoe', '/demo/chess']) {
      expect((await get(each, {}, unbuilt)).status).toBe(503);
    }
    expect(opened).toEqual([]);
  });
});

describe('the demo’s app', () => {
  test('[H10] is one page that cannot be framed; /demo leads to it', async () => {
    const moved = await get('/demo');
    expect([moved.status, moved.headers.get('Location')]).toEqual([308, '/demo/']);
    const page = await get('/demo/');
    expect(await page.text()).toContain('<title>app</title>');
    const policy = page.headers.get('Content-Security-Policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  test('[H10] its backend answers its own page only, and only known calls', async () => {
    asked.length = 0;
    const ask = async (init: RequestInit, name = 'matches'): Promise<unknown> => {
      const { status } = await get(`/demo/api/${name}`, init);
      return status;
    };
    const body = '{"game":"ludo"}';
    const own = { Origin: HOST };
    for (const Origin of ['https://evil.example', 'null', 'http://localhost:4001', 'x']) {
      expect([Origin, await ask({ method: 'POST', headers: { Origin }, body })]).toEqual([
        Origin,
        403,
      ]);
    }
    expect(await ask({ method: 'POST', body })).toBe(403);
    expect(await ask({ method: 'GET', headers: own })).toBe(405);
    expect(await ask({ method: 'POST', headers: own, body: '{' })).toBe(400);
    expect(asked).toEqual([]);
    expect(await ask({ method: 'POST', headers: own, body })).toBe(409);
    expect(await ask({ method: 'POST', headers: own, body }, 'keys')).toBe(404);
    expect(asked).toEqual([
      ['matches', { game: 'ludo' }],
      ['keys', { game: 'ludo' }],
    ]);
  });
});
