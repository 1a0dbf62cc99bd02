/** The dashboard's addresses: which ones are its page, and with which headers. */

import { expect, test } from 'bun:test';
import { sendDashboard } from './dashboard-pages.ts';
import { makeAsset, type Site } from './site.ts';

const index = makeAsset('text/html; charset=utf-8', new TextEncoder().encode('<!doctype html>'));
const site: Site = { documents: new Map([['index.html', index]]), assets: new Map() };

const send = (path: string): Response =>
  sendDashboard(new Request(`https://play.example.test${path}`), path, site);

test('[D7][D10] every page of every world is the same document, and other paths are none', () => {
  for (const path of ['/', '/setup', '/t/acme/live/sessions', '/t/acme/test/sessions/ses_01/']) {
    expect([path, send(`/dashboard${path}`).status]).toEqual([path, 200]);
  }
  for (const path of ['/x.js', '/t/../..', '/t//x', '/a%2Fb', '/assets/none.js']) {
    expect([path, send(`/dashboard${path}`).status]).toEqual([path, 404]);
  }
  const bare = send('/dashboard');
  expect([bare.status, bare.headers.get('location')]).toEqual([308, '/dashboard/']);
});

test('[D10] it runs only its own files and cannot be framed', () => {
  const policy = send('/dashboard/').headers.get('content-security-policy')!;
  const rules = Object.fromEntries(
    policy.split('; ').map((rule) => [rule.slice(0, rule.indexOf(' ')), rule.split(' ').slice(1)]),
  );
  expect(rules).toEqual({
    'default-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
    'frame-src': ["'self'"],
    'frame-ancestors': ["'none'"],
  });
});
