/** The queue when the waiting sessions are about to expire. */

import { expect, test } from 'bun:test';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import { makeRequest, openQueuedSessions } from '../../testing/matches/queued-sessions.ts';
import type { SessionRequest } from '../sessions/session-service.ts';

/** More than a newcomer tries. */
const PARTIES = 40;

function ludo(...ids: string[]): SessionRequest {
  const rules = findGame('ludo')!;
  const options = parseOptions(rules, {}) as SessionOptions;
  const players = ids.map((id) => ({ id, displayName: null }));
  const { variants } = rules;
  return {
    ...makeRequest('nobody'),
    game: 'ludo',
    variant: variants[0]!,
    seats: 4,
    options,
    players,
  };
}

test('[S2] a newcomer waits in a new session when all waiting ones expire soon', async () => {
  const store = openMemoryStore();
  const { clock, service } = await openQueuedSessions(store);
  // No two of these parties fit together.
  for (let n = 0; n < PARTIES; n++) {
    expect((await service.create(ludo(`a${n}`, `b${n}`, `c${n}`), null)).ok).toBe(true);
  }
  clock.advance(275_000);
  const late = await service.create(ludo('late'), null);
  if (!late.ok) throw new Error(late.refusal);
  expect(late.value.roster.filter((each) => each !== null)).toHaveLength(1);
  // Nor does another process, which finds them all in the store.
  const other = await openQueuedSessions(store);
  other.clock.advance(275_000);
  const next = await other.service.create(ludo('next'), null);
  if (!next.ok) throw new Error(next.refusal);
  expect(next.value.row.id).toBe(late.value.row.id);
  await store.close();
});
