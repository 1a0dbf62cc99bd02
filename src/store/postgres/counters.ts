/** Counters of tenants: rows under lock, so that nothing is counted past its limit. */

import type { Tx } from './sql.ts';

export interface Counter {
  readonly tenant: string;
  readonly name: string;
}

/** Counts one more, unless `max` are counted: then it answers false. Null is no limit. */
export async function count(
  tx: Tx,
  tenant: string,
  name: string,
  max: number | null,
): Promise<boolean> {
  if (max !== null && max <= 0) return false;
  const changes = await tx.run(
    `INSERT INTO counter (tenant, name, n) VALUES ($1, $2, 1)
     ON CONFLICT (tenant, name) DO UPDATE SET n = counter.n + 1 WHERE counter.n < $3`,
    tenant,
    name,
    max ?? Number.MAX_SAFE_INTEGER,
  );
  return changes > 0;
}

export async function uncount(tx: Tx, tenant: string, name: string, by: number = 1): Promise<void> {
  await tx.run('UPDATE counter SET n = n - $3 WHERE tenant = $1 AND name = $2', tenant, name, by);
}

/** Counts one less for each; a counter may stand there several times. */
export async function uncountAll(tx: Tx, counters: readonly Counter[]): Promise<void> {
  const groups = Map.groupBy(counters, counterKey);
  for (const key of [...groups.keys()].sort()) {
    const group = groups.get(key)!;
    await uncount(tx, group[0]!.tenant, group[0]!.name, group.length);
  }
}

/** A counter as the key of a map; these keys have the order in which counters are locked. */
export function counterKey({ tenant, name }: Counter): string {
  return `${tenant}\n${name}`;
}

/**
 * Counts one more for each, a counter may stand there several times; answers what they stand at now,
 * by `counterKey`. Until the transaction ends nobody else counts with them.
 */
export async function countAll(
  tx: Tx,
  counters: readonly Counter[],
): Promise<ReadonlyMap<string, number>> {
  const groups = Map.groupBy(counters, counterKey);
  const sorted = [...groups.keys()].sort().map((key) => groups.get(key)!);
  const rows = await tx.all(
    `INSERT INTO counter (tenant, name, n)
     SELECT tenant, name, n FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY
       AS given (tenant, name, n, place) ORDER BY place
     ON CONFLICT (tenant, name) DO UPDATE SET n = counter.n + excluded.n RETURNING tenant, name, n`,
    sorted.map(([first]) => first!.tenant),
    sorted.map(([first]) => first!.name),
    sorted.map((group) => group.length),
  );
  return new Map(
    rows.map(({ tenant, name, n }) => [
      counterKey({ tenant: String(tenant), name: String(name) }),
      Number(n),
    ]),
  );
}
