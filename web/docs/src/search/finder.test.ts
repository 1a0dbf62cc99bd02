/** The results of the search in all guides and the whole reference, and their order. */

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGuidePages } from '../../../../scripts/guides/pages.ts';
import { makeSearchEntries } from '../../../../scripts/guides/search-entries.ts';
import { makeFinder, tokenize } from './finder.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const entries = makeSearchEntries(
  readGuidePages(join(ROOT, 'docs')),
  read('openapi.json'),
  read('asyncapi.json'),
);
const find = makeFinder(entries);
const urlsOf = (query: string): string[] => find(query).map(({ url }) => url);

test.each([
  ['create a session', '/docs/#createSession'],
  ['createSession', '/docs/#createSession'],
  ['room is already full', '/docs/errors#room_full'],
  ['room_full', '/docs/errors#room_full'],
  ['rotate a webhook secret', '/docs/#rotateWebhook'],
  ['/v1/sessions/{id}/verify', '/docs/#verifySession'],
  ['session.ended', '/docs/#event.session.ended'],
  ['leaderbord', '/docs/#listLeaders'],
])('[H10] %s leads to %s', (query, url) => {
  expect(urlsOf(query).slice(0, 3)).toContain(url);
});

test('[H10] guides and reference are found side by side, each result with its place', () => {
  const found = find('idempotency key');
  expect(found.some(({ url }) => url.startsWith('/docs/guides/'))).toBe(true);
  expect(find('webhook').some(({ url }) => url.startsWith('/docs/#'))).toBe(true);
  for (const { excerpt, words } of found) {
    expect(excerpt.length).toBeLessThan(130);
    expect(words.length).toBeGreaterThan(0);
  }
});

test('[H10] words that occur nowhere together are found one by one; nonsense is not found', () => {
  expect(urlsOf('draughts capturing webhook').length).toBeGreaterThan(0);
  expect(urlsOf('xyzzy')).toEqual([]);
  expect(urlsOf(' ')).toEqual([]);
});

test('[H10] a name is found by its parts', () => {
  expect(tokenize('turnTimeoutMs session_quota')).toEqual([
    'turnTimeoutMs',
    'turn',
    'Timeout',
    'Ms',
    'session',
    'quota',
  ]);
  expect(
    makeFinder([{ url: '/x', title: 'x', page: 'y', text: 'turnTimeoutMs' }])('timeout'),
  ).toHaveLength(1);
});

test('[H10] every entry has an address of its own, and no markup', () => {
  expect(new Set(entries.map(({ url }) => url)).size).toBe(entries.length);
  expect(entries.length).toBeGreaterThan(300);
  for (const { title, text } of entries) {
    expect(title).not.toBe('');
    expect(`${title}${text}`).not.toMatch(/<\/?(?:p|code|pre|li|span|a)\b[^>]*>|&(?:amp|lt|quot);/);
  }
});
