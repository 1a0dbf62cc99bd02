/** Long matches that are read repeatedly: no other work may have to wait. */

import { expect, test } from 'bun:test';
import type { PoolState } from '../../../games/pool/state.ts';
import { shippedGames } from '../../../games/registry.ts';
import type { Entry } from '../../../match/record.ts';
import { openMemoryStore } from '../../../store/sqlite/memory-store.ts';
import type { StoredSession } from '../../../store/store.ts';
import { openWorld, TENANT } from '../../../testing/matches/match-world.ts';
import {
  asActive,
  follow,
  makeTestRoster,
  startTrace,
  T0,
} from '../../../testing/matches/session-trace.ts';
import { makeSeededRandomness } from '../../../testing/seeded-randomness.ts';
import { testSeals } from '../../../testing/test-seals.ts';
import { makeIds } from '../../ids.ts';
import { makeSessionService } from '../../sessions/sessions.ts';

const SHOTS = 60;
const SESSIONS = 20;
const REF = { tenant: TENANT, id: 'ses_0', modes: ['live'] } as const;

/** Two players who only move the balls about, as often as the rules let them. */
function makeLongLog(): readonly Entry[] {
  let trace = startTrace({ game: 'pool', turnTimeoutMs: 14 * 86_400_000 });
  for (
    let n = 0;
    trace.session.status === 'active' && trace.entries.length < SHOTS && n < 40 * SHOTS;
    n++
  ) {
    const { seat, isBreak, inHand, choices } = asActive(trace.session).play
      .state as unknown as PoolState;
    const shot = { aim: isBreak ? 0.01 : ((n * 2.4) % 6) - 3, speed: isBreak ? 8 : 0.4 };
    const place =
      inHand === null ? {} : { place: { x: ((n * 37) % 20) / 20 - 1, y: ((n * 13) % 9) / 20 } };
    const action =
      choices.length > 0
        ? { choose: choices[0] }
        : { shot, ...place, ...(isBreak ? {} : { safety: true }) };
    trace = follow(trace, { kind: 'act', seat, id: `a${n}`, action }, T0 + n);
  }
  return trace.entries;
}

test('[S6][S7] long matches are listed and verified without blocking other work, and cheap to read again', async () => {
  const entries = makeLongLog();
  expect(entries.length).toBe(SHOTS);
  const world = await openWorld({ kept: openMemoryStore() });
  const randomness = makeSeededRandomness(1);
  const row = { id: 'ses_0', tenant: TENANT, mode: 'live' } as StoredSession['row'];
  const rows = Array.from({ length: SESSIONS }, (_, n) => ({ ...row, id: `ses_${n}` }));
  const loadSession = async (id: string): Promise<StoredSession> => ({
    isAsleep: true,
    wakeAt: null,
    row: { ...row, id },
    roster: makeTestRoster(2),
    entries,
  });
  world.kept.loadSession = loadSession;
  const service = makeSessionService({
    seals: testSeals,
    games: shippedGames,
    store: { ...world.kept, listSessions: async () => rows },
    bots: { listSeatableBots: async () => [] },
    host: world.host,
    clock: world.clock,
    randomness,
    makeId: makeIds(world.clock, randomness),
    node: world.node,
    onErased: () => {},
  });
  const query = { tenant: TENANT } as Parameters<typeof service.list>[0];
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const time = async (): Promise<number> => {
    const began = performance.now();
    expect(await service.list(query)).toHaveLength(SESSIONS);
    return performance.now() - began;
  };
  const first = await time();
  expect(turns).toBeGreaterThanOrEqual(SESSIONS);
  turns = 0;
  expect(await service.verify(REF)).toMatchObject({ ok: true, value: { ok: true } });
  // Once through the log, once through the replay, 16 steps at a time.
  expect(turns).toBeGreaterThanOrEqual(2 * Math.floor(SHOTS / 16) - 1);
  clearImmediate(counting);
  const second = await time();
  expect(second).toBeLessThan(first / 3);
});
