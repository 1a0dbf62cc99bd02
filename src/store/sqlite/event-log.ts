/** The log of events: what a transaction gathers for it, how it is read and how it is forgotten. */

import type { EventWorld, KeptEvent, NewEvent } from '../../events/event.ts';
import type { Statements } from './statements.ts';
import type { RemoveEvents } from './writer-protocol.ts';

/** Events on their way into one world's log, as the text of one row. */
interface Gathered {
  n: number;
  text: string;
  /** Time of the last one. */
  at: number;
}

/** A world as one text: it crosses threads in every batch. */
export function worldName({ tenant, mode }: EventWorld): string {
  return `${mode} ${tenant}`;
}

export function parseWorldName(name: string): EventWorld {
  const space = name.indexOf(' ');
  return { mode: name.slice(0, space) as EventWorld['mode'], tenant: name.slice(space + 1) };
}

/** An event as it is kept; its world and its place are the row's. */
export function eventText({ id, type, session, at, data }: NewEvent): string {
  const about = session === null ? '' : `"session":"${session}",`;
  return `{"id":"${id}","type":"${type}",${about}"at":${at},"data":${data}}`;
}

/** The events of a transaction, written at its end as one row a world. */
export interface EventGatherer {
  /** `text` is of `n` events, the last of them at time `at`. */
  add(world: string, n: number, text: string, at: number): void;
  /** Writes what was gathered; answers the last place in each world that grew. */
  write(sql: Statements): [world: string, head: number][];
  /** The transaction was rolled back. */
  clear(): void;
}

export function makeEventGatherer(): EventGatherer {
  let gathered = new Map<string, Gathered>();
  return {
    add(world, n, text, at) {
      const known = gathered.get(world);
      if (known === undefined) {
        gathered.set(world, { n, text, at });
      } else {
        known.n += n;
        known.text += `,${text}`;
        known.at = Math.max(known.at, at);
      }
    },
    write(sql) {
      if (gathered.size === 0) return [];
      const written = gathered;
      gathered = new Map();
      return Array.from(written, ([world, each]) => [
        world,
        writeChunk(sql, parseWorldName(world), each),
      ]);
    },
    clear() {
      gathered = new Map();
    },
  };
}

function writeChunk(
  sql: Statements,
  { tenant, mode }: EventWorld,
  { n, text, at }: Gathered,
): number {
  const row = sql.get(
    `INSERT INTO event_head (tenant, mode, seq) VALUES (?, ?, ?)
     ON CONFLICT (tenant, mode) DO UPDATE SET seq = seq + excluded.seq RETURNING seq`,
    tenant,
    mode,
    n,
  );
  const head = Number(row!['seq']);
  sql.run(
    'INSERT INTO event_chunk (tenant, mode, last_seq, n, at, body) VALUES (?, ?, ?, ?, ?, ?)',
    tenant,
    mode,
    head,
    n,
    at,
    `[${text}]`,
  );
  return head;
}

/** Whole rows only; `limit` is of rows. Answers how many events went. */
export function removeEvents(sql: Statements, op: RemoveEvents): number {
  const doomed = sql.all(
    `SELECT last_seq, n FROM event_chunk WHERE tenant = ? AND mode = ? AND at < ?
       ORDER BY last_seq LIMIT ?`,
    op.tenant,
    op.mode,
    op.olderThan,
    op.limit,
  );
  for (const { last_seq } of doomed) {
    sql.run(
      'DELETE FROM event_chunk WHERE tenant = ? AND mode = ? AND last_seq = ?',
      op.tenant,
      op.mode,
      last_seq!,
    );
  }
  return doomed.reduce((sum, { n }) => sum + Number(n), 0);
}

/** An event in a row's `body`. */
type EventInRow = Pick<NewEvent, 'id' | 'type' | 'at'> & {
  readonly session?: string;
  readonly data: unknown;
};

/** The events of a row, in order, each with its place. */
export function parseChunk(
  { tenant, mode }: EventWorld,
  { lastSeq, n, body }: { readonly lastSeq: number; readonly n: number; readonly body: string },
): KeptEvent[] {
  const events = JSON.parse(body) as EventInRow[];
  return events.map(({ id, type, session = null, at, data }, index) => ({
    id,
    tenant,
    mode,
    type,
    session,
    at,
    data: JSON.stringify(data),
    seq: lastSeq - n + 1 + index,
  }));
}
