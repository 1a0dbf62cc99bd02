/**
 * The store as one node sees it: the shipped scripts on one database, over a simulated connection.
 */

import { parseWorldName } from '../../src/events/event.ts';
import type { Clock } from '../../src/runtime/ports.ts';
import { makeNodeStore, type NodeStore } from '../../src/store/scripts/nodes.ts';
import type { Runner, Script, Sql } from '../../src/store/scripts/shared/script.ts';
import { SINGLE_PROCESS } from '../../src/store/shared/single-process.ts';
import { makeAreas } from '../../src/store/sqlite/areas.ts';
import { SQLITE } from '../../src/store/sqlite/sql/dialect.ts';
import type { WriteBatch } from '../../src/store/sqlite/writer/batch-writer.ts';
import {
  gatherCommit,
  gatherWrite,
  makeGathered,
  reportAll,
  size,
  toBatch,
} from '../../src/store/sqlite/writer/gathered.ts';
import type { EventListener, GroupCommit } from '../../src/store/sqlite/writer/group-commit.ts';
import type { WriterFailure } from '../../src/store/sqlite/writer/writer-protocol.ts';
import type { ServiceStore } from '../../src/store/store.ts';
import type { Store } from '../../src/store/whole-store.ts';
import type { Connection, SimDatabase } from './database.ts';
import { makeLanes } from './lanes.ts';
import type { Wire } from './wire.ts';

export interface NodeStoreDeps {
  readonly database: SimDatabase;
  readonly wire: Wire;
  readonly node: string;
  /** Set if others write, too: several nodes. */
  readonly clock: Clock | null;
}

/** What a node has in addition to the store when others share it. */
export type SharedStore = NodeStore & Pick<ServiceStore, 'pruneHeartbeats'>;

export interface SimStore {
  readonly store: Store;
  /** Null for a single process. */
  readonly shared: SharedStore | null;
  /** Players connected only to it. */
  readonly present: ReadonlySet<string>;
}

/** How often the shared store looks for others' events, ms. */
const POLL_MS = 250;
/** The limits of the shared store's driver. */
const TOGETHER = { lanes: 2, batchMax: 128 } as const;
const IN_TURN = { lanes: 1, batchMax: 128 } as const;
const GATHERED = { lanes: 2, batchMax: 64 } as const;

export function makeSimStore(deps: NodeStoreDeps): SimStore {
  const { database, wire, node, clock } = deps;
  const connection = database.open(node, clock === null);
  const feed = makeFeed(deps);
  const commits = makeGroupCommit(connection.write, wire, feed.tell);
  const sql = behind(connection.sql, wire);
  const runner =
    clock === null ? aloneRunner(sql, commits) : sharedRunner(sql, connection, wire, feed);
  const areas = makeAreas({
    writer: { ...commits, onEvents: feed.onEvents },
    runner,
    node: clock === null ? SINGLE_PROCESS : node,
  });
  const shared = clock === null ? null : makeNodeStore(runner, runner, clock.after);
  const store: Store = {
    ...areas,
    ...shared,
    async loadSession(id) {
      const stored = await areas.loadSession(id);
      database.watch.read(id, node);
      return stored;
    },
    listSecrets: async () => [],
    replaceSecrets: async () => 0,
    close: async () => {},
  };
  return { store, shared, present: connection.present };
}

/** Reads: each statement is a call. */
function behind({ all, get, run }: Sql, wire: Wire): Sql {
  return {
    all: (...asked) => wire.call(() => all(...asked)),
    get: (...asked) => wire.call(() => get(...asked)),
    run: (...asked) => wire.call(() => run(...asked)),
  };
}

/** Each statement is a network round trip: others have their turn meanwhile. */
const noTurn = async (): Promise<void> => {};

// ── a single process ───────────────────────────────────────────────────────────────────────────

/** The writer executes all that was queued while it was busy as one transaction. */
function aloneRunner(sql: Sql, { script }: Pick<GroupCommit, 'script'>): Runner {
  return {
    sql,
    dialect: SQLITE,
    turn: noTurn,
    gather: (read) => async (ask) => (await read([ask]))[0]!,
    write: ({ name }, ask) => script(name, ask) as never,
  };
}

function makeGroupCommit(write: WriteBatch, wire: Wire, over: () => void) {
  let gathered = makeGathered();
  let isBusy = false;
  const flush = (): void => {
    if (isBusy || size(gathered) === 0) return;
    const batch = gathered;
    gathered = makeGathered();
    isBusy = true;
    wire.send(
      () => write(toBatch(batch)),
      (result) => {
        isBusy = false;
        flush();
        over();
        reportAll(batch, result.kind === 'answered' ? result.value : failureOf(result.error));
      },
    );
  };
  return {
    commit(commit, done) {
      gatherCommit(gathered, commit, done);
      flush();
    },
    perform(op) {
      const answer = gatherWrite(gathered, op);
      flush();
      return answer as never;
    },
    script(name, ask) {
      const answer = gatherWrite(gathered, { op: 'script', name, ask });
      flush();
      return answer;
    },
  } satisfies Partial<GroupCommit>;
}

function failureOf({ message: error }: Error): WriterFailure {
  return { ok: false, error, isAway: true };
}

// ── one of several nodes ───────────────────────────────────────────────────────────────────────

/**
 * Presence must be written in order. The drivers wait for the end of a failed call: it is never
 * done late, because a late departure would undo the next arrival.
 */
const ON_TIME: ReadonlySet<string> = new Set(['writePresence', 'writePresenceAgain']);

/** Requests of one script that arrive at one time are one transaction, if they may be. */
function sharedRunner(sql: Sql, { write }: Connection, wire: Wire, { tell: over }: Feed): Runner {
  const writes = new Map<string, (ask: never) => Promise<never>>();
  const step = async (
    name: string,
    asks: readonly unknown[],
  ): Promise<PromiseSettledResult<unknown>[]> => {
    const send = ON_TIME.has(name) ? wire.callOnTime : wire.call;
    const gathered = makeGathered();
    const answers = asks.map((ask) => gatherWrite(gathered, { op: 'script', name, ask }));
    const settled = Promise.allSettled(answers);
    const reply = await send(() => write(toBatch(gathered))).finally(over);
    reportAll(gathered, reply);
    return await settled;
  };
  const makeWrite = ({ name, isOfOne, isInTurn }: Script<never, unknown>) => {
    const act = (asks: readonly unknown[]) => step(name, asks);
    const ask = isOfOne
      ? async (one: unknown) => (await act([one]))[0]!
      : makeLanes<unknown, PromiseSettledResult<unknown>>(isInTurn ? IN_TURN : TOGETHER, act);
    return async (one: unknown) => {
      const result = await ask(one);
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    };
  };
  return {
    sql,
    dialect: SQLITE,
    turn: noTurn,
    gather: (read, limits = GATHERED) => makeLanes(limits, read),
    write(script, ask) {
      let known = writes.get(script.name);
      if (known === undefined) {
        known = makeWrite(script as never) as never;
        writes.set(script.name, known!);
      }
      return known!(ask as never);
    },
  };
}

// ── events ─────────────────────────────────────────────────────────────────────────────────────

interface Feed {
  readonly onEvents: Store['onEvents'];
  /**
   * Reports every world whose log has grown since the last time. Called after every write, however
   * it ended: a single node has no other way to notice one whose answer was lost.
   */
  readonly tell: () => void;
}

function makeFeed({ database, wire, clock }: NodeStoreDeps): Feed {
  const heads = new Map<string, number>();
  const listeners: EventListener[] = [];
  const poll = (): void => {
    clock?.after(POLL_MS, () =>
      wire
        .call(async () => undefined)
        .then(feed.tell, () => {})
        .then(poll),
    );
  };
  poll();
  const feed: Feed = {
    onEvents: (listener) => void listeners.push(listener),
    tell() {
      for (const [name, head] of database.watch.heads) {
        if ((heads.get(name) ?? 0) >= head) continue;
        heads.set(name, head);
        for (const listener of listeners) listener(parseWorldName(name), head);
      }
    },
  };
  return feed;
}
