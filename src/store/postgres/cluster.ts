/** What nodes know of each other: leases by the database's clock, who holds a session, mail. */

import type { ClusterStore, ErasureStore, LeaseRow, MailStore, MemberStore } from '../cluster.ts';
import { textOrNull } from '../rows/row.ts';
import { FORGET_LATE_ANSWERS } from '../scripts/forgotten-answers.ts';
import type { Runner } from '../scripts/script.ts';
import type { Database } from './database.ts';
import { HAS_LEASE, NOW } from './lease.ts';
import { makeRunner } from './runner.ts';
import { idsOf, type Row, type Sql } from './sql.ts';
import { makeByKey, makeGathered } from './together.ts';

/** What is left of a node after it has gone is removed so much later, when another joins. Ms. */
const GONE_MS = 24 * 60 * 60 * 1_000;

/** Of several that come at once one finds a row asleep; the others see it as it was before. */
const CLAIM = `WITH asleep AS (
    SELECT session.id, asked.node
      FROM session JOIN unnest($1::text[], $2::text[]) AS asked (id, node) ON session.id = asked.id
     WHERE holder IS NULL AND status <> 'ended' ORDER BY session.id FOR UPDATE OF session),
  claimed AS (
    UPDATE session SET holder = asleep.node, due_node = NULL
      FROM asleep WHERE session.id = asleep.id
    RETURNING session.id, session.holder)
  SELECT id, holder, TRUE AS is_new FROM claimed
  UNION ALL
  SELECT session.id, session.holder, FALSE FROM session JOIN node ON node.id = session.holder
   WHERE session.id = ANY($1::text[]) AND ${HAS_LEASE}`;

const HOLDERS = `SELECT session.id, session.holder FROM session JOIN node ON node.id = session.holder
   WHERE session.id = ANY($1::text[]) AND ${HAS_LEASE}`;

/** The row is locked first: what it says of the lease before is what the update finds. */
const RENEW = `WITH before AS (SELECT id, lease_until FROM node WHERE id = $1 FOR UPDATE)
  UPDATE node
    SET lease_until = ${NOW} + $2, draining = $3, keys_audit = TRUE,
      alive_at = CASE WHEN $4 THEN alive_at ELSE ${NOW} END
    FROM before WHERE node.id = before.id
  RETURNING before.lease_until, ${NOW} AS now`;

/**
 * Every session that this process had is asked for at once when its lease is back, and by all its sockets: one by
 * one they would wait longer for a connection than anybody does.
 */
const TOGETHER = { lanes: 2, batchMax: 256 } as const;

/** `beats`: what leases are read and written with. They wait for nothing else. */
export function makeClusterStore(db: Database, beats: Sql = db): ClusterStore {
  return {
    ...makeLeases(beats),
    ...makeHolds(db),
    ...makeMailStore(db),
    ...makeErasureStore(db, makeRunner(db)),
  };
}

function makeLeases(db: Sql) {
  return {
    async renewLease(node, ttlMs, isDraining, owesTime = false) {
      const before = await db.get(RENEW, node, ttlMs, isDraining, owesTime);
      if (before === undefined) {
        await join(db, node, ttlMs, isDraining);
        return 'kept';
      }
      const leaseUntil = Number(before['lease_until']);
      // Nothing but a heartbeat was there before: there was no lease to lose.
      return leaseUntil === 0 || leaseUntil > Number(before['now']) ? 'kept' : 'lost';
    },
    async listLeases() {
      const rows = await db.all(
        `SELECT id, lease_until, alive_at, draining, ${HAS_LEASE} AS is_valid FROM node
          WHERE lease_until > 0 ORDER BY id COLLATE "C"`,
      );
      return rows.map(toLeaseRow);
    },
    async endLease(node, leftMs) {
      const ended = await db.run(
        `UPDATE node SET lease_until = ${NOW} WHERE id = $1 AND ${HAS_LEASE}
            AND lease_until <= ${NOW} + $2`,
        node,
        leftMs,
      );
      return ended > 0;
    },
    async removeNode(node) {
      await db.run(`UPDATE node SET lease_until = least(lease_until, ${NOW}) WHERE id = $1`, node);
      await db.run('DELETE FROM mail WHERE to_node = $1', node);
    },
  } satisfies Partial<MemberStore>;
}

/** Whose sessions are. */
function makeHolds(db: Sql) {
  const findHolder = makeByKey(db, TOGETHER, HOLDERS);
  const claimNow = (asks: readonly ClaimAsk[]) => claimAll(db, asks);
  const claim = makeGathered(TOGETHER, claimNow, ({ session }) => session);
  return {
    holderOf: async (session) => textOrNull((await findHolder(session))?.['holder']),
    async claim(node, session) {
      const row = await claim({ node, session });
      return {
        holder: textOrNull(row?.['holder']),
        isNew: row?.['is_new'] === true,
      };
    },
    async listStrays(node, sessions) {
      const rows = await db.all(
        `SELECT id FROM session WHERE id = ANY($1::text[]) AND (holder <> $2 OR status = 'ended')`,
        sessions,
        node,
      );
      return idsOf(rows);
    },
    async listHeld(node, after, limit) {
      const rows = await db.all(
        'SELECT id FROM session WHERE holder = $1 AND id > $2 ORDER BY id LIMIT $3',
        node,
        after,
        limit,
      );
      return idsOf(rows);
    },
  } satisfies Partial<MemberStore>;
}

interface ClaimAsk {
  readonly node: string;
  readonly session: string;
}

/** Of different sessions. */
async function claimAll(db: Sql, asks: readonly ClaimAsk[]): Promise<readonly (Row | undefined)[]> {
  const sessions = asks.map(({ session }) => session);
  const nodes = asks.map(({ node }) => node);
  const byId = new Map((await db.all(CLAIM, sessions, nodes)).map((row) => [row['id'], row]));
  return sessions.map((session) => byId.get(session));
}

/** A new node. What is left of those before is removed; the last sign of life of any of them stays. */
async function join(db: Sql, node: string, ttlMs: number, isDraining: boolean): Promise<void> {
  await db.run(
    `INSERT INTO node (id, lease_until, alive_at, draining, keys_audit)
       VALUES ($1, ${NOW} + $2, ${NOW}, $3, TRUE)
     ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until, keys_audit = TRUE`,
    node,
    ttlMs,
    isDraining,
  );
  await db.run(
    `DELETE FROM node WHERE lease_until < ${NOW} - $1 AND alive_at < ${NOW} - $1
        AND alive_at < (SELECT max(alive_at) FROM node)`,
    GONE_MS,
  );
  await db.run('DELETE FROM mail WHERE NOT EXISTS (SELECT FROM node WHERE node.id = to_node)');
}

function makeErasureStore(db: Sql, { write }: Runner): ErasureStore {
  return {
    async erasureRevision() {
      const row = await db.get("SELECT n FROM revision WHERE name = 'erasures'");
      return Number(row?.['n'] ?? 0);
    },
    async listErased(sessions) {
      const rows = await db.all(
        // Seat by seat: a join may begin at all players there are, for the few who were erased.
        `SELECT session, seat, (SELECT erased_at FROM player WHERE ref = seat.player) AS at
           FROM seat WHERE session = ANY($1::text[])
            AND (SELECT player_id IS NULL FROM player WHERE ref = seat.player)`,
        sessions,
      );
      return rows.map(({ session, seat, at }) => ({
        session: String(session),
        seat: Number(seat),
        at: Number(at),
      }));
    },
    async forgetAnswers(tenant, world, playerId) {
      await write(FORGET_LATE_ANSWERS, { tenant, world, playerId });
    },
  };
}

function toLeaseRow(row: Row): LeaseRow {
  return {
    node: String(row['id']),
    leaseUntil: Number(row['lease_until']),
    aliveAt: Number(row['alive_at']),
    isDraining: row['draining'] === true,
    isValid: row['is_valid'] === true,
  };
}

function makeMailStore(db: Sql): MailStore {
  /** Numbers the texts of this process, so that they are taken in their order. */
  let count = 0;
  return {
    async putMail(to, from, texts) {
      const before = count;
      count += texts.length;
      await db.run(
        `INSERT INTO mail (to_node, from_node, n, at, body)
           SELECT $1, $2, $3::bigint + place, ${NOW}, body
             FROM unnest($4::text[]) WITH ORDINALITY AS given (body, place)
            WHERE EXISTS (SELECT FROM node WHERE node.id = $1 AND ${HAS_LEASE})`,
        to,
        from,
        before,
        texts,
      );
    },
    async takeMail(node, limit) {
      const rows = await db.all(
        `DELETE FROM mail WHERE to_node = $1 AND (from_node, n) IN (
           SELECT from_node, n FROM mail WHERE to_node = $1 ORDER BY at, from_node, n LIMIT $2)
         RETURNING from_node, n, at, body`,
        node,
        limit,
      );
      return [...rows].sort(inOrder).map((row) => ({
        from: String(row['from_node']),
        text: String(row['body']),
      }));
    },
  };
}

function inOrder(a: Row, b: Row): number {
  const byTime = Number(a['at']) - Number(b['at']);
  return byTime === 0 ? Number(a['n']) - Number(b['n']) : byTime;
}
