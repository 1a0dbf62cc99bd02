/**
 * Database events, recorded by triggers as they are committed: who wrote a record, when, and who
 * owned the session until then. No table has that. For the checks only.
 */

import type { DatabaseSync } from 'node:sqlite';
import { worldName } from '../../src/events/event.ts';
import { SINGLE_PROCESS } from '../../src/store/shared/single-process.ts';
import type { KeyMode } from '../../src/tenancy/tenant.ts';

/** The writer of a record, in addition to the record itself. */
export interface StoredRecord {
  /** An `Entry` as JSON. */
  readonly text: string;
  /** The node whose commit it was. */
  readonly by: string;
  /** When the database took it, by the true time; ms since 1970. */
  readonly writtenAt: number;
  /** That node had read the session since the previous record: it may have loaded it. */
  readonly isLoaded: boolean;
  /** Nodes that had claimed the session since then, or were given it as a dead node's. */
  readonly takers: readonly string[];
  /** The session had no owner until then, or until that node claimed it. */
  readonly slept: boolean;
}

export interface WatchedSession {
  readonly log: StoredRecord[];
  status: string;
  /** The node that holds it; null when it sleeps or has ended. */
  holder: string | null;
  /** The node that claimed it as it slept, and holds it since. */
  claimedBy: string | null;
  /** Since its last record: the nodes that read it, and those that took it. */
  readonly readers: Set<string>;
  readonly takers: Set<string>;
}

export interface WatchListener {
  /** The true time, ms since 1970. */
  now(): number;
  /** A connected player is added to a ticket. */
  added(playerId: string): void;
  /**
   * A node becomes a session's owner by its log. `holder` was the owner until then: null for none,
   * and for one that claimed it without writing.
   */
  owned(session: string, node: string, holder: string | null): void;
}

export interface Watch {
  readonly sessions: ReadonlyMap<string, WatchedSession>;
  /** The last place in each world's log of events. */
  readonly heads: ReadonlyMap<string, number>;
  /** When each node's last heartbeat was written, ms since 1970: it may have died on its way. */
  readonly signs: ReadonlyMap<string, number>;
  /** Until when each node's lease is, ms since 1970. */
  readonly leases: ReadonlyMap<string, number>;
  /** A new run: nothing is there. */
  reset(listener: WatchListener): void;
  /** A node has read a session. */
  read(session: string, node: string): void;
  /** A transaction of a node begins; what it does counts when it is committed. */
  begin(node: string): void;
  commit(): void;
}

const TRIGGERS = [
  `CREATE TEMP TRIGGER watch_log AFTER INSERT ON main.log
   BEGIN SELECT seen_record(NEW.session, NEW.v, NEW.at, NEW.record); END`,
  `CREATE TEMP TRIGGER watch_created AFTER INSERT ON main.session
   BEGIN SELECT seen_session(NEW.id, NEW.status, NEW.holder, 1); END`,
  `CREATE TEMP TRIGGER watch_session AFTER UPDATE OF status, holder ON main.session
   BEGIN SELECT seen_session(NEW.id, NEW.status, NEW.holder, 0); END`,
  `CREATE TEMP TRIGGER watch_player AFTER INSERT ON main.ticket_player
   BEGIN SELECT seen_player((SELECT player_id FROM player WHERE ref = NEW.player)); END`,
  ...['INSERT', 'UPDATE'].flatMap((act) => [
    `CREATE TEMP TRIGGER watch_head_${act} AFTER ${act} ON main.event_head
     BEGIN SELECT seen_head(NEW.tenant, NEW.mode, NEW.seq); END`,
    `CREATE TEMP TRIGGER watch_node_${act} AFTER ${act} ON main.node WHEN NEW.lease_until > 0
     BEGIN SELECT seen_node(NEW.id, NEW.lease_until, NEW.alive_at); END`,
  ]),
];

/** A transaction's effect on a session. */
interface Touched {
  readonly texts: string[];
  isNew: boolean;
  /** Null if its row was unchanged. */
  row: { readonly status: string; readonly holder: string | null } | null;
}

/** Holds a transaction's effects until it is committed. */
interface Aside {
  by: string;
  readonly touched: Map<string, Touched>;
  readonly others: (() => void)[];
}

interface Seen {
  readonly sessions: Map<string, WatchedSession>;
  readonly heads: Map<string, number>;
  readonly signs: Map<string, number>;
  readonly leases: Map<string, number>;
  listener: WatchListener;
}

const NOBODY: WatchListener = { now: () => 0, added() {}, owned() {} };

export function watchDatabase(db: DatabaseSync): Watch {
  const seen: Seen = {
    sessions: new Map(),
    heads: new Map(),
    signs: new Map(),
    leases: new Map(),
    listener: NOBODY,
  };
  const aside: Aside = { by: '', touched: new Map(), others: [] };
  addFunctions(db, seen, aside);
  for (const text of TRIGGERS) db.exec(text);
  const clear = (): void => {
    aside.touched.clear();
    aside.others.length = 0;
  };
  return {
    ...seen,
    reset(listener) {
      for (const map of [seen.sessions, seen.heads, seen.signs, seen.leases]) map.clear();
      seen.listener = listener;
      clear();
    },
    read: (session, node) => void seen.sessions.get(session)?.readers.add(node),
    begin(node) {
      clear();
      aside.by = node;
    },
    commit() {
      for (const [id, touched] of aside.touched) apply(seen, id, aside.by, touched);
      for (const act of aside.others) act();
      clear();
    },
  };
}

function addFunctions(db: DatabaseSync, seen: Seen, aside: Aside): void {
  const touch = (id: unknown): Touched => {
    const known = aside.touched.get(id as string);
    if (known !== undefined) return known;
    const touched: Touched = { texts: [], isNew: false, row: null };
    aside.touched.set(id as string, touched);
    return touched;
  };
  const later = (act: () => void): null => {
    aside.others.push(act);
    return null;
  };
  db.function('seen_record', (session, v, at, record) => {
    touch(session).texts.push(`{"v":${v},"at":${at},"record":${record}}`);
    return null;
  });
  db.function('seen_session', (id, status, holder, isNew) => {
    const touched = touch(id);
    touched.row = { status: String(status), holder: holder === null ? null : String(holder) };
    touched.isNew ||= isNew === 1;
    return null;
  });
  db.function('seen_player', (id) => later(() => seen.listener.added(String(id))));
  db.function('seen_head', (tenant, mode, seq) =>
    later(() => {
      const world = { tenant: String(tenant), mode: mode as KeyMode };
      seen.heads.set(worldName(world), Number(seq));
    }),
  );
  db.function('seen_node', (id, leaseUntil, aliveAt) =>
    later(() => {
      seen.leases.set(String(id), Number(leaseUntil));
      seen.signs.set(String(id), Number(aliveAt));
    }),
  );
}

function apply({ sessions, listener }: Seen, id: string, by: string, touched: Touched): void {
  const { texts, isNew, row } = touched;
  const kept: WatchedSession = sessions.get(id) ?? {
    log: [],
    status: 'pending',
    holder: null,
    claimedBy: null,
    readers: new Set(),
    takers: new Set(),
  };
  sessions.set(id, kept);
  if (texts.length > 0) append(kept, by, texts, isNew, listener.now());
  const holder = row?.holder === SINGLE_PROCESS ? by : (row?.holder ?? null);
  if (isNew) listener.owned(id, by, null);
  else if (texts.some((text) => text.includes('"k":"owned"'))) {
    listener.owned(id, by, kept.claimedBy === kept.holder ? null : kept.holder);
  }
  if (row !== null && texts.length === 0) passOn(kept, holder);
  if (texts.length > 0) kept.claimedBy = null;
  if (row !== null) Object.assign(kept, { status: row.status, holder });
}

function append(
  kept: WatchedSession,
  by: string,
  texts: readonly string[],
  isNew: boolean,
  writtenAt: number,
): void {
  const slept = !isNew && (kept.holder === null || kept.claimedBy === by);
  const about = { by, writtenAt, slept, isLoaded: kept.readers.has(by), takers: [...kept.takers] };
  for (const text of texts) kept.log.push({ ...about, text });
  kept.readers.clear();
  kept.takers.clear();
}

/** Without a record: it is put to sleep, claimed as it slept, or taken from a node that is gone. */
function passOn(kept: WatchedSession, holder: string | null): void {
  if (holder === kept.holder) return;
  const isClaim = kept.holder === null || kept.claimedBy !== null;
  kept.claimedBy = isClaim ? holder : null;
  if (holder !== null) kept.takers.add(holder);
}
