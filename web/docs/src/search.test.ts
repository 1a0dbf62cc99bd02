/** What the search on the page finds, and what it does not. */

import { expect, test } from 'bun:test';
import { findSections, makeSearchText } from './search.ts';

const texts = new Map([
  ['createSession', makeSearchText(['POST', '/v1/sessions', { message: 'game is required' }])],
  ['getSession', makeSearchText(['GET', '/v1/sessions/{id}', 'Session not found'])],
]);

test('[WEB] every word must occur in a section, regardless of case', () => {
  expect([...findSections(texts, 'sessions')]).toEqual(['createSession', 'getSession']);
  expect([...findSections(texts, '  POST  GAME ')]).toEqual(['createSession']);
  expect([...findSections(texts, 'not found post')]).toEqual([]);
  expect([...findSections(texts, '{id}')]).toEqual(['getSession']);
});

test('[WEB] an empty search finds all', () => {
  expect(findSections(texts, ' ').size).toBe(2);
});
