/** Pass rates of device checks. */

import { expect, test } from 'bun:test';
import type { CheckedSession } from '../../../store/journal.ts';
import { verdictRates } from './verdict-rates.ts';

function checked(
  day: string,
  ...checks: readonly (readonly [platform: string, status: string, ...reasons: string[]])[]
): CheckedSession {
  return {
    session: 'ses_1',
    game: 'tictactoe',
    createdAt: Date.parse(`${day}T23:59:59Z`),
    integrity: JSON.stringify(
      checks.map(([platform, status, ...reasons], seat) => ({
        seat,
        verdict: { platform, status, reasons },
      })),
    ),
  };
}

test('[I3][D11] checks are counted by day and platform, and by reason', () => {
  const rates = verdictRates(
    [
      checked('2026-11-27', ['android', 'passed'], ['ios', 'failed', 'app_id_mismatch']),
      checked('2026-11-27', ['android', 'failed', 'token_stale', 'binding_mismatch']),
      checked('2026-11-25', ['android', 'failed', 'token_stale'], ['android', 'skipped']),
    ],
    false,
  );
  const none = { passed: 0, failed: 0, error: 0, skipped: 0 };
  expect(rates).toEqual({
    isPartial: false,
    days: [
      { ...none, day: '2026-11-27', platform: 'android', passed: 1, failed: 1 },
      { ...none, day: '2026-11-27', platform: 'ios', failed: 1 },
      { ...none, day: '2026-11-25', platform: 'android', failed: 1, skipped: 1 },
    ],
    reasons: [
      { reason: 'token_stale', count: 2 },
      { reason: 'app_id_mismatch', count: 1 },
      { reason: 'binding_mismatch', count: 1 },
    ],
  });
  expect(verdictRates([], true)).toEqual({ isPartial: true, days: [], reasons: [] });
});
