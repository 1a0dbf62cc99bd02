/** Failed sign-ins, by account and by address: counted over all nodes (rule D2). */

import { FORGET_MS, type TriedName, WAITS_MS } from '../../../accounts/login-brake.ts';
import type { LoginBrake } from '../../accounts.ts';
import { type Runner, scriptOfOne, type Tx } from '../shared/script.ts';

/** Rows removed at a time. */
const REMOVED_MAX = 10_000;

export function makeLoginBrake({ write }: Runner): LoginBrake {
  return {
    beginTry: (names, now) => write(BEGIN_TRY, { names, now }),
    async endTry(forgotten, uncounted) {
      await write(END_TRY, { forgotten, uncounted });
    },
  };
}

const NOW = ':now::bigint';
const FAILURES = `CASE WHEN login_try.forget_at <= ${NOW} THEN 1 ELSE login_try.failures + 1 END`;
const OVER = `${FAILURES} - excluded.free`;
const BLOCKED_UNTIL = `CASE WHEN ${OVER} < 0 THEN 0
  ${WAITS_MS.slice(0, -1)
    .map((ms, over) => `WHEN ${OVER} = ${over} THEN ${NOW} + ${ms}`)
    .join(' ')} ELSE ${NOW} + ${WAITS_MS.at(-1)} END`;

/**
 * Nothing is written if a name is blocked. A parallel attempt may come between; the second
 * condition catches it.
 */
const COUNT = `INSERT INTO login_try (name, free, failures, blocked_until, forget_at)
  SELECT name, free, 1, 0, ${NOW} + ${FORGET_MS} FROM @given(name text, free int)
   WHERE NOT EXISTS (SELECT 1 FROM login_try WHERE name IN :names(text) AND blocked_until > ${NOW})
  ON CONFLICT (name) DO UPDATE SET free = excluded.free, failures = ${FAILURES},
    blocked_until = ${BLOCKED_UNTIL}, forget_at = excluded.forget_at
   WHERE login_try.blocked_until <= ${NOW}
  RETURNING name`;

interface BeginTry {
  readonly names: readonly TriedName[];
  readonly now: number;
}

const BEGIN_TRY = scriptOfOne(
  'beginTry',
  async (tx, { names: given, now }: BeginTry): Promise<number> => {
    const names = given.map(({ name }) => name);
    // Rows are locked in a fixed order.
    const sorted = given.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const counted = await tx.all(COUNT, { given: sorted, names, now });
    if (counted.length === given.length) return 0;
    for (const { name } of counted) await uncount(tx, String(name));
    const row = await tx.get(
      'SELECT max(blocked_until) AS until FROM login_try WHERE name IN :names(text)',
      { names },
    );
    return Math.max(1, Number(row!['until'] ?? 0) - now);
  },
  { isLoose: true },
);

interface EndTry {
  readonly forgotten: readonly string[];
  readonly uncounted: readonly string[];
}

const END_TRY = scriptOfOne(
  'endTry',
  async (tx, { forgotten, uncounted }: EndTry) => {
    for (const name of forgotten)
      await tx.run('DELETE FROM login_try WHERE name = :name', { name });
    for (const name of uncounted) await uncount(tx, name);
    return null;
  },
  { isLoose: true },
);

/** Takes back one attempt. A name without failures is removed: it would take the place of one that has some. */
async function uncount(tx: Tx, name: string): Promise<void> {
  const left = await tx.run(
    `UPDATE login_try SET failures = failures - 1, blocked_until = 0
      WHERE name = :name AND failures > 1`,
    { name },
  );
  if (left > 0) return;
  await tx.run('DELETE FROM login_try WHERE name = :name AND failures <= 1', { name });
}

/** Removes expired rows, and the oldest if there are too many. Returns how many. */
export function removeOldTries(tx: Tx, now: number, namesMax: number): Promise<number> {
  return tx.run(
    `WITH gone AS (
       SELECT name FROM login_try
        WHERE forget_at <= ${NOW} OR forget_at <= (
          SELECT forget_at FROM login_try ORDER BY forget_at DESC LIMIT 1 OFFSET :namesMax)
        LIMIT ${REMOVED_MAX} FOR UPDATE SKIP LOCKED)
     DELETE FROM login_try WHERE name IN (SELECT name FROM gone)`,
    { now, namesMax },
  );
}

export const LOGIN_TRY_SCRIPTS = [BEGIN_TRY, END_TRY];
