/** The agreement of an ended session's players, step by step. */

import { expect, test } from 'bun:test';
import {
  type AgreementContext,
  isAgreed,
  NO_AGREEMENT,
  REMATCH_MS,
  type RematchDo,
  stepAgreement,
} from './agreement.ts';

const END = 1_000_000;
const OPEN: AgreementContext = {
  agreement: NO_AGREEMENT,
  humans: [0, 1],
  isPossible: true,
  endedAt: END,
  hasNext: false,
};

/** The agreement after a list of steps, each with a seat and what it does. */
function after(steps: readonly (readonly [number, RematchDo])[], session = OPEN, now = END) {
  return steps.reduce<ReturnType<typeof stepAgreement>>((agreement, [seat, step]) => {
    if (typeof agreement === 'string') return agreement;
    return stepAgreement({ ...session, agreement }, seat, step, now);
  }, session.agreement);
}

const agreed = (steps: Parameters<typeof after>[0], session = OPEN): boolean => {
  const agreement = after(steps, session);
  return typeof agreement !== 'string' && isAgreed({ ...session, agreement });
};

test('[P13] all players have to ask, in any order and as often as they like', () => {
  expect(agreed([[0, 'offer']])).toBe(false);
  expect(
    agreed([
      [1, 'offer'],
      [1, 'offer'],
    ]),
  ).toBe(false);
  expect(
    agreed([
      [1, 'offer'],
      [0, 'offer'],
    ]),
  ).toBe(true);
  expect(
    agreed(
      [
        [2, 'offer'],
        [0, 'offer'],
      ],
      { ...OPEN, humans: [0, 2] },
    ),
  ).toBe(true);
  expect(agreed([], { ...OPEN, humans: [] })).toBe(false);
});

test('[P13] an offer can be withdrawn until it is agreed on', () => {
  expect(
    agreed([
      [0, 'offer'],
      [0, 'withdraw'],
      [1, 'offer'],
    ]),
  ).toBe(false);
  expect(after([[0, 'withdraw']])).toEqual(NO_AGREEMENT);
  expect(
    after([
      [0, 'offer'],
      [1, 'offer'],
      [0, 'withdraw'],
    ]),
  ).toBe('rematch_over');
});

test('[P13] a refusal is final, whoever asked before', () => {
  expect(
    after([
      [0, 'offer'],
      [1, 'decline'],
    ]),
  ).toEqual({ asked: [0], declined: 1 });
  expect(
    after([
      [1, 'offer'],
      [1, 'decline'],
    ]),
  ).toEqual({ asked: [], declined: 1 });
  for (const late of ['offer', 'withdraw', 'decline'] as const) {
    expect(
      after([
        [1, 'decline'],
        [0, late],
      ]),
    ).toBe('rematch_over');
  }
  expect(
    after([
      [1, 'decline'],
      [1, 'decline'],
    ]),
  ).toEqual({ asked: [], declined: 1 });
});

test('[P13] players can agree for ten minutes, in sessions that can have a rematch', () => {
  expect(after([[0, 'offer']], OPEN, END + REMATCH_MS)).toEqual({ asked: [0], declined: null });
  expect(after([[0, 'offer']], OPEN, END + REMATCH_MS + 1)).toBe('rematch_over');
  expect(after([[0, 'offer']], { ...OPEN, endedAt: null })).toBe('session_not_ended');
  expect(after([[0, 'offer']], { ...OPEN, isPossible: false })).toBe('no_rematch');
  // The rematch exists: a late request gets it.
  const made = { ...OPEN, hasNext: true };
  expect(after([[0, 'offer']], made)).toEqual(NO_AGREEMENT);
  expect(after([[0, 'decline']], made)).toBe('rematch_over');
});
