/** The pages that the service serves, over a generated build. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';
import type { Pages } from './pages.ts';
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
write('web/docs/dist/errors.html', '<title>errors</title>');
write('web/docs/dist/errors.md', '# Errors');
write('web/docs/dist/guides/index.html', '<title>guides</title>');
write('web/docs/dist/guides/keys.html', '<title>keys</title>');
write('web/docs/dist/llms.txt', '# matchd');
write('web/docs/dist/search.json', '[]');
write('web/home/dist/index.html', '<!doctype html><title>home</title>');
write('web/home/dist/assets/favicon-7a8b.ico', 'icon');
write('web/secret.txt', 'secret');

const tenantOrigins = (slug: string): Promise<readonly string[]> =>
  Promise.resolve(slug === 'acme' ? ['https://acme.example'] : []);
const clock = makeManualClock();
const security = { contacts: [], clock };
const options = { root, publicUrl: 'https://play.example', dev: null, security, tenantOrigins };
const pages = makePages(options);

async function get(path: string, init: RequestInit = {}, of: Pages = pages): Promise<Response> {
  const response = await of(new Request(HOST + path, init));
  if (response === null) throw new Error(`${path} is no page`);
  return response;
}

describe('the API reference', () => {
  test('[H10] is served without a key, loads nothing from elsewhere and cannot be framed', async () => {
    const response = await get('/docs/');
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

  test('[H10] /docs leads to it, its files exist, and nothing else does', async () => {
    const moved = await get('/docs');
    expect([moved.status, moved.headers.get('Location')]).toEqual([308, '/docs/']);
    const script = await get('/docs/assets/main-5e6f.js');
    expect([script.status, await script.text()]).toEqual([200, 'export const b = 1;']);
    for (const path of ['/docs/x', '/docs/assets/main-1a2b.js', '/docs/assets/..%2findex.html']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    expect((await get('/docs/', { method: 'POST' })).status).toBe(405);
  });
});

describe('the guides', () => {
  test('[H10] are served beside the reference, as HTML and as Markdown, under its policy', async () => {
    const policy = (await get('/docs/')).headers.get('Content-Security-Policy');
    for (const [path, type, text] of [
      ['/docs/errors', 'text/html; charset=utf-8', '<title>errors</title>'],
      ['/docs/errors.md', 'text/markdown; charset=utf-8', '# Errors'],
      ['/docs/guides/', 'text/html; charset=utf-8', '<title>guides</title>'],
      ['/docs/guides/keys', 'text/html; charset=utf-8', '<title>keys</title>'],
      ['/docs/search.json', 'application/json; charset=utf-8', '[]'],
      ['/llms.txt', 'text/plain; charset=utf-8', '# matchd'],
    ] as const) {
      const response = await get(path);
      expect([path, response.headers.get('Content-Type')]).toEqual([path, type]);
      expect(response.headers.get('Content-Security-Policy')).toBe(policy);
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(await response.text()).toBe(text);
    }
    const moved = await get('/docs/guides');
    expect([moved.status, moved.headers.get('Location')]).toEqual([308, '/docs/guides/']);
    for (const path of ['/docs/errors', '/docs/guides/keys']) {
      const { status, headers } = await get(`${path}/`);
      expect([status, headers.get('Location')]).toEqual([308, path]);
    }
  });

  test('[H10] nothing else of the folder is served', async () => {
    const paths = [
      '/docs/guides/none',
      '/docs/guides/keys.html',
      '/docs/guides/..%2ferrors',
      '/docs/assets/main-5e6f',
      '/docs//errors',
      '/docs/errors//',
      '/docs/errors.md/',
      '/docs/other/',
      '/docs/toString',
      '/llms.txt/',
      '/llmsXtxt',
    ];
    for (const path of paths) {
      const response = await pages(new Request(HOST + path));
      expect([path, response?.status ?? 404]).toEqual([path, 404]);
    }
  });
});

describe('the players’ page', () => {
  test('[H10] is served without a key, with a strict policy and never stale', async () => {
    const response = await get('/play/');
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
    const etag = (await get('/play/')).headers.get('ETag')!;
    const again = await get('/play/', { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  test('[H10] its files are cached without limit, compressed for clients that can read that', async () => {
    const plain = await get('/play/assets/main-1a2b.js');
    expect(plain.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(await plain.text()).toBe('export const a = 1;');
    const headers = { 'Accept-Encoding': 'gzip, br' };
    const small = await get('/play/assets/main-1a2b.js', { headers });
    expect(small.headers.get('Content-Encoding')).toBe('gzip');
    const bytes = new Uint8Array(await small.arrayBuffer());
    expect(gunzipSync(bytes).toString()).toBe('export const a = 1;');
  });

  test('[H10] HEAD answers without a body, other methods are refused', async () => {
    const head = await get('/play/', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const post = await get('/play/', { method: 'POST' });
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
      '/play/assets/toString',
      '/play/assets/__proto__',
      '/play/..;/web/secret.txt',
      '/play//assets/main-1a2b.js',
    ];
    for (const each of paths) {
      const response = await pages(new Request(HOST + each));
      expect([each, response?.status ?? 404]).toEqual([each, 404]);
    }
    expect(pages(new Request(`${HOST}/playful`))).toBeNull();
    expect(pages(new Request(`${HOST}/v1/sessions`))).toBeNull();
  });

  test('[H10] /play redirects to /play/, so that the fragment is kept', async () => {
    const response = await get('/play');
    expect(response.status).toBe(308);
    expect(response.headers.get('Location')).toBe('/play/');
  });

  test('[W2] a tenant’s page may be framed on that tenant’s origins, and not on others', async () => {
    const framers = async (path: string): Promise<string> =>
      /frame-ancestors (.*)$/.exec((await get(path)).headers.get('Content-Security-Policy')!)![1]!;
    expect(await framers('/play/acme/')).toBe("'self' https://acme.example");
    for (const path of ['/play/', '/play/bare/', '/play/no-tenant/']) {
      expect([path, await framers(path)]).toEqual([path, "'self'"]);
    }
  });

  test('[W2] a request for a slug does not reveal whether it is taken', async () => {
    const told = async (slug: string): Promise<unknown> => {
      const { status, headers } = await get(`/play/${slug}/`);
      return [status, Object.fromEntries(headers)];
    };
    expect(await told('no-tenant')).toEqual(await told('bare'));
    for (const slug of ['Acme', 'a_b', '-a', 'a%2fb', '__proto__', 'a'.repeat(41)]) {
      expect([slug, (await get(`/play/${slug}/`)).status]).toEqual([slug, 404]);
    }
    const moved = await get('/play/acme');
    expect([moved.status, moved.headers.get('Location')]).toEqual([308, '/play/acme/']);
  });

  test('[W3] runs nothing inline, sends no referrer, and is isolated from openers', async () => {
    const { headers } = await get('/play/acme/');
    expect(headers.get('Content-Security-Policy')).not.toMatch(/unsafe|\*|https?: /);
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
    expect(headers.get('Cross-Origin-Embedder-Policy')).toBe('require-corp');
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    const docs = await get('/docs/');
    expect(docs.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
  });

  test('[W3] an inline style of the document is allowed by its hash, and no other', async () => {
    const place = fs.mkdtempSync(path.join(root, 'inline-'));
    const style = 'p{color:red}';
    const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64');
    fs.mkdirSync(path.join(place, 'web/play/dist'), { recursive: true });
    const document = `<!doctype html><style>${style}</style><p style="x">`;
    fs.writeFileSync(path.join(place, 'web/play/dist/index.html'), document);
    const inline = makePages({ ...options, root: place });
    for (const each of ['/play/', '/play/acme/']) {
      const { headers } = await get(each, {}, inline);
      const rules = headers.get('Content-Security-Policy')!.split('; ');
      expect(rules).toContain(`style-src 'self' 'sha256-${hash}'`);
      expect(rules).toContain("script-src 'self'");
    }
    const none = (await get('/play/')).headers.get('Content-Security-Policy')!.split('; ');
    expect(none).toContain("style-src 'self'");
  });

  test('[H10] a missing build is reported', async () => {
    const empty = path.join(root, 'empty');
    const unbuilt = makePages({ ...options, root: empty });
    for (const each of ['/play/', '/play/acme/', '/docs/']) {
      expect((await get(each, {}, unbuilt)).status).toBe(503);
    }
  });
});

describe("the service's own address", () => {
  const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const dev = { openSeats: async () => [], answer: async () => null };
  const withDemo = makePages({ ...options, dev });

  test('[H10] is a page for browsers: without a script, and cannot be framed', async () => {
    const { status, headers } = await get('/', { headers: BROWSER });
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('Content-Security-Policy')!.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "style-src 'self'",
    ]);
    expect(headers.get('Vary')).toBe('Accept-Encoding, Accept, Authorization');
    expect((await get('/home/assets/favicon-7a8b.ico')).status).toBe(200);
  });

  test('[H10] leads to the demo in development', async () => {
    const { status, headers } = await get('/', { headers: BROWSER }, withDemo);
    expect([status, headers.get('Location')]).toEqual([302, '/demo/']);
  });

  test('[H3][H10] with a key, or if no page is requested, it is an unknown path', async () => {
    const http = await openHttpService({ pages });
    const key = await http.makeKey(await http.makeTenant(), 'test');
    const bearer = { authorization: `Bearer ${key}` };
    const json = { accept: 'application/json' };
    for (const [method, asked, status, error] of [
      ['GET', {}, 401, 'Missing Authorization header'],
      ['GET', { accept: '*/*' }, 401, 'Missing Authorization header'],
      ['GET', json, 401, 'Missing Authorization header'],
      ['POST', BROWSER, 401, 'Missing Authorization header'],
      ['GET', { ...json, ...bearer }, 404, 'Not found'],
      ['GET', { ...BROWSER, ...bearer }, 404, 'Not found'],
      ['POST', { ...BROWSER, ...bearer }, 404, 'Not found'],
    ] as const) {
      const request = new Request(`${HOST}/`, { method, headers: { ...asked } });
      const response = await http.app.fetch(request, { address: '203.0.113.7' });
      expect([response.status, await response.json()]).toEqual([status, { error }]);
    }
    const head = new Request(`${HOST}/`, { method: 'HEAD', headers: BROWSER });
    expect((await http.app.fetch(head, { address: '203.0.113.7' })).status).toBe(200);
    await http.close();
  });

  test('[H10] /favicon.ico is the icon of the page', async () => {
    const { status, headers } = await get('/favicon.ico');
    expect([status, headers.get('Content-Type')]).toEqual([200, 'image/x-icon']);
    expect(headers.get('Cache-Control')).toBe('public, max-age=86400');
    expect((await get('/favicon.ico', { method: 'POST' })).status).toBe(405);
    const unbuilt = makePages({ ...options, root: path.join(root, 'empty') });
    expect((await get('/favicon.ico', {}, unbuilt)).status).toBe(404);
  });

  test('[H10] security.txt names a contact, and does not exist without one', async () => {
    const file = '/.well-known/security.txt';
    expect((await get(file)).status).toBe(404);
    const contacts = ['mailto:security@play.example', 'https://play.example/report'];
    const response = await get(file, {}, makePages({ ...options, security: { contacts, clock } }));
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe(
      [
        'Contact: mailto:security@play.example',
        'Contact: https://play.example/report',
        'Expires: 2027-05-13T00:00:00.000Z',
        'Canonical: https://play.example/.well-known/security.txt\n',
      ].join('\n'),
    );
  });
});

describe('a refused body', () => {
  const calls: string[] = [];
  const dev = {
    openSeats: async (game: string) => {
      calls.push(game);
      return [];
    },
    answer: async (name: string) => {
      calls.push(name);
      return { status: 200, body: {} };
    },
  };
  const withDemo = makePages({ ...options, dev });
  let http: HttpService;
  beforeAll(async () => {
    const scrape = async ({ headers }: Request) =>
      headers.get('authorization') === 'Bearer right' ? new Response('up 1') : null;
    http = await openHttpService({ pages: withDemo, scrape });
  });
  afterAll(() => http.close());

  /** Method, path and headers, and the failure that comes first; null is the body's fault. */
  const ASKED: readonly (readonly [string, string, Record<string, string>, number | null])[] = [
    ['POST', '/docs/', {}, 405],
    ['DELETE', '/llms.txt', {}, 405],
    ['GET', '/docs/', {}, null],
    ['GET', '/docs/nothing', {}, 404],
    ['POST', '/demo/api/new', {}, 403],
    ['GET', '/demo/api/new', {}, 405],
    ['POST', '/demo/api/new', { origin: HOST }, null],
    ['GET', '/demo/tictactoe', {}, null],
    ['GET', '/metrics', {}, 401],
    ['HEAD', '/metrics', {}, 401],
    ['GET', '/metrics', { authorization: 'Bearer right' }, null],
    ['POST', '/metrics', {}, 401],
  ];

  test.each([
    ['too large', 413],
    ['too slow', 408],
  ] as const)(
    '[H4][H10] that is %s comes after path and method of open paths, and has no effect',
    async (why, status) => {
      const peer = { address: '192.0.2.1' };
      for (const [method, path, headers, first] of ASKED) {
        const request = new Request(HOST + path, { method, headers });
        const answer = await http.app.refuse(request, peer, why);
        expect([method, path, answer.status]).toEqual([method, path, first ?? status]);
        if (first === null) continue;
        // The response is the same when its body is read.
        const body = method === 'POST' || method === 'DELETE' ? '{}' : null;
        const taken = await http.app.fetch(
          new Request(HOST + path, { method, headers, body }),
          peer,
        );
        expect([method, path, taken.status]).toEqual([method, path, first]);
      }
      expect(calls).toEqual([]);
    },
  );
});
