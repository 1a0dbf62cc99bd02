/** Notifies listeners that event logs have grown: of this node's commits at once, of other nodes' soon after. */

import { type EventWorld, worldName } from '../../events/event.ts';
import type { EventStore } from '../events.ts';
import type { HeadListener } from './connect/database.ts';
import { type Head, toHead } from './connect/event-append.ts';
import type { Sql } from './connect/sql.ts';

/** How often other nodes' events are polled, in milliseconds. */
const POLL_MS = 250;

export interface Heads {
  /** A commit of this node has added to a log. */
  readonly tell: HeadListener;
  readonly listen: EventStore['onEvents'];
  /** Starts polling for other nodes' events. Returns a function that stops it. */
  watch(sql: Sql): () => void;
}

export function makeHeads(): Heads {
  const listeners: HeadListener[] = [];
  const watched: (() => Iterable<EventWorld>)[] = [];
  /** The last reported position, by world. */
  const told = new Map<string, number>();
  const tell: HeadListener = (world, head) => {
    const name = worldName(world);
    // Commits may be answered in another order than they were made in.
    if (head <= (told.get(name) ?? 0)) return;
    told.set(name, head);
    for (const listener of listeners) notifyOne(listener, world, head);
  };
  const look = async (sql: Sql): Promise<void> => {
    const worlds = new Map<string, EventWorld>();
    for (const each of watched) {
      for (const world of each()) worlds.set(worldName(world), world);
    }
    if (worlds.size === 0) return;
    for (const { world, head } of await readHeads(sql, [...worlds.values()])) tell(world, head);
  };
  return {
    tell,
    listen(listener, worlds) {
      listeners.push(listener);
      if (worlds !== undefined) watched.push(worlds);
    },
    watch: (sql) => repeat(() => look(sql)),
  };
}

function notifyOne(listener: HeadListener, world: EventWorld, head: number): void {
  try {
    listener(world, head);
  } catch (error) {
    // A listener that throws must not keep others from being notified.
    queueMicrotask(() => {
      throw error;
    });
  }
}

async function readHeads(sql: Sql, worlds: readonly EventWorld[]): Promise<readonly Head[]> {
  const rows = await sql.all(
    `SELECT tenant, mode, seq AS last_seq FROM event_head
     WHERE (tenant, mode) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    worlds.map(({ tenant }) => tenant),
    worlds.map(({ mode }) => mode),
  );
  return rows.map(toHead);
}

/** One at a time. A failed poll does no harm: the next one reads the same. */
function repeat(look: () => Promise<void>): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout;
  const next = (): void => {
    if (isOver) return;
    timer = setTimeout(
      () =>
        void look()
          .catch(() => {})
          .then(next),
      POLL_MS,
    );
    timer.unref();
  };
  next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
