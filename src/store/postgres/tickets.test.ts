/** Tickets, groups, presence and the queue in PostgreSQL: their contracts, and races of nodes. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type EmptyingDatabase, openEmptying } from '../../testing/servers/postgres-place.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { entryOf, seatOf, sessionOf, T0, TENANT } from '../contract/stage.ts';
import { queueCases } from '../contract/tickets/queue-cases.ts';
import { queueManyCases } from '../contract/tickets/queue-many-cases.ts';
import { ticketCases } from '../contract/tickets/ticket-cases.ts';
import type { GroupsStart } from '../tickets.ts';
import { WORLDS } from '../world.ts';
import { openDatabase } from './connect/database.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const WORLD = { tenant: TENANT, mode: 'live', game: 'ludo' } as const;
const SLOW_MS = 60_000;
const DEADLOCKS = 'SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()';

/** A fair random number below a limit up to 65,536. */
function makeDraw(): (below: number) => number {
  const randomness = makeSeededRandomness(TEST_SEED);
  return (below) => {
    const [high = 0, low = 0] = randomness.bytes(2);
    return (high * 256 + low) % below;
  };
}

let ids = 0;
const write = () => {
  ids += 1;
  return { at: T0, eventId: `evt_${ids}`, idempotency: null };
};

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  let url = '';
  let place: EmptyingDatabase;
  let store: PostgresStore;
  let other: PostgresStore;

  /** Sets a node's lease from now on; negative ends it. */
  const lease = (node: string, ms: number) =>
    place.rows(
      `INSERT INTO node (id, lease_until)
         VALUES ('${node}', (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${ms})
       ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
    );
  const numberOf = async (sql: string) => Number((await place.rows<{ n: string }>(sql))[0]!.n);
  const connect = (at: PostgresStore, node: string, playerId: string, isConnected = true) =>
    at.setPresence({ ...WORLD, playerId, node, isConnected });

  beforeAll(async () => {
    url = await migratedDatabase();
    other = await openPostgresStore({ url, node: 'nod_b' });
    place = await openEmptying(url);
  }, SLOW_MS);
  afterAll(async () => {
    await other.close();
    await place.close();
  });
  beforeEach(async () => {
    await place.empty();
    store = await openPostgresStore({ url, node: 'nod_a' });
    for (const node of ['nod_a', 'nod_b']) await lease(node, 600_000);
  });
  afterEach(() => store.close());

  describe('tickets', () => {
    for (const { title, run } of ticketCases) {
      test(title, () =>
        run(store, async () => {
          await store.close();
          // The process is gone, and its lease has expired.
          await lease('nod_a', -1);
          store = await openPostgresStore({ url, node: 'nod_c' });
          return store;
        }),
      );
    }
  });

  describe('queue', () => {
    for (const { title, run } of [...queueCases, ...queueManyCases]) test(title, () => run(store));

    test('[S2] of parallel creates for one player on two nodes one waits', async () => {
      const all = Array.from({ length: 60 }, (_, n) =>
        (n % 2 === 0 ? store : other).createSession({
          ...sessionOf(n, { seats: [seatOf(0, 'ann')] }),
          waiting: { pairing: `${n}` },
        }),
      );
      const outcomes = await Promise.all(all);
      const refused = outcomes.filter((each) => each === 'already_waiting');
      expect(refused.length).toBe(59);
      expect((await other.findWaiting({ ...WORLD, game: 'tictactoe' }, ['ann'])).length).toBe(1);
    });

    test('[L1] parallel ends of many matches of the same players all count', async () => {
      const games = 40;
      for (let n = 0; n < games; n++) {
        const seats = [seatOf(0, `p${n % 3}`), seatOf(1, `p${(n + 1) % 3}`)];
        await store.createSession(sessionOf(n, { seats }));
      }
      const outcome = { winners: [0], places: [1, 2], reason: 'x', detail: {} };
      const ends = Array.from(
        { length: games },
        (_, n) =>
          new Promise((resolve) =>
            (n % 2 === 0 ? store : other).commit(
              {
                session: sessionOf(n).row.id,
                tenant: TENANT,
                mode: 'live',
                entries: [entryOf(1, { k: 'ended', outcome })],
                change: { status: 'ended', endedAt: T0 },
              },
              resolve,
            ),
          ),
      );
      expect(new Set(await Promise.all(ends))).toEqual(new Set(['committed']));
      const standings = await store.findStandings({ ...WORLD, game: 'tictactoe' }, [
        'p0',
        'p1',
        'p2',
      ]);
      const played = [...standings.values()];
      expect(played.reduce((sum, each) => sum + each.games, 0)).toBe(2 * games);
      expect(played.reduce((sum, each) => sum + each.wins, 0)).toBe(games);
    });
  });

  describe('presence', () => {
    const add = (at: PostgresStore, playerId: string) => {
      const ticket = { ...WORLD, ticket: 'tkt_1' };
      return at.addToTicket({ ...ticket, playerId, newRef: `ply_${playerId}`, ...write() });
    };
    beforeEach(async () => {
      const ticket = { ...WORLD, ticket: 'tkt_1', capacity: 4, openTicketsMax: 9, ...write() };
      await store.createTicket(ticket);
    });
    const AWAY = { kind: 'refused', refusal: { code: 'player_not_connected' } } as const;

    test('[P2][N21][M2] a player connected to one node is connected for all, until their last connection closes', async () => {
      await connect(store, 'nod_a', 'ann');
      await connect(other, 'nod_b', 'ann');
      await connect(store, 'nod_a', 'ann', false);
      expect(await add(store, 'ann')).toEqual({ kind: 'added' });
      await connect(other, 'nod_b', 'bob');
      await connect(other, 'nod_b', 'bob', false);
      expect(await add(store, 'bob')).toEqual(AWAY);
    });

    test("[P2][N21] a node's presence counts while its lease is valid, and again with the next lease", async () => {
      await connect(other, 'nod_b', 'ann');
      await lease('nod_b', -1);
      expect(await add(store, 'ann')).toEqual(AWAY);
      await lease('nod_b', 60_000);
      expect(await add(store, 'ann')).toEqual({ kind: 'added' });
    });

    test('[P2][N21] nothing is left of a node that has long been gone', async () => {
      await connect(store, 'nod_a', 'ann');
      await connect(other, 'nod_b', 'bob');
      await connect(store, 'nod_0', 'cyd');
      await lease('nod_b', -500_000);
      await store.removeLeftovers(0);
      const nodes = () => place.rows<{ node: string }>('SELECT node FROM presence ORDER BY node');
      expect(await nodes()).toEqual([{ node: 'nod_a' }, { node: 'nod_b' }]);
      await lease('nod_b', -700_000);
      await store.removeLeftovers(0);
      expect(await nodes()).toEqual([{ node: 'nod_a' }]);
    });

    test('[P2][N21] of successive reports the last counts', async () => {
      for (let n = 0; n < 50; n++) {
        const said = Array.from({ length: 7 }, (_, i) =>
          connect(store, 'nod_a', 'ann', i % 2 === 0),
        );
        await Promise.all(said.slice(0, 1 + (n % 7)));
        await said.at(-1);
      }
      expect(await add(store, 'ann')).toEqual({ kind: 'added' });
    });
  });

  test(
    `[M2][S5][N21] 4,000 parallel adds by two nodes to 100 tickets of 8: exactly 800 (seed ${TEST_SEED})`,
    async () => {
      const draw = makeDraw();
      const tickets = Array.from({ length: 100 }, (_, n) => `tkt_${n}`);
      for (const ticket of tickets) {
        const made = { ...WORLD, ticket, capacity: 8, openTicketsMax: 1_000, ...write() };
        expect(await store.createTicket(made)).toEqual({ kind: 'created' });
      }
      const players = Array.from({ length: 2_000 }, (_, n) => `player ${n}`);
      await Promise.all(
        players.map((player, n) =>
          n % 2 === 0 ? connect(store, 'nod_a', player) : connect(other, 'nod_b', player),
        ),
      );
      const started = performance.now();
      const asked = Array.from({ length: 4_000 }, (_, n) => ({
        ticket: tickets[n % tickets.length]!,
        playerId: players[draw(players.length)]!,
      }));
      const outcomes = await Promise.all(
        asked.map((each, n) =>
          (n % 2 === 0 ? store : other).addToTicket({
            ...WORLD,
            ...each,
            newRef: `ply_${n}`,
            ...write(),
          }),
        ),
      );
      const tookMs = performance.now() - started;
      const codes = outcomes.map((each) =>
        each.kind === 'refused' ? each.refusal.code : each.kind,
      );
      const counts = Map.groupBy(codes, (code) => code);
      expect(counts.get('added')?.length).toBe(800);
      const known: readonly string[] = ['added', 'again', 'ticket_full', 'player_in_ticket'];
      expect(codes.filter((code) => !known.includes(code))).toEqual([]);
      const seated: (string | null)[] = [];
      for (const ticket of tickets) {
        const found = (await other.findTicket({ ...WORLD, ticket }))!;
        expect(found.players.length).toBe(8);
        seated.push(...found.players.map(({ id }) => id));
      }
      expect(new Set(seated).size).toBe(800);
      const told = asked.filter((_, n) => ['added', 'again'].includes(codes[n]!));
      expect(new Set(told.map(({ playerId }) => playerId))).toEqual(new Set(seated as string[]));
      console.error(`4,000 adds: ${Math.round(4_000 / (tookMs / 1_000))} a second`);
    },
    SLOW_MS,
  );

  test(
    `[M5][N21] 1,500 overlapping starts by two nodes: no group twice, no deadlock (seed ${TEST_SEED})`,
    async () => {
      const draw = makeDraw();
      const groups = 300;
      const game = { ...WORLD, game: 'tictactoe' } as const;
      for (let n = 0; n < groups; n++) {
        const playerId = `player ${n}`;
        const ticket = { ...game, ticket: `tkt_${n}` };
        await store.createTicket({ ...ticket, capacity: 1, openTicketsMax: 1_000, ...write() });
        await connect(store, 'nod_a', playerId);
        await store.addToTicket({ ...ticket, playerId, newRef: `ply_${n}`, ...write() });
        await store.promoteTicket({ ...ticket, group: `grp_${n}`, ...write() });
      }
      const before = await numberOf(DEADLOCKS);
      const started = performance.now();
      const asked = Array.from({ length: 1_500 }, (_, n) => {
        const first = draw(groups);
        const pair = [first, (first + 1) % groups];
        return { n, pair: draw(2) === 0 ? pair : pair.toReversed() };
      });
      const outcomes = await Promise.all(
        asked.map(({ n, pair }) => (n % 2 === 0 ? store : other).startGroups(startOf(n, pair))),
      );
      const tookMs = performance.now() - started;
      const sessionOfGroup = new Map<number, string>();
      for (const [n, outcome] of outcomes.entries()) {
        if (outcome.kind !== 'started') continue;
        for (const group of asked[n]!.pair) {
          expect(sessionOfGroup.has(group)).toBe(false);
          sessionOfGroup.set(group, sessionOf(n).row.id);
        }
      }
      expect(sessionOfGroup.size).toBeGreaterThan(groups / 2);
      for (const [n, outcome] of outcomes.entries()) {
        const sessions = asked[n]!.pair.map((group) => sessionOfGroup.get(group));
        if (outcome.kind === 'again') expect(sessions).toEqual([outcome.session, outcome.session]);
        else if (outcome.kind !== 'started') {
          expect(outcome).toMatchObject({ refusal: { code: 'group_started' } });
        }
      }
      const kept = await place.rows<{ group_id: string; session: string }>(
        `SELECT group_id, session FROM ticket WHERE status = 'started'`,
      );
      expect(kept.length).toBe(sessionOfGroup.size);
      for (const { group_id, session } of kept) {
        expect(session).toBe(sessionOfGroup.get(Number(group_id.slice(4)))!);
      }
      expect(await numberOf('SELECT count(*) AS n FROM session')).toBe(sessionOfGroup.size / 2);
      expect(await numberOf(`SELECT n FROM counter WHERE name = 'tickets:live'`)).toBe(
        groups - sessionOfGroup.size,
      );
      expect(await numberOf(DEADLOCKS)).toBe(before);
      console.error(`1,500 starts: ${Math.round(1_500 / (tookMs / 1_000))} a second`);
    },
    SLOW_MS,
  );

  test("[M1][M5][N21] a plan's caps are exact under any number of parallel calls", async () => {
    const game = { ...WORLD, game: 'tictactoe' } as const;
    const created = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        (n % 2 === 0 ? store : other).createTicket({
          ...game,
          ticket: `tkt_${n}`,
          capacity: 2,
          openTicketsMax: 30,
          ...write(),
        }),
      ),
    );
    const made = created.flatMap(({ kind }, n) => (kind === 'created' ? [n] : []));
    expect(made.length).toBe(30);
    expect(await numberOf('SELECT count(*) AS n FROM ticket')).toBe(30);
    await Promise.all(
      made.map(async (n) => {
        const ticket = { ...game, ticket: `tkt_${n}` };
        for (const playerId of [`a${n}`, `b${n}`]) {
          await connect(store, 'nod_a', playerId);
          await store.addToTicket({ ...ticket, playerId, newRef: `ply_${playerId}`, ...write() });
        }
        const promotion = { ...ticket, group: `grp_${n}`, ...write() };
        const [first, second] = await Promise.all([
          store.promoteTicket(promotion),
          other.promoteTicket({ ...promotion, group: `grp_${n}_again` }),
        ]);
        // Two at once: one promotes, and both return the same group.
        expect([first.kind, second.kind].sort()).toEqual(['again', 'promoted']);
        expect('group' in first && 'group' in second && first.group).toEqual(
          'group' in second && second.group,
        );
      }),
    );
    const pool = await store.listPool(game, 0, 100);
    expect(pool.map(({ poolPlace }) => poolPlace)).toEqual(made.map((_, i) => i + 1));
    const starts = await Promise.all(
      pool.map(({ id, group }, i) => {
        const n = Number(id.slice(4));
        const start = startOf(i, [0], [`a${n}`, `b${n}`]);
        const quota = { month: '2026-11', openSessionsMax: 20, sessionsPerMonthMax: 12 };
        const session = { ...start.session, quota };
        return (i % 2 === 0 ? store : other).startGroups({ ...start, groups: [group], session });
      }),
    );
    const kinds = Map.groupBy(starts, ({ kind }) => kind);
    expect([kinds.get('started')?.length, kinds.get('month_full')?.length]).toEqual([12, 18]);
    expect((await store.listPool(game, 0, 100)).length).toBe(18);
    expect(await numberOf('SELECT count(*) AS n FROM session')).toBe(12);
    expect(await numberOf(`SELECT n FROM counter WHERE name = 'open:live'`)).toBe(12);
    expect(await numberOf(`SELECT n FROM counter WHERE name = 'tickets:live'`)).toBe(18);
  });

  test("[M5][R2] a start that waits for a player's erasure locks no ticket that the erasure needs", async () => {
    const game = { ...WORLD, game: 'tictactoe' } as const;
    const ticket = { ...game, ticket: 'tkt_0' };
    await store.createTicket({ ...ticket, capacity: 2, openTicketsMax: 9, ...write() });
    for (const playerId of ['ann', 'ben']) {
      await connect(store, 'nod_a', playerId);
      await store.addToTicket({ ...ticket, playerId, newRef: `ply_${playerId}`, ...write() });
    }
    await store.promoteTicket({ ...ticket, group: 'grp_0', ...write() });
    const start = startOf(0, [0], ['ann', 'ben']);
    const seats = start.session.seats.map((seat) => ({ ...seat, displayName: 'New' }));
    const erasing = openDatabase({ url, max: 1, name: 'test', onHead: () => {} });
    let starting: Promise<unknown> = Promise.resolve();
    await erasing.transaction(async (tx) => {
      await tx.run(`SELECT FROM player WHERE player_id = 'ann' FOR UPDATE`);
      starting = store.startGroups({
        ...start,
        requireConnected: false,
        session: { ...start.session, seats },
      });
      await Bun.sleep(300);
      expect((await tx.all('SELECT id FROM ticket FOR UPDATE NOWAIT')).length).toBe(1);
    });
    expect(await starting).toEqual({ kind: 'started' });
    await erasing.close();
  });

  test(
    `[M2][M5][R2][N21] whatever two nodes do at once, no row contradicts another (seed ${TEST_SEED})`,
    async () => {
      const draw = makeDraw();
      const game = { ...WORLD, game: 'tictactoe' } as const;
      const tickets = Array.from({ length: 8 }, (_, n) => `tkt_${n}`);
      const players = Array.from({ length: 40 }, (_, n) => `player ${n}`);
      for (const player of players) await connect(store, 'nod_a', player);
      const before = await numberOf(DEADLOCKS);
      const failures: unknown[] = [];
      const act = (n: number): Promise<unknown> => {
        const at = n % 2 === 0 ? store : other;
        const ticket = { ...game, ticket: tickets[draw(tickets.length)]! };
        const group = `grp_${ticket.ticket.slice(4)}`;
        const playerId = players[draw(players.length)]!;
        const kind = draw(40);
        if (kind < 3) {
          const made = { ...game, ticket: `tkt_${n}`, capacity: 2, openTicketsMax: 1_000 };
          const place = draw(tickets.length);
          const last = { ...game, ticket: tickets[place]! };
          tickets[place] = made.ticket;
          return at
            .createTicket({ ...made, ...write() })
            .then(() => at.cancelTicket({ ...last, ...write() }));
        }
        if (kind < 19)
          return at.addToTicket({ ...ticket, playerId, newRef: `ply_${n}`, ...write() });
        if (kind < 21) return at.removeFromTicket({ ...ticket, playerId, ...write() });
        if (kind < 24) return at.promoteTicket({ ...ticket, group, ...write() });
        if (kind < 25) return at.cancelTicket({ ...ticket, ...write() });
        if (kind < 26) return at.cancelGroup({ ...game, group, ...write() });
        if (kind < 27) return at.erasePlayer(TENANT, WORLDS, playerId, T0);
        if (kind < 28) return connect(at, n % 2 === 0 ? 'nod_a' : 'nod_b', playerId);
        return kind < 36 ? wayToMatch(at, n) : startFound(at, n, group);
      };
      /** All steps to a match, while others want the same players and the ticket. */
      const wayToMatch = async (at: PostgresStore, n: number) => {
        const ticket = { ...game, ticket: `tkt_${n}` };
        tickets[draw(tickets.length)] = ticket.ticket;
        await at.createTicket({ ...ticket, capacity: 2, openTicketsMax: 1_000, ...write() });
        for (let i = 0; i < 4; i++) {
          const playerId = players[draw(players.length)]!;
          await at.addToTicket({ ...ticket, playerId, newRef: `ply_${n}_${i}`, ...write() });
        }
        await at.promoteTicket({ ...ticket, group: `grp_${n}`, ...write() });
        await startFound(at, n, `grp_${n}`);
      };
      const started = { count: 0 };
      const startFound = async (at: PostgresStore, n: number, group: string) => {
        const [found] = await at.findGroups(game, [group]);
        const seated = found?.players.flatMap(({ id }) => (id === null ? [] : [id])) ?? [];
        const start = startOf(n, [Number(group.slice(4))], seated);
        const outcome = await at.startGroups({ ...start, requireConnected: false });
        if (outcome.kind === 'started') started.count += 1;
      };
      for (let round = 0; round < 10; round++) {
        const acts = Array.from({ length: 120 }, (_, n) => act(1_000 + round * 120 + n));
        for (const each of await Promise.allSettled(acts)) {
          if (each.status === 'rejected') failures.push(each.reason);
        }
        expect(failures).toEqual([]);
        const wrong = await place.rows(`
          SELECT 'taken' AS what, id AS of FROM ticket WHERE taken <>
              (SELECT count(*) FROM ticket_player WHERE ticket = ticket.id)
          UNION ALL SELECT 'forming', ticket FROM ticket_player JOIN ticket ON ticket.id = ticket
              WHERE forming <> (status = 'forming')
          UNION ALL SELECT 'erased', ticket FROM ticket_player
              JOIN ticket ON ticket.id = ticket JOIN player ON ref = player
              WHERE player_id IS NULL AND ended_at IS NULL
          UNION ALL SELECT 'counter', name FROM counter WHERE name = 'tickets:live' AND n <>
              (SELECT count(*) FROM ticket WHERE ended_at IS NULL)
          UNION ALL SELECT 'open', name FROM counter WHERE name = 'open:live' AND n <>
              (SELECT count(*) FROM session)
          UNION ALL SELECT 'session', id FROM ticket WHERE status = 'started'
              AND NOT EXISTS (SELECT 1 FROM session WHERE session.id = ticket.session)
          UNION ALL SELECT 'seats', session.id FROM session WHERE
              (SELECT count(*) FROM seat WHERE seat.session = session.id) <> 2`);
        expect(wrong).toEqual([]);
        await store.removeTickets(T0 + 1, 1_000);
      }
      expect(started.count).toBeGreaterThan(10);
      console.error(`${started.count} starts, ${(await numberOf(DEADLOCKS)) - before} deadlocks`);
    },
    SLOW_MS,
  );

  function startOf(
    n: number,
    pair: readonly number[],
    players: readonly string[] = pair.map((group) => `player ${group}`),
  ): GroupsStart {
    const { row, quota } = sessionOf(n, { game: 'tictactoe' });
    return {
      ...WORLD,
      game: 'tictactoe',
      groups: pair.map((group) => `grp_${group}`),
      seats: { min: 2, max: 2 },
      requireConnected: true,
      session: {
        row: { ...row, matchType: 'hosted', status: 'active', startedAt: T0, endedAt: null },
        seats: players.map((player, seat) => seatOf(seat, player)),
        entries: [entryOf(0), entryOf(1)],
        wakeAt: null,
        quota: { ...quota, month: '2026-11' },
        events: [],
      },
      at: T0,
      eventIds: pair.map((_, index) => `evt_start_${n}_${index}`),
      idempotency: null,
    };
  }
});
