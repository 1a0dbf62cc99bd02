/** The session service of one process, its queue, groups and matches, on a given store. */

import { findGame, shippedGames } from '../../games/registry.ts';
import { parseOptions } from '../../match/setup.ts';
import { makeMatchHost } from '../../runtime/host/match-host.ts';
import { makeIds } from '../../runtime/ids.ts';
import { makeHostedService } from '../../runtime/matchmaking/hosted.ts';
import { makeQueuedSessions } from '../../runtime/matchmaking/queue.ts';
import { makeErasures } from '../../runtime/sessions/erasures.ts';
import type { SessionRequest } from '../../runtime/sessions/session-service.ts';
import { systemRandomness } from '../../runtime/system.ts';
import type { Store } from '../../store/whole-store.ts';
import { PLANS } from '../../tenancy/tenant.ts';
import { makeManualClock } from '../manual-clock.ts';
import { testSeals } from '../test-seals.ts';

export const TENANT = 'ten_a';

export async function openQueuedSessions(store: Store) {
  const clock = makeManualClock();
  const makeId = makeIds(clock, systemRandomness);
  const node = 'nod_1';
  const host = makeMatchHost({
    seals: testSeals,
    games: shippedGames,
    store,
    clock,
    randomness: systemRandomness,
    node,
    makeEventId: () => makeId('evt'),
    onBroken: () => {},
    onStall: () => {},
  });
  const erasures = makeErasures();
  const base = { store, host, clock, randomness: systemRandomness, makeId, node };
  const service = makeQueuedSessions(
    { ...base, seals: testSeals, games: shippedGames, bots: store, onErased() {} },
    erasures,
  );
  // As if everybody had a lobby open here.
  const presence = { isInLobby: () => true, isElsewhere: () => false };
  const hosted = makeHostedService({ ...base, games: shippedGames, ...presence }, erasures);
  await host.recover();
  return { clock, host, service, hosted };
}

/** A seat in tictactoe, against whoever waits. */
export function makeRequest(player: string): SessionRequest {
  const rules = findGame('tictactoe')!;
  const options = parseOptions(rules, {});
  if ('field' in options) throw new Error(options.field);
  return {
    tenant: TENANT,
    mode: 'live',
    game: 'tictactoe',
    matchType: 'matchmaking',
    variant: rules.variants[0]!,
    seats: 2,
    options,
    metadata: null,
    theme: null,
    players: [{ id: player, displayName: null }],
    limits: PLANS.enterprise,
  };
}
