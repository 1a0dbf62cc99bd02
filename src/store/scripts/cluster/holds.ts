/** Session owners: who owns one, and how a node claims one that nobody owns. */

import type { Claim, MemberStore } from '../../cluster.ts';
import type { Row } from '../../rows/row.ts';
import { textOrNull } from '../../rows/row.ts';
import { HAS_LEASE } from '../shared/leases.ts';
import type { Runner, Script, Sql, Tx } from '../shared/script.ts';

/** Not for a node whose lease has expired. */
const HOLDERS = `SELECT session.id, session.holder FROM session JOIN node ON node.id = session.holder
   WHERE session.id IN :sessions(text) AND ${HAS_LEASE}`;

/**
 * When its lease is back, a process asks for all its sessions at once, as do their sockets: one
 * statement each would wait too long for a connection.
 */
const MANY = { lanes: 2, batchMax: 256 } as const;

export function makeHoldStore({
  sql,
  gather,
  write,
}: Runner): Pick<MemberStore, 'holderOf' | 'claim' | 'listToRelease' | 'listHeld'> {
  return {
    holderOf: gather((sessions: readonly string[]) => holdersOf(sql, sessions), MANY),
    claim: (node, session) => write(CLAIM, { node, session }),
    async listToRelease(node, sessions) {
      const rows = await sql.all(
        `SELECT id FROM session
          WHERE id IN :sessions(text) AND (holder <> :node OR status = 'ended')`,
        { sessions, node },
      );
      return rows.map(toId);
    },
    async listHeld(node, after, limit) {
      const rows = await sql.all(
        'SELECT id FROM session WHERE holder = :node AND id > :after ORDER BY id LIMIT :limit',
        { node, after, limit },
      );
      return rows.map(toId);
    },
  };
}

function toId({ id }: Row): string {
  return String(id);
}

async function holdersOf(
  sql: Sql,
  sessions: readonly string[],
): Promise<readonly (string | null)[]> {
  const rows = await sql.all(HOLDERS, { sessions: [...new Set(sessions)] });
  const holders = new Map(rows.map(({ id, holder }) => [String(id), textOrNull(holder)]));
  return sessions.map((session) => holders.get(session) ?? null);
}

interface ClaimAsk {
  readonly node: string;
  readonly session: string;
}

/** Nearly always one statement; sessions that are not asleep are looked up by a second one. */
const CLAIM: Script<ClaimAsk, Claim> = { name: 'claimSession', isLoose: true, act: claimAll };

export const HOLD_SCRIPTS = [CLAIM];

/** Of several parallel claims one finds the row asleep. */
const TAKE = `UPDATE session SET holder = asleep.node, due_node = NULL FROM (
    SELECT session.id AS session, given.node FROM session JOIN @given(session text, node text)
        ON session.id = given.session
     WHERE holder IS NULL AND status <> 'ended' ORDER BY session.id FOR UPDATE OF session) AS asleep
   WHERE session.id = asleep.session
  RETURNING id`;

async function claimAll(tx: Tx, asks: readonly ClaimAsk[]): Promise<readonly Claim[]> {
  /** The first ask of each session. */
  const firsts = new Map<string, ClaimAsk>();
  for (const ask of asks) if (!firsts.has(ask.session)) firsts.set(ask.session, ask);
  const taken = new Set((await tx.all(TAKE, { given: [...firsts.values()] })).map(toId));
  const isNew = (ask: ClaimAsk) => taken.has(ask.session) && firsts.get(ask.session) === ask;
  const others = asks.filter((ask) => !isNew(ask));
  const holders =
    others.length === 0
      ? []
      : await holdersOf(
          tx,
          others.map(({ session }) => session),
        );
  const held = new Map(others.map((ask, i) => [ask, holders[i]!]));
  return asks.map((ask) =>
    isNew(ask) ? { holder: ask.node, isNew: true } : { holder: held.get(ask)!, isNew: false },
  );
}
