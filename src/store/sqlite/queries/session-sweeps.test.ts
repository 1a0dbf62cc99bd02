/** Sweeps in SQLite never scan all rows: other writes wait for them. */

import { afterAll, expect, test } from 'bun:test';
import { DatabaseSync } from 'node:sqlite';
import { TENANT } from '../../contract/stage.ts';
import { SESSION_SWEEP_SCRIPTS } from '../../scripts/sessions/session-sweeps.ts';
import type { Script } from '../../scripts/shared/script.ts';
import { migrate } from '../file/migrate.ts';
import { makeTx } from '../sql/script-sql.ts';
import { makeStatements, type WriterTools } from '../sql/statements.ts';

const db = new DatabaseSync(':memory:');
migrate(db);
afterAll(() => db.close());

const GUEST = `guest:${'0'.repeat(26)}`;

/** A session that ended with a guest in it, and a leftover guest. */
function fill(): void {
  db.exec(`INSERT INTO player (ref, tenant, world, player_id, created_at)
    VALUES ('ply_a', '${TENANT}', 'live', '${GUEST}', 0), ('ply_b', '${TENANT}', 'live', '${GUEST.slice(0, -1)}1', 0)`);
  db.exec(`INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, created_at,
      ended_at, metadata)
    VALUES ('ses_a', '${TENANT}', 'training', 'pool', 'private', 'standard', 'ended', 'A', 0, 1, '{"a":"b"}')`);
  db.exec("INSERT INTO seat (session, seat, player, is_bot) VALUES ('ses_a', 0, 'ply_a', 0)");
}

const statements = makeStatements(db);
const plans: string[] = [];
function explain(text: string, values: Parameters<typeof statements.run>[1][]): void {
  const explained = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values);
  plans.push(...explained.map(({ detail }) => String(detail)));
}
const tools: WriterTools = {
  ...statements,
  all(text, ...values) {
    explain(text, values);
    return statements.all(text, ...values);
  },
  run(text, ...values) {
    explain(text, values);
    return statements.run(text, ...values);
  },
  emit: () => {},
  present: new Set(),
  auditKeys: { keys: [] },
};
const scriptOf = (name: string) =>
  SESSION_SWEEP_SCRIPTS.find((each) => each.name === name) as Script<unknown, unknown>;

test('[R1][S6] each sweep finds its rows by an index', async () => {
  fill();
  const tx = makeTx(tools);
  const past = { tenant: TENANT, mode: 'training', endedBefore: 2, limit: 9 };
  const left = { tenant: TENANT, world: 'live', after: '', limit: 9 };
  expect(await scriptOf('indexMetadata').act(tx, [9, 9])).toEqual([1, 0]);
  expect(db.prepare('SELECT session FROM session_metadata').all().length).toBe(1);
  expect(await scriptOf('removeSessions').act(tx, [past, past])).toEqual([1, 0]);
  expect(await scriptOf('removeGuests').act(tx, [left, left])).toEqual([
    { removed: 1, last: null },
    { removed: 0, last: null },
  ]);
  for (const table of ['session', 'session_metadata', 'seat', 'player']) {
    expect(db.prepare(`SELECT * FROM ${table}`).all()).toEqual([]);
  }
  const walks = plans.filter((step) => /^SCAN \w+$/.test(step) && step !== 'SCAN given');
  expect(walks).toEqual([]);
  expect(plans).toContain('SCAN session USING INDEX session_unindexed');
});
