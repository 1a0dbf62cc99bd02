/**
 * Reads followed by writes under a lock. Two nodes do it behind a third transaction that has the
 * rows: without the lock both would read before either has written, and one update would be lost.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import pg from 'pg';
import { migratedDatabase } from '../../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../../testing/servers/postgres-place.ts';
import { accountOf, join, ownersOf } from '../../contract/accounts/account-stage.ts';
import { append, auditOf, created, entryOf, seatOf, T0, TENANT } from '../../contract/stage.ts';
import { openPostgresStore, type PostgresStore } from '../postgres-store.ts';

const GAME = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;
const TICKET = { ...GAME, ticket: 'tkt_1' } as const;
const DRAW = { winners: [], places: [1, 1], reason: 'draw', detail: {} };
const WAITING = `SELECT count(*)::int AS n FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const POLL_MS = 10;
const POLLS_MAX = 400;
const SLOW_MS = 60_000;

let ids = 0;
const write = () => {
  ids += 1;
  return { at: T0 + ids, eventId: `evt_${ids}`, idempotency: null };
};

describe.skipIf(!isPostgresHere())('updates of two nodes at once', () => {
  let url = '';
  let place: EmptyingDatabase;
  let a: PostgresStore;
  let b: PostgresStore;
  beforeAll(async () => {
    url = await migratedDatabase();
    a = await openPostgresStore({ url, node: 'nod_a' });
    b = await openPostgresStore({ url, node: 'nod_b' });
    place = await openEmptying(url);
  }, SLOW_MS);
  beforeEach(() => place.empty());
  afterAll(async () => {
    await Promise.all([a.close(), b.close()]);
    await place.close();
  });

  const waitFor = async (count: number): Promise<void> => {
    for (let polls = 0; (await place.rows<{ n: number }>(WAITING))[0]!.n < count; polls++) {
      if (polls === POLLS_MAX) throw new Error(`fewer than ${count} transactions wait`);
      await Bun.sleep(POLL_MS);
    }
  };

  /** Starts the acts while `held` is locked, and releases the lock once all of them wait. */
  async function allBehind<T>(
    held: string,
    acts: readonly (() => Promise<T>)[],
    lock = `SELECT 1 FROM ${held} FOR UPDATE`,
  ): Promise<T[]> {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(lock);
    const answers: Promise<T>[] = [];
    for (const act of acts) {
      answers.push(act());
      await waitFor(answers.length);
    }
    await holder.query('COMMIT');
    await holder.end();
    return Promise.all(answers);
  }

  const endDrawn = (at: PostgresStore, session: string) =>
    append(at, session, [entryOf(1, { k: 'ended', outcome: DRAW })], {
      status: 'ended',
      endedAt: T0,
    });

  test('[L1] when two matches end at once on two nodes both are rated', async () => {
    const seats = () => [seatOf(0, 'ann'), seatOf(1, 'ben')];
    const matches: string[] = [];
    for (const n of [0, 1, 2]) matches.push(await created(a, n, { seats: seats() }));
    // The first creates the rows.
    expect(await endDrawn(a, matches[0]!)).toBe('committed');
    const ends = [() => endDrawn(a, matches[1]!), () => endDrawn(b, matches[2]!)];
    expect(await allBehind('rating', ends)).toEqual(['committed', 'committed']);
    const standings = await a.findStandings(GAME, ['ann', 'ben']);
    expect([...standings.values()].map(({ games, draws }) => [games, draws])).toEqual([
      [3, 3],
      [3, 3],
    ]);
  });

  test.each([
    ['ben', ['ann', 'ben']],
    ['cat', ['ann', 'cat']],
  ])(
    '[L1] both are rated if both insert the missing rows, and %s plays ann',
    async (other, players) => {
      const seats = () => [seatOf(0, 'ann'), seatOf(1, other)];
      const matches = [
        await created(a, 0, { seats: seats() }),
        await created(a, 1, { seats: [seatOf(0, 'ann'), seatOf(1, 'ben')] }),
      ];
      const ends = [() => endDrawn(a, matches[0]!), () => endDrawn(b, matches[1]!)];
      // Both have found rows missing when one of them inserts them.
      const lock = 'LOCK TABLE rating IN SHARE MODE';
      expect(await allBehind('rating', ends, lock)).toEqual(['committed', 'committed']);
      const standings = await a.findStandings(GAME, players);
      expect(standings.get('ann')).toMatchObject({ games: 2, draws: 2 });
      expect(standings.get(other)!.games).toBe(other === 'ben' ? 2 : 1);
    },
  );

  const makeTicket = (capacity: number) =>
    a.createTicket({ ...TICKET, capacity, openTicketsMax: 9, ...write() });
  const add = (at: PostgresStore, playerId: string) =>
    at.addToTicket({ ...TICKET, playerId, newRef: `ply_${playerId}`, ...write() });
  const openTickets = async () =>
    (await place.rows<{ n: string }>("SELECT n FROM counter WHERE name LIKE 'tickets:%'"))[0]?.n;

  test('[M2] the last place of a ticket goes to one of two players added at once', async () => {
    await makeTicket(1);
    for (const playerId of ['ann', 'ben'])
      await a.setPresence({ ...GAME, playerId, node: 'nod_a', isConnected: true });
    await a.renewLease('nod_a', SLOW_MS, false);
    const outcomes = await allBehind('ticket', [() => add(a, 'ann'), () => add(b, 'ben')]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['added', 'refused']);
    expect(await place.rows('SELECT 1 FROM ticket_player')).toHaveLength(1);
  });

  test('[M2][H6] a ticket cancelled twice at once is counted down once', async () => {
    await makeTicket(2);
    await a.createTicket({
      ...TICKET,
      ticket: 'tkt_2',
      capacity: 2,
      openTicketsMax: 9,
      ...write(),
    });
    const cancel = (at: PostgresStore) => at.cancelTicket({ ...TICKET, ...write() });
    const outcomes = await allBehind("ticket WHERE id = 'tkt_1'", [
      () => cancel(a),
      () => cancel(b),
    ]);
    expect(outcomes.filter(({ kind }) => kind === 'cancelled')).toHaveLength(1);
    expect(Number(await openTickets())).toBe(1);
  });

  test('[D1] of two owners who step down at once on two nodes one stays', async () => {
    const [ann, ben] = [accountOf('ann'), accountOf('ben')];
    for (const each of [ann, ben]) await join(a, each, 'owner');
    const leave = (at: PostgresStore, id: string) =>
      at.setRole(TENANT, id, 'support', auditOf('down'));
    const acts = [() => leave(a, ann.id), () => leave(b, ben.id)];
    const outcomes = await allBehind('member', acts);
    expect([...outcomes].sort()).toEqual(['done', 'last_owner']);
    expect(await ownersOf(a)).toHaveLength(1);
  });

  test('[I4] a challenge used twice at once counts once', async () => {
    const challenge = { digest: 'x', tenant: TENANT, mode: 'live', platform: 'ios' } as const;
    await a.addChallenge({ ...challenge, expiresAt: T0 + 9 }, null);
    const use = (at: PostgresStore) => at.useChallenge({ ...challenge, now: T0 });
    const outcomes = await allBehind('integrity_challenge', [() => use(a), () => use(b)]);
    expect([...outcomes].sort()).toEqual(['reused', 'used']);
  });

  test('[N3] a session claimed by two nodes at once has one owner', async () => {
    for (const node of ['nod_a', 'nod_b']) await a.renewLease(node, SLOW_MS, false);
    const id = await created(a, 1);
    const acts = [() => a.claim('nod_a', id), () => b.claim('nod_b', id)];
    const [first, second] = await allBehind('session', acts);
    expect([first!.isNew, second!.isNew].sort()).toEqual([false, true]);
    const [row] = await place.rows<{ holder: string }>('SELECT holder FROM session');
    expect(row!.holder).toBe(first!.isNew ? 'nod_a' : 'nod_b');
  });
});
