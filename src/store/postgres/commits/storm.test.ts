/** Lobbies that connect at the same time: after a node dies, all of its players look for their sessions. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { migratedDatabase } from '../../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../../testing/servers/postgres.ts';
import { seatOf, sessionId, sessionOf, TENANT } from '../../contract/stage.ts';
import { makeSessionListStore } from '../../scripts/sessions/session-lists.ts';
import { makeSessionLoads } from '../../scripts/sessions/session-loads.ts';
import { type Database, openDatabase } from '../connect/database.ts';
import type { Value } from '../connect/sql.ts';
import { openPostgresStore } from '../postgres-store.ts';
import { makeRunner } from '../runner.ts';

setDefaultTimeout(60_000);

const SESSIONS = 1_000;
const LOBBIES = 20_000;
/** Two tenants have players with the same ids, and each has half of all sessions. */
const TENANTS = [TENANT, 'ten_b'] as const;

describe.skipIf(!isPostgresHere())('a storm of lobbies', () => {
  test('[P1] each of twenty thousand gets its own sessions, with some hundred statements in all', async () => {
    const url = await migratedDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const news = Array.from({ length: SESSIONS }, (_, n) =>
      sessionOf(n, {
        tenant: TENANTS[n % 2]!,
        mode: n % 3 === 0 ? 'test' : 'live',
        seats: [seatOf(0, `p${n >> 2}`), seatOf(1, `q${n}`)],
      }),
    );
    await Promise.all(news.map((each) => store.createSession(each)));
    const { reads, asked, lastPlan } = withTexts(
      openDatabase({ url, name: 'test', max: 4, onHead: () => {} }),
    );
    const runner = makeRunner(reads);
    const { loadSession } = makeSessionLoads(runner);
    const { listOpenSessionsOf } = makeSessionListStore(runner);

    const lobbies = Array.from({ length: LOBBIES }, (_, n) => {
      const player = n % 5 === 0 ? 'nobody' : `p${n % 250}`;
      return { tenant: TENANTS[n & 1]!, mode: n % 7 < 3 ? 'test' : 'live', player } as const;
    });
    const listed = await Promise.all(
      lobbies.map(({ tenant, mode, player }) => listOpenSessionsOf(tenant, mode, player)),
    );

    for (const [i, { tenant, mode, player }] of lobbies.entries()) {
      const ids = news.flatMap(({ row }, n) =>
        row.tenant === tenant && row.mode === mode && player === `p${n >> 2}` ? [sessionId(n)] : [],
      );
      expect(listed[i]).toEqual(ids);
    }
    expect(asked.length).toBeLessThan(500);
    // Without statistics, as after a restore, a plan still starts from the player.
    expect(await lastPlan()).not.toContain('Seq Scan');
    await Promise.all(news.map(({ row }) => loadSession(row.id)));
    expect(await lastPlan()).not.toContain('Seq Scan on player');
    await Promise.all([reads.close(), store.close()]);
  });
});

/** The database, its statements so far, and the plan of the last one. */
function withTexts(db: Database) {
  const asked: (readonly [string, readonly Value[]])[] = [];
  const all: Database['all'] = (text, ...values) => {
    asked.push([text, values]);
    return db.all(text, ...values);
  };
  const lastPlan = async (): Promise<string> => {
    const [text, values] = asked.at(-1)!;
    return JSON.stringify(await db.all(`EXPLAIN ${text}`, ...values));
  };
  return { reads: { ...db, all }, asked, lastPlan };
}
