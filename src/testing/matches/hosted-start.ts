/** Two players whose hosted match a backend starts, on a store that may fail or be slow. */

import { findGame, shippedGames } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { makeMatchHost } from '../../runtime/host/match-host.ts';
import { makeIds } from '../../runtime/ids.ts';
import { makeHostedService } from '../../runtime/matchmaking/hosted.ts';
import type { Store } from '../../store/whole-store.ts';
import { PLANS } from '../../tenancy/tenant.ts';
import type { ManualClock } from '../manual-clock.ts';
import { makeSeededRandomness } from '../seeded-randomness.ts';
import { testSeals } from '../test-seals.ts';

const WORLD = { tenant: 'ten_a', mode: 'test', game: 'tictactoe' } as const;
const NODE = 'nod_1';

/** Both players wait in a lobby, each in their own group: they are in the match from the start. */
export async function openHostedStart(store: Store, clock: ManualClock) {
  const stalls: number[] = [];
  const randomness = makeSeededRandomness(1);
  const makeId = makeIds(clock, randomness);
  const base = { store, games: shippedGames, clock, randomness, node: NODE };
  const host = makeMatchHost({
    seals: testSeals,
    ...base,
    makeEventId: () => makeId('evt'),
    onBroken() {},
    onStall: (from, to) => void stalls.push(to - from),
  });
  const hosted = makeHostedService({
    ...base,
    host,
    makeId,
    isInLobby: () => true,
    isElsewhere: () => false,
  });
  const promoteAlone = async (playerId: string): Promise<string> => {
    const { tenant, mode } = WORLD;
    await store.setPresence({ tenant, mode, playerId, node: NODE, isConnected: true });
    const { id } = await hosted.createTicket({ ...WORLD, capacity: 2, openTicketsMax: 10 }, null);
    await hosted.addPlayer({ ...WORLD, ticket: id }, playerId, null);
    const promoted = await hosted.promote({ ...WORLD, ticket: id }, null);
    if (promoted.kind === 'refused') throw new Error('refused');
    return promoted.group.group;
  };
  const groups = [await promoteAlone('ann'), await promoteAlone('bob')];
  const rules = findGame('tictactoe')!;
  const options = parseOptions(rules, { turnTimeoutMs: 5_000 }) as SessionOptions;
  const asked = { seats: { min: 2, max: 2 }, variant: rules.variants[0]!, options };
  const request = { ...WORLD, ...asked, groups, requireConnected: false, limits: PLANS.enterprise };
  return {
    host,
    /** How long each pause of the process was, ms. */
    stalls,
    /** With turns of five seconds. */
    start: () => hosted.start(request, null),
    attachBoth(session: string): void {
      for (const viewer of [0, 1])
        host.attach(session, { viewer, player: null, send() {}, lost() {} }, () => {});
    },
    /** Each call waits behind the running commits. */
    async settle(): Promise<void> {
      for (let n = 0; n < 20; n++) await store.ping();
    },
  };
}
