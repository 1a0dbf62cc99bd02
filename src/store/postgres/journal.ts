/** The journal in PostgreSQL: requests, usage, the audit as it is read, what the dashboard looks up. */

import { CHAIN_START } from '../../accounts/audit-chain.ts';
import type { GameId } from '../../games/game.ts';
import type { JournalStore, PeakSample, RequestRow } from '../journal.ts';
import {
  countKeyUsage,
  countUsage,
  toAudit,
  toKeyUsage,
  toPeak,
  toRequest,
  toUsage,
} from '../rows/journal-rows.ts';
import { MODE_OF_COUNTER, OPEN_COUNTERS, openCounter } from '../rows/open-counter.ts';
import { textOrNull } from '../rows/row.ts';
import { toTicket } from '../rows/ticket-rows.ts';
import { insertAudit } from './audit-rows.ts';
import type { Sql, Transactor, Tx } from './sql.ts';

/** Sessions looked at for one that began. */
const LOOKED_AT = 500;
/** After every id there is. */
const LAST = '\u{10ffff}';

export function makeJournalStore(db: Sql & Transactor): JournalStore {
  return {
    ...makeRequests(db),
    ...makeUsage(db),
    ...makeAudits(db),
    ...makeWorlds(db),
    ...makeMilestones(db),
  };
}

function makeRequests(db: Sql & Transactor) {
  const page = (more: string) =>
    `SELECT * FROM request WHERE tenant = $1 AND mode = $2 AND id < $3 ${more}
     ORDER BY id DESC LIMIT $4`;
  const [every, errors] = [page(''), page('AND status >= 400')];
  return {
    async logRequests(rows) {
      if (rows.length > 0) await db.transaction((tx) => logRequests(tx, rows));
    },
    async listRequests({ tenant, mode, errorsOnly, before, limit }) {
      const text = errorsOnly ? errors : every;
      return (await db.all(text, tenant, mode, before ?? LAST, limit)).map(toRequest);
    },
    async findRequest(tenant, mode, id) {
      const row = await db.get(
        'SELECT * FROM request WHERE tenant = $1 AND mode = $2 AND id = $3',
        tenant,
        mode,
        id,
      );
      return row === undefined ? null : toRequest(row);
    },
    removeRequests: (tenant, mode, before, limit) =>
      db.run(
        `DELETE FROM request WHERE tenant = $1 AND mode = $2 AND id IN (
           SELECT id FROM request WHERE tenant = $1 AND mode = $2 AND id < $3 ORDER BY id LIMIT $4)`,
        tenant,
        mode,
        before,
        limit,
      ),
  } satisfies Partial<JournalStore>;
}

function makeUsage(db: Sql & Transactor) {
  const countOf = async (tenant: string, name: string): Promise<number> => {
    const row = await db.get('SELECT n FROM counter WHERE tenant = $1 AND name = $2', tenant, name);
    return Number(row?.['n'] ?? 0);
  };
  return {
    async listUsage(tenant, mode, fromDay) {
      const rows = await db.all(
        `SELECT * FROM usage WHERE tenant = $1 AND mode = $2 AND day >= $3 ORDER BY day, kind`,
        tenant,
        mode,
        fromDay,
      );
      return rows.map(toUsage);
    },
    async listKeyUsage(tenant, from, to) {
      const rows = await db.all(
        `SELECT * FROM key_usage WHERE tenant = $1 AND day BETWEEN $2 AND $3
         ORDER BY day, key, mode, kind, game`,
        tenant,
        from,
        to,
      );
      return rows.map(toKeyUsage);
    },
    async listPeaks(tenant, from, to) {
      const rows = await db.all(
        `SELECT * FROM usage_peak WHERE tenant = $1 AND day BETWEEN $2 AND $3
         ORDER BY day, mode, kind`,
        tenant,
        from,
        to,
      );
      return rows.map(toPeak);
    },
    samplePeaks: (sample) => db.transaction((tx) => samplePeaks(tx, sample)),
    async planUse(tenant, mode, month) {
      const monthSessions = await countOf(tenant, `sessions:${month}`);
      return { monthSessions, openSessions: await countOf(tenant, openCounter({ mode })) };
    },
  } satisfies Partial<JournalStore>;
}

async function logRequests(tx: Tx, rows: readonly RequestRow[]): Promise<void> {
  const column = <Name extends keyof RequestRow>(name: Name) => rows.map((row) => row[name]);
  await tx.run(
    `INSERT INTO request (tenant, mode, id, at, method, route, status, code, took_ms, key, session)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[],
       $7::int[], $8::text[], $9::bigint[], $10::text[], $11::text[])
     ON CONFLICT DO NOTHING`,
    column('tenant'),
    column('mode'),
    column('id'),
    column('at'),
    column('method'),
    column('route'),
    column('status'),
    column('code'),
    column('tookMs'),
    column('keyId'),
    column('session'),
  );
  const counts = countUsage(rows);
  await tx.run(
    `INSERT INTO usage (tenant, mode, day, kind, n)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
       AS given (tenant, mode, day, kind, n) ORDER BY tenant, mode, day, kind
     ON CONFLICT (tenant, mode, day, kind) DO UPDATE SET n = usage.n + excluded.n`,
    counts.map(({ tenant }) => tenant),
    counts.map(({ mode }) => mode),
    counts.map(({ day }) => day),
    counts.map(({ kind }) => kind),
    counts.map(({ count }) => count),
  );
  const byKey = countKeyUsage(rows);
  await tx.run(
    `INSERT INTO key_usage (tenant, day, key, mode, kind, game, n)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
       $7::bigint[]) AS given (tenant, day, key, mode, kind, game, n)
     ORDER BY tenant, day, key, mode, kind, game
     ON CONFLICT (tenant, day, key, mode, kind, game) DO UPDATE SET n = key_usage.n + excluded.n`,
    byKey.map(({ tenant }) => tenant),
    byKey.map(({ day }) => day),
    byKey.map(({ keyId }) => keyId),
    byKey.map(({ mode }) => mode),
    byKey.map(({ kind }) => kind),
    byKey.map(({ game }) => game),
    byKey.map(({ count }) => count),
  );
}

/** Higher than what stands there, or as it is. In one order, so that nodes do not wait for each other in a ring. */
const RAISE = `ORDER BY tenant, mode ON CONFLICT (tenant, day, mode, kind) DO UPDATE
  SET n = excluded.n WHERE excluded.n > usage_peak.n`;

async function samplePeaks(
  tx: Tx,
  { node, at, day, sockets, staleBefore }: PeakSample,
): Promise<void> {
  await tx.run('DELETE FROM usage_now WHERE node = $1', node);
  // Another node may be just about to remove the same.
  await tx.run(
    `DELETE FROM usage_now WHERE (node, tenant, mode) IN (
       SELECT node, tenant, mode FROM usage_now WHERE at < $1 FOR UPDATE SKIP LOCKED)`,
    staleBefore,
  );
  await tx.run(
    `INSERT INTO usage_now (tenant, mode, node, n, at)
     SELECT tenant, mode, $1, n, $2 FROM unnest($3::text[], $4::text[], $5::bigint[])
       AS given (tenant, mode, n)`,
    node,
    at,
    sockets.map(({ tenant }) => tenant),
    sockets.map(({ mode }) => mode),
    sockets.map(({ count }) => count),
  );
  await tx.run(
    `INSERT INTO usage_peak (tenant, day, mode, kind, n)
     SELECT tenant, $1, mode, 'sockets', sum(n) FROM usage_now WHERE at >= $2
     GROUP BY tenant, mode ${RAISE}`,
    day,
    staleBefore,
  );
  await tx.run(
    `INSERT INTO usage_peak (tenant, day, mode, kind, n)
     SELECT tenant, $1, ${MODE_OF_COUNTER} AS mode, 'openSessions', sum(n) FROM counter
     WHERE name IN ${OPEN_COUNTERS} AND n > 0 GROUP BY tenant, ${MODE_OF_COUNTER} ${RAISE}`,
    day,
  );
}

function makeAudits(db: Sql & Transactor) {
  const newest = 'SELECT * FROM audit WHERE tenant = $1 AND n < $2 ORDER BY n DESC LIMIT $3';
  return {
    addAudit: (audit) => db.transaction((tx) => insertAudit(tx, audit)),
    async listAudit(tenant, before, limit) {
      return (await db.all(newest, tenant, before ?? Number.MAX_SAFE_INTEGER, limit)).map(toAudit);
    },
    async readAudit(tenant, after, limit) {
      const rows = await db.all(
        'SELECT * FROM audit WHERE tenant = $1 AND n > $2 ORDER BY n LIMIT $3',
        tenant,
        after,
        limit,
      );
      return rows.map(toAudit);
    },
    // Of the rows themselves: the head that writers lock is no witness of what can be read.
    async auditHead(tenant) {
      const row = await db.get(newest, tenant, Number.MAX_SAFE_INTEGER, 1);
      return row === undefined
        ? { n: 0, hash: CHAIN_START }
        : { n: Number(row['n']), hash: String(row['hash']) };
    },
  } satisfies Partial<JournalStore>;
}

function makeWorlds(db: Sql) {
  return {
    async findPlayers(tenant, world, prefix, limit) {
      const rows = await db.all(
        `SELECT player_id, display_name, created_at FROM player
         WHERE tenant = $1 AND world = $2 AND player_id >= $3 AND player_id < $4
         ORDER BY player_id LIMIT $5`,
        tenant,
        world,
        prefix,
        prefix + LAST,
        limit,
      );
      return rows.map((row) => ({
        playerId: String(row['player_id']),
        displayName: textOrNull(row['display_name']),
        createdAt: Number(row['created_at']),
      }));
    },
    async listOpenTickets(tenant, mode, limit) {
      const tickets = await db.all(
        `SELECT * FROM ticket WHERE tenant = $1 AND mode = $2 AND ended_at IS NULL
         ORDER BY id DESC LIMIT $3`,
        tenant,
        mode,
        limit,
      );
      const players = await db.all(
        `SELECT ticket, player_id, display_name FROM ticket_player
           JOIN player ON player.ref = ticket_player.player
         WHERE ticket = ANY($1::text[]) ORDER BY ticket, place`,
        tickets.map(({ id }) => String(id)),
      );
      const byTicket = Map.groupBy(players, ({ ticket }) => ticket);
      return tickets.map((row) => toTicket(row, byTicket.get(row['id']!) ?? []));
    },
    async listChecked(tenant, mode, from, limit) {
      const rows = await db.all(
        `SELECT id, game, created_at, integrity FROM session
         WHERE tenant = $1 AND mode = $2 AND integrity IS NOT NULL AND id >= $3
         ORDER BY id DESC LIMIT $4`,
        tenant,
        mode,
        from,
        limit,
      );
      return rows.map((row) => ({
        session: String(row['id']),
        game: row['game'] as GameId,
        createdAt: Number(row['created_at']),
        integrity: String(row['integrity']),
      }));
    },
    async sessionSteps(tenant, mode) {
      const rows = await db.all(
        `SELECT started_at, ended_at FROM session WHERE tenant = $1 AND mode = $2
         ORDER BY id DESC LIMIT ${LOOKED_AT}`,
        tenant,
        mode,
      );
      const started = rows.filter((row) => row['started_at'] !== null);
      return {
        made: rows.length > 0,
        started: started.length > 0,
        ended: started.some((row) => row['ended_at'] !== null),
      };
    },
  } satisfies Partial<JournalStore>;
}

function makeMilestones(db: Sql) {
  return {
    async listMilestones(tenant, mode) {
      const rows = await db.all(
        'SELECT name, at FROM milestone WHERE tenant = $1 AND mode = $2',
        tenant,
        mode,
      );
      return rows.map((row) => ({ name: String(row['name']), at: Number(row['at']) }));
    },
    async addMilestones(tenant, mode, steps) {
      await db.run(
        `INSERT INTO milestone (tenant, mode, name, at)
         SELECT $1, $2, name, at FROM unnest($3::text[], $4::bigint[]) AS given (name, at)
         ORDER BY name ON CONFLICT DO NOTHING`,
        tenant,
        mode,
        steps.map(({ name }) => name),
        steps.map(({ at }) => at),
      );
    },
    async listNodes() {
      const rows = await db.all('SELECT id, alive_at FROM node ORDER BY alive_at DESC LIMIT 50');
      return rows.map((row) => ({ id: String(row['id']), aliveAt: Number(row['alive_at']) }));
    },
  } satisfies Partial<JournalStore>;
}
