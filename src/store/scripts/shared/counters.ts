/** Counters of tenants: rows under lock, so that no count exceeds its limit. */

import type { Row } from '../../rows/row.ts';
import { Refused } from './refused.ts';
import type { Sql, Tx } from './script.ts';

export interface Counter {
  readonly tenant: string;
  readonly name: string;
}

/** A counter's map key. Counters are locked in the order of these keys. */
export function counterKey({ tenant, name }: Counter): string {
  return `${tenant}\n${name}`;
}

/** Current counts, by `counterKey`; a counter that was never used is absent. Takes no locks. */
export async function readCounters(
  sql: Sql,
  counters: readonly Counter[],
): Promise<ReadonlyMap<string, number>> {
  const given = inOrder(counters).map(([first]) => first!);
  return toCounts(
    await sql.all(
      `SELECT tenant, name, n FROM counter
        WHERE (tenant, name) IN (SELECT tenant, name FROM @given(tenant text, name text))`,
      { given },
    ),
  );
}

/**
 * Adds one to each counter, once per occurrence. Returns the new counts, by `counterKey`. The
 * counters stay locked until the transaction ends.
 */
export async function countAll(
  tx: Tx,
  counters: readonly Counter[],
): Promise<ReadonlyMap<string, number>> {
  const given = inOrder(counters).map((group) => ({ ...group[0]!, n: group.length }));
  return toCounts(
    await tx.all(
      `INSERT INTO counter (tenant, name, n)
       SELECT tenant, name, n FROM @given(tenant text, name text, n bigint, i place)
        WHERE TRUE ORDER BY i
       ON CONFLICT (tenant, name) DO UPDATE SET n = counter.n + excluded.n RETURNING tenant, name, n`,
      { given },
    ),
  );
}

/** A counter that an ask increments, and the answer when the counter is full. */
export interface Limit<Answer> {
  readonly counter: Counter;
  /** Null: no limit. */
  readonly max: number | null;
  readonly refusal: Answer;
}

/**
 * Counts each ask, in order, on all its counters. If there is not room for all, throws `Refused`
 * for the later ones.
 */
export async function countWithin<Ask, Answer>(
  tx: Tx,
  asks: readonly Ask[],
  limitsOf: (ask: Ask) => readonly Limit<Answer>[],
): Promise<void> {
  if (asks.length === 0) return;
  const limited = asks.map((ask) => ({ ask, limits: limitsOf(ask) }));
  const counters = limited.flatMap(({ limits }) => limits.map(({ counter }) => counter));
  const counts = new Map(await countAll(tx, counters));
  // Back to the old counts, to add the asks one by one.
  for (const counter of counters) addTo(counts, counter, -1);
  const refusals = new Map<Ask, Answer>();
  for (const { ask, limits } of limited) {
    const full = limits.find(
      ({ counter, max }) => max !== null && counts.get(counterKey(counter))! >= max,
    );
    if (full !== undefined) refusals.set(ask, full.refusal);
    else for (const { counter } of limits) addTo(counts, counter, 1);
  }
  if (refusals.size > 0) throw new Refused(refusals);
}

function addTo(counts: Map<string, number>, counter: Counter, n: number): void {
  const key = counterKey(counter);
  counts.set(key, counts.get(key)! + n);
}

/** Subtracts one from each counter, once per occurrence. */
export async function uncountAll(tx: Tx, counters: readonly Counter[]): Promise<void> {
  for (const group of inOrder(counters)) {
    const { tenant, name } = group[0]!;
    await tx.run('UPDATE counter SET n = n - :by WHERE tenant = :tenant AND name = :name', {
      tenant,
      name,
      by: group.length,
    });
  }
}

/** Grouped by counter, in locking order. */
function inOrder(counters: readonly Counter[]): readonly (readonly Counter[])[] {
  const groups = Map.groupBy(counters, counterKey);
  return [...groups.keys()].sort().map((key) => groups.get(key)!);
}

function toCounts(rows: readonly Row[]): ReadonlyMap<string, number> {
  return new Map(
    rows.map(({ tenant, name, n }) => [
      counterKey({ tenant: String(tenant), name: String(name) }),
      Number(n),
    ]),
  );
}
