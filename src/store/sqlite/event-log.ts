/** The log of events: what a transaction gathers for it, how it is read and how it is forgotten. */

import type { CommitEvent, EventWorld, KeptEvent, NewEvent } from '../../events/event.ts';
import { isToldRecord, parseWorldName } from '../../events/event.ts';
import type { Statements } from './statements.ts';
import type { RemoveEvents } from './writer-protocol.ts';

/** Events on their way into one world's log, as the text of one row. */
interface Gathered {
  n: number;
  text: string;
  /** Time of the last one. */
  at: number;
}

/** An event as it is kept; its world and its place are the row's. */
export function eventText(event: CommitEvent): string {
  // Ids hold nothing that JSON would escape.
  if (isToldRecord(event)) return `"${event.session}:${event.v}"`;
  const { id, type, session, at, data } = event;
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

/** An event in a row's `body`: whole, or `<session>:<v>` for one that its record tells. */
type EventInRow =
  | string
  | (Pick<NewEvent, 'id' | 'type' | 'at'> & { readonly session?: string; readonly data: unknown });

/** An event whose record is still to be read. */
export interface RecordPlace {
  readonly seq: number;
  readonly session: string;
  readonly v: number;
}

export interface ChunkRow {
  readonly lastSeq: number;
  readonly n: number;
  readonly body: string;
}

/** The events of a row, in order, each with its place. */
export function parseChunk(
  { tenant, mode }: EventWorld,
  { lastSeq, n, body }: ChunkRow,
): (KeptEvent | RecordPlace)[] {
  const events = JSON.parse(body) as EventInRow[];
  return events.map((event, index) => {
    const seq = lastSeq - n + 1 + index;
    if (typeof event === 'string') return { seq, ...parsePlace(event) };
    const { id, type, session = null, at, data } = event;
    return { id, tenant, mode, type, session, at, data: JSON.stringify(data), seq };
  });
}

function parsePlace(text: string): { readonly session: string; readonly v: number } {
  const colon = text.lastIndexOf(':');
  return { session: text.slice(0, colon), v: Number(text.slice(colon + 1)) };
}
