/** Two nodes get one request at the same time: one performs it, and its response stands (rule H8). */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { migratedDatabase } from '../../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../../testing/servers/postgres.ts';
import {
  answerOf,
  append,
  created,
  entryOf,
  filterOf,
  seatOf,
  sessionOf,
  T0,
  TENANT,
} from '../../contract/stage.ts';
import { AnsweredBefore } from '../../shared/answered-before.ts';
import { openPostgresStore, type PostgresStore } from '../postgres-store.ts';

setDefaultTimeout(60_000);

const WORLD = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;

describe.skipIf(!isPostgresHere())('one request on two nodes', () => {
  let a: PostgresStore;
  let b: PostgresStore;
  beforeAll(async () => {
    const url = await migratedDatabase();
    a = await openPostgresStore({ url, node: 'nod_a' });
    b = await openPostgresStore({ url, node: 'nod_b' });
  });
  afterAll(async () => {
    await Promise.all([a.close(), b.close()]);
  });

  /** The result of each: `done`, or the error's name. */
  const outcomes = async (calls: readonly Promise<unknown>[]): Promise<string[]> => {
    const settled = await Promise.allSettled(calls);
    return settled
      .map((each) =>
        each.status === 'fulfilled' ? 'done' : (each.reason as Error).constructor.name,
      )
      .sort();
  };
  const ONE = [AnsweredBefore.name, 'done'];

  test('[H8] of creates with one key one creates a session, and others beside it are created', async () => {
    const idempotency = answerOf('create');
    const calls = [
      a.createSession(sessionOf(1, { idempotency })),
      b.createSession(sessionOf(2, { idempotency })),
      // These share transactions with them.
      a.createSession(sessionOf(3)),
      b.createSession(sessionOf(4)),
    ];
    expect(await outcomes(calls)).toEqual([...ONE, 'done', 'done']);
    expect((await a.listSessions(filterOf())).length).toBe(3);
  });

  test('[H8] of tickets with one key one is created', async () => {
    const make = (store: PostgresStore, n: number) =>
      store.createTicket({
        ...WORLD,
        ticket: `tkt_${n}`,
        capacity: 2,
        openTicketsMax: 9,
        at: T0,
        eventId: `evt_${n}`,
        idempotency: answerOf('ticket'),
      });
    expect(await outcomes([make(a, 1), make(b, 2)])).toEqual(ONE);
    const found = await Promise.all(
      [1, 2].map((n) => a.findTicket({ ...WORLD, ticket: `tkt_${n}` })),
    );
    expect(found.filter((each) => each !== null).length).toBe(1);
  });

  test('[H8][STORE] a commit whose response is stored already leaves no record', async () => {
    const session = await created(a, 10);
    await a.keepIdempotent(answerOf('join'));
    const change = { seats: [seatOf(1, 'bob')], idempotency: answerOf('join') };
    expect(await append(b, session, [entryOf(1)], change)).not.toBe('committed');
    const { entries, roster } = (await a.loadSession(session))!;
    expect([entries.length, roster.length]).toEqual([1, 0]);
    // Stored alone, the first response stands, and the second is no error.
    await b.keepIdempotent(answerOf('join', { status: 409 }));
    const { tenant, mode, method, path, key } = answerOf('join');
    const kept = await b.findIdempotent({ tenant, mode, method, path, key }, T0);
    expect(kept?.status).toBe(201);
  });
});
