/** Counts over all tenants: open sessions, and since when players wait. */

import { expect } from 'bun:test';
import type { Census } from '../census.ts';
import type { Store } from '../whole-store.ts';
import type { AreaCase } from './area.ts';
import { entryOf, kindOf, seatOf, sessionId, sessionOf, T0, TENANT } from './stage.ts';

/** Each count as a line, sorted. */
async function lines(store: Store): Promise<{ sessions: string[]; waiting: string[] }> {
  const { sessions, waiting }: Census = await store.takeCensus();
  return {
    sessions: sessions.map(({ game, mode, status, n }) => `${game} ${mode} ${status} ${n}`).sort(),
    waiting: waiting.map((w) => `${w.kind} ${w.game} ${w.mode} ${w.n} ${w.since - T0}`).sort(),
  };
}

function change(store: Store, n: number, status: 'active' | 'ended', v: number): Promise<string> {
  const entries = [entryOf(v)];
  const change = { status, ...(status === 'active' ? { startedAt: T0 } : { endedAt: T0 }) };
  return new Promise((resolve) =>
    store.commit({ session: sessionId(n), tenant: TENANT, mode: 'live', entries, change }, resolve),
  );
}

export const censusCases: readonly AreaCase[] = [
  {
    title: 'METRICS sessions are counted by game, mode and state until they end',
    async run({ store }) {
      expect(await store.takeCensus()).toEqual({ sessions: [], waiting: [] });
      for (const n of [1, 2, 3]) {
        expect(kindOf(await store.createSession(sessionOf(n, { mode: 'live' })))).toBe('created');
      }
      await store.createSession(sessionOf(4, { mode: 'test' }));
      expect(await change(store, 1, 'active', 1)).toBe('committed');
      expect(await change(store, 2, 'active', 1)).toBe('committed');
      expect(await change(store, 2, 'ended', 2)).toBe('committed');
      expect((await lines(store)).sessions).toEqual([
        'tictactoe live active 1',
        'tictactoe live pending 1',
        'tictactoe test pending 1',
      ]);
    },
  },
  {
    title: 'METRICS players of the queue and groups of the pool are counted, with the longest wait',
    async run({ store }) {
      const seats = [seatOf(0, 'ann')];
      const session = sessionOf(1, { seats });
      await store.createSession({ ...session, waiting: { pairing: 'x' } });
      const world = { tenant: TENANT, mode: 'live', game: 'ludo' } as const;
      for (const n of [1, 2, 3]) {
        const ticket = { ...world, ticket: `tkt_${n}` };
        const write = (at: number) => ({
          at: T0 + at,
          eventId: `evt_${n}_${at}`,
          idempotency: null,
        });
        await store.createTicket({ ...ticket, capacity: 2, openTicketsMax: 9, ...write(n) });
        const player = { playerId: `p${n}`, newRef: `ply_census_${n}` };
        const presence = { ...world, ...player, node: 'nod_a', isConnected: true };
        await store.setPresence(presence);
        await store.addToTicket({ ...ticket, ...player, ...write(n + 10) });
        // The third is still forming: it waits for nobody.
        if (n === 3) continue;
        await store.promoteTicket({ ...ticket, group: `grp_${n}`, ...write(n + 20) });
      }
      const since = session.row.createdAt - T0;
      expect((await lines(store)).waiting).toEqual([
        'group ludo live 2 21',
        `player tictactoe live 1 ${since}`,
      ]);
    },
  },
];
