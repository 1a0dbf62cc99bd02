/** Tests of the pages the service hands out, over a built page made by hand. */

import { afterAll, describe, expect, test } from 'bun:test';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Pages, PagesOptions } from './pages.ts';
import { makePages } from './pages.ts';

const HOST = 'http://localhost:4000';
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'matchd-pages-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  const full = path.join(root, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
}
write('web/play/dist/index.html', '<!doctype html><title>play</title>');
write('web/play/dist/assets/main-1a2b.js', 'export const a = 1;');
write('web/docs/dist/index.html', '<!doctype html><title>docs</title>');
write('web/docs/dist/assets/main-5e6f.js', 'export const b = 1;');
write('web/demo/dist/index.html', '<title>{{title}}</title>{{games}}{{path}}{{seats}}');
write('web/demo/dist/assets/demo-3c4d.css', 'a{}');
write('web/secret.txt', 'secret');

const minted: string[] = [];
const dev: PagesOptions['dev'] = {
  mintDemo(game) {
    minted.push(game);
    const url = (seat: number) => `https://elsewhere.example/play/#token=a&b'${seat}`;
    return Promise.resolve({ urls: [url(0), url(1)] });
  },
};
const tenantOrigins = (tenant: string): Promise<readonly string[] | null> =>
  Promise.resolve(tenant === 'acme' ? ['https://acme.example'] : null);

const inDevelopment = makePages({ root, publicUrl: HOST, dev, tenantOrigins });
const inProduction = makePages({ root, publicUrl: 'https://play.example', dev: null });

async function get(pages: Pages, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await pages(new Request(HOST + path, init));
  if (response === null) throw new Error(`${path} is no page`);
  return response;
}

describe('the description of the interface', () => {
  test('[H10] is served without a key, loads nothing from elsewhere and is framed by nobody', async () => {
    const response = await get(inProduction, '/docs/');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>docs</title>');
    expect(response.headers.get('Content-Security-Policy')!.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
  });

  test('[H10] /docs leads to it, its files are there, and nothing else is', async () => {
    const moved = await get(inProduction, '/docs');
    expect([moved.status, moved.headers.get('Location')]).toEqual([308, '/docs/']);
    const script = await get(inProduction, '/docs/assets/main-5e6f.js');
    expect([script.status, await script.text()]).toEqual([200, 'export const b = 1;']);
    for (const path of ['/docs/x', '/docs/assets/main-1a2b.js', '/docs/assets/..%2findex.html']) {
      expect([path, (await get(inProduction, path)).status]).toEqual([path, 404]);
    }
    expect((await get(inProduction, '/docs/', { method: 'POST' })).status).toBe(405);
  });
});

describe('the players’ page', () => {
  test('[H10] is served without a key, with a strict policy and never stale', async () => {
    const response = await get(inProduction, '/play/');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
    const policy = response.headers.get('Content-Security-Policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self' wss://play.example;");
    expect(policy).toEndWith("frame-ancestors 'self'");
    expect(await response.text()).toContain('<title>play</title>');
  });

  test('[H10] is not sent again to a browser that has it', async () => {
    const etag = (await get(inProduction, '/play/')).headers.get('ETag')!;
    const again = await get(inProduction, '/play/', { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  test('[H10] its files are kept for ever, compressed for those who can read that', async () => {
    const plain = await get(inProduction, '/play/assets/main-1a2b.js');
    expect(plain.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(await plain.text()).toBe('export const a = 1;');
    const headers = { 'Accept-Encoding': 'gzip, br' };
    const small = await get(inProduction, '/play/assets/main-1a2b.js', { headers });
    expect(small.headers.get('Content-Encoding')).toBe('gzip');
    const bytes = new Uint8Array(await small.arrayBuffer());
    expect(gunzipSync(bytes).toString()).toBe('export const a = 1;');
  });

  test('[H10] HEAD answers without a body, other methods are refused', async () => {
    const head = await get(inProduction, '/play/', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const post = await get(inProduction, '/play/', { method: 'POST' });
    expect(post.status).toBe(405);
    expect(post.headers.get('Allow')).toBe('GET, HEAD');
    expect(await post.json()).toEqual({ error: 'Method not allowed' });
  });

  test('[H10] no path leads out of the page', async () => {
    const paths = [
      '/play/assets/../index.html',
      '/play/assets/..%2findex.html',
      '/play/assets/%2e%2e/%2e%2e/secret.txt',
      '/play/assets/..%5c..%5csecret.txt',
      '/play/assets/',
      '/play/assets/toString',
      '/play/assets/__proto__',
      '/play/..;/web/secret.txt',
      '/play//assets/main-1a2b.js',
    ];
    for (const each of paths) {
      const response = await inProduction(new Request(HOST + each));
      expect([each, response?.status ?? 404]).toEqual([each, 404]);
    }
    expect(inProduction(new Request(`${HOST}/playful`))).toBeNull();
    expect(inProduction(new Request(`${HOST}/v1/sessions`))).toBeNull();
  });

  test('[H10] /play goes to /play/, so that the fragment comes along', async () => {
    const response = await get(inProduction, '/play');
    expect(response.status).toBe(308);
    expect(response.headers.get('Location')).toBe('/play/');
  });

  test('[H10] a tenant’s page may be framed by that tenant', async () => {
    const response = await get(inDevelopment, '/play/acme/');
    expect(response.headers.get('Content-Security-Policy')).toEndWith(
      "frame-ancestors 'self' https://acme.example",
    );
    expect((await get(inDevelopment, '/play/nobody/')).status).toBe(404);
    expect((await get(inProduction, '/play/acme/')).status).toBe(404);
  });

  test('[H10] says so when it has not been built', async () => {
    const pages = makePages({ root: path.join(root, 'empty'), publicUrl: HOST, dev });
    expect((await get(pages, '/play/')).status).toBe(503);
    expect((await get(pages, '/demo/tictactoe')).status).toBe(503);
  });
});

describe('the demo', () => {
  test('[H10] mints a match at each visit and shows both seats, by path and escaped', async () => {
    minted.length = 0;
    const response = await get(inDevelopment, '/demo/tictactoe');
    const html = await response.text();
    await get(inDevelopment, '/demo/connect4');
    expect(minted).toEqual(['tictactoe', 'connect4']);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Security-Policy')).toContain("frame-src 'self'");
    expect(html).toContain('<title>Tic-tac-toe</title>');
    expect(html).toContain('<iframe src="/play/#token=a&#38;b&#39;0"');
    expect(html).toContain('<iframe src="/play/#token=a&#38;b&#39;1"');
    expect(html).not.toContain('elsewhere');
    expect(html).not.toContain('{{');
  });

  test('[H10] a look ahead is no visit', async () => {
    minted.length = 0;
    await get(inDevelopment, '/demo/tictactoe', { method: 'HEAD' });
    await get(inDevelopment, '/demo/tictactoe', { headers: { 'Sec-Purpose': 'prefetch' } });
    expect(minted).toEqual([]);
  });

  test('[H10] does not exist in production, nor for what is no game', async () => {
    for (const each of ['/demo/tictactoe', '/demo/assets/demo-3c4d.css']) {
      expect((await get(inProduction, each)).status).toBe(404);
    }
    for (const each of ['/demo/', '/demo/chess', '/demo/toString', '/demo/tictactoe/x']) {
      expect((await get(inDevelopment, each)).status).toBe(404);
    }
    expect((await get(inDevelopment, '/demo/assets/demo-3c4d.css')).status).toBe(200);
  });
});
