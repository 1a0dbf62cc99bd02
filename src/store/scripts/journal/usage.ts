/** Requests with a key, their sums per day, and the peaks of what is open. */

import type { KeyMode } from '../../../tenancy/tenant.ts';
import type { JournalStore, PeakSample, RequestRow } from '../../journal.ts';
import {
  countKeyUsage,
  countUsage,
  toKeyUsage,
  toPeak,
  toRequest,
  toUsage,
} from '../../rows/journal-rows.ts';
import { MODE_OF_COUNTER, OPEN_COUNTERS, openCounter } from '../../rows/open-counter.ts';
import { openTicketsCounter } from '../../rows/ticket-rows.ts';
import { LAST_TEXT } from '../shared/last-text.ts';
import { type Runner, type Script, type Sql, scriptOfOne, type Tx } from '../shared/script.ts';
import { TENANT_REMAINS } from '../shared/tenant-remains.ts';

export function makeUsageCalls({ sql, write }: Runner) {
  return {
    ...makeReads(sql),
    async logRequests(rows) {
      if (rows.length > 0) await write(LOG, rows);
    },
    removeRequests: (tenant, mode, before, limit) => write(REMOVE, { tenant, mode, before, limit }),
    async samplePeaks(sample) {
      await write(SAMPLE, sample);
    },
  } satisfies Partial<JournalStore>;
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

const LOG: Script<readonly RequestRow[], null> = {
  name: 'logRequests',
  async act(tx, asks) {
    await logRequests(tx, asks.flat());
    return asks.map(() => null);
  },
};

async function logRequests(tx: Tx, rows: readonly RequestRow[]): Promise<void> {
  await tx.run(
    `INSERT INTO request (tenant, mode, id, at, method, route, status, code, took_ms, key, session,
       refusal)
     SELECT tenant, mode, id, at, method, route, status, code, took_ms, key_id, session, refusal
       FROM @given(tenant text, mode text, id text, at bigint, method text, route text, status int, code text,
         took_ms bigint, key_id text, session text, refusal text)
      WHERE ${TENANT_REMAINS} ON CONFLICT DO NOTHING`,
    { given: rows },
  );
  const counted = rows.filter(({ refusal = null }) => refusal === null);
  if (counted.length === 0) return;
  await tx.run(
    `INSERT INTO usage (tenant, mode, day, kind, n)
     SELECT tenant, mode, day, kind, count
       FROM @given(tenant text, mode text, day text, kind text, count bigint)
      WHERE ${TENANT_REMAINS} ORDER BY tenant, mode, day, kind
     ON CONFLICT (tenant, mode, day, kind) DO UPDATE SET n = usage.n + excluded.n`,
    { given: countUsage(counted) },
  );
  await tx.run(
    `INSERT INTO key_usage (tenant, day, key, mode, kind, game, n)
     SELECT tenant, day, key_id, mode, kind, game, count
       FROM @given(tenant text, day text, key_id text, mode text, kind text, game text, count bigint)
      WHERE ${TENANT_REMAINS} ORDER BY tenant, day, key_id, mode, kind, game
     ON CONFLICT (tenant, day, key, mode, kind, game) DO UPDATE SET n = key_usage.n + excluded.n`,
    { given: countKeyUsage(counted) },
  );
}

interface Remove {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly before: string;
  readonly limit: number;
}

const REMOVE = scriptOfOne('removeRequests', (tx, { tenant, mode, before, limit }: Remove) =>
  tx.run(
    `DELETE FROM request WHERE tenant = :tenant AND mode = :mode AND id IN (
       SELECT id FROM request WHERE tenant = :tenant AND mode = :mode AND id < :before
        ORDER BY id LIMIT :limit)`,
    { tenant, mode, before, limit },
  ),
);

/** A peak only rises. In a fixed order, so that nodes do not deadlock. */
const RAISE = `ORDER BY tenant, mode ON CONFLICT (tenant, day, mode, kind) DO UPDATE
  SET n = excluded.n WHERE excluded.n > usage_peak.n`;

const SAMPLE = scriptOfOne(
  'samplePeaks',
  async (tx, { node, at, day, sockets, staleBefore }: PeakSample) => {
    await tx.run('DELETE FROM usage_now WHERE node = :node', { node });
    // Another node may be removing the same rows.
    await tx.run(
      `DELETE FROM usage_now WHERE (node, tenant, mode) IN (
         SELECT node, tenant, mode FROM usage_now WHERE at < :stale FOR UPDATE SKIP LOCKED)`,
      { stale: staleBefore },
    );
    await tx.run(
      `INSERT INTO usage_now (tenant, mode, node, n, at)
       SELECT tenant, mode, :node, count, :at FROM @given(tenant text, mode text, count bigint)`,
      { node, at, given: sockets },
    );
    await tx.run(
      `INSERT INTO usage_peak (tenant, day, mode, kind, n)
       SELECT tenant, :day, mode, 'sockets', sum(n) FROM usage_now WHERE at >= :stale
       GROUP BY tenant, mode ${RAISE}`,
      { day, stale: staleBefore },
    );
    await tx.run(
      `INSERT INTO usage_peak (tenant, day, mode, kind, n)
       SELECT tenant, :day, ${MODE_OF_COUNTER} AS mode, 'openSessions', sum(n) FROM counter
       WHERE name IN ${OPEN_COUNTERS} AND n > 0 GROUP BY tenant, ${MODE_OF_COUNTER} ${RAISE}`,
      { day },
    );
    return null;
  },
);

export const USAGE_SCRIPTS = [LOG, REMOVE, SAMPLE];

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

const page = (more: string): string =>
  `SELECT * FROM request WHERE tenant = :tenant AND mode = :mode AND id < :before ${more}
   ORDER BY id DESC LIMIT :limit`;
const EVERY = page('');
const ERRORS = page('AND status >= 400');
const ABOUT = page('AND session = :session');
const ERRORS_ABOUT = page('AND session = :session AND status >= 400');

function makeReads(sql: Sql) {
  return {
    async listRequests({ tenant, mode, errorsOnly, session = null, before, limit }) {
      const of = { tenant, mode, before: before ?? LAST_TEXT, limit };
      const rows =
        session === null
          ? sql.all(errorsOnly ? ERRORS : EVERY, of)
          : sql.all(errorsOnly ? ERRORS_ABOUT : ABOUT, { ...of, session });
      return (await rows).map(toRequest);
    },
    async findRequest(tenant, mode, id) {
      const row = await sql.get(
        'SELECT * FROM request WHERE tenant = :tenant AND mode = :mode AND id = :id',
        { tenant, mode, id },
      );
      return row === undefined ? null : toRequest(row);
    },
    async listUsage(tenant, mode, fromDay) {
      const rows = await sql.all(
        `SELECT * FROM usage WHERE tenant = :tenant AND mode = :mode AND day >= :from
         ORDER BY day, kind`,
        { tenant, mode, from: fromDay },
      );
      return rows.map(toUsage);
    },
    async listKeyUsage(tenant, from, to) {
      const rows = await sql.all(
        `SELECT * FROM key_usage WHERE tenant = :tenant AND day BETWEEN :from AND :to
         ORDER BY day, key, mode, kind, game`,
        { tenant, from, to },
      );
      return rows.map(toKeyUsage);
    },
    async listPeaks(tenant, from, to) {
      const rows = await sql.all(
        `SELECT * FROM usage_peak WHERE tenant = :tenant AND day BETWEEN :from AND :to
         ORDER BY day, mode, kind`,
        { tenant, from, to },
      );
      return rows.map(toPeak);
    },
    async planUse(tenant, mode, month) {
      const names = [`sessions:${month}`, openCounter({ mode }), openTicketsCounter(mode)];
      const rows = await sql.all(
        'SELECT name, n FROM counter WHERE tenant = :tenant AND name IN :names(text)',
        { tenant, names },
      );
      const counts = new Map(rows.map(({ name, n }) => [name, Number(n)]));
      const [monthSessions, openSessions, openTickets] = names.map((name) => counts.get(name) ?? 0);
      return {
        monthSessions: monthSessions!,
        openSessions: openSessions!,
        openTickets: openTickets!,
      };
    },
  } satisfies Partial<JournalStore>;
}
