/** Tests of why a tap has no effect, whatever was tapped. */

import { expect, test } from 'bun:test';
import { en } from './i18n/en.ts';
import { makeTranslate } from './i18n/translate.ts';
import type { Model } from './model.ts';
import type { SessionView } from './protocol.ts';
import { whyNoEffect } from './why-no-effect.ts';

const t = makeTranslate('en', en);

const SESSION = {
  status: 'active',
  seat: 0,
  seats: 2,
  turn: 0,
  acting: [0],
  view: {},
} as unknown as SessionView;

const modelOf = (session: Partial<SessionView> | null, part: Partial<Model> = {}): Model => ({
  connection: { kind: 'open' },
  online: true,
  session: session === null ? null : { ...SESSION, ...session },
  board: null,
  sending: null,
  refusal: null,
  refused: null,
  watchers: null,
  ...part,
});

test('[W3] a tap out of turn is explained, from what the page knows', () => {
  expect(whyNoEffect(modelOf({}), t)).toBeNull();
  expect(whyNoEffect(modelOf({ turn: 1, acting: [1] }), t)).toBe('It is not your turn');
  expect(whyNoEffect(modelOf({ seat: null }), t)).toBe('You are watching');
  expect(whyNoEffect(modelOf({ status: 'pending' }), t)).toBe('The match has not begun yet');
  expect(whyNoEffect(modelOf({ seats: 3, view: { out: [0] } }), t)).toBe(
    'You are out of this match',
  );
});

test('[W3] there is no explanation if the page already shows it', () => {
  expect(whyNoEffect(modelOf({ status: 'ended' }), t)).toBe('');
  expect(whyNoEffect(modelOf(null), t)).toBe('');
  const sending = { t: 'resign', s: 's1', id: 'a' } as unknown as Model['sending'];
  expect(whyNoEffect(modelOf({}, { sending }), t)).toBe('');
  const connection = { kind: 'closed' } as Model['connection'];
  expect(whyNoEffect(modelOf({}, { connection }), t)).toBe('');
});
