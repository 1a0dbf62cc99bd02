/** The events of one commit and mode, stored as the text of one row. */

import {
  type CommitEvent,
  type EventWorld,
  isRecordEvent,
  type NewEvent,
  type StoredEvent,
} from '../../events/event.ts';
import type { Row } from './row.ts';

/** An event as stored. Its mode and position are the row's. */
export function eventText(event: CommitEvent): string {
  // Ids contain nothing that JSON would escape.
  if (isRecordEvent(event)) return `"${event.session}:${event.v}"`;
  const { id, type, session, at, data } = event;
  const about = session === null ? '' : `"session":"${session}",`;
  return `{"id":"${id}","type":"${type}",${about}"at":${at},"data":${data}}`;
}

/** An event in a row's `body`: whole, or `<session>:<v>` when it can be rebuilt from its record. */
type EventInRow =
  | string
  | (Pick<NewEvent, 'id' | 'type' | 'at'> & { readonly session?: string; readonly data: unknown });

/** An event whose record must still be read. */
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

/** The events of a row, in order, each with its position. */
export function parseChunk(
  { tenant, mode }: EventWorld,
  { lastSeq, n, body }: ChunkRow,
): (StoredEvent | RecordPlace)[] {
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

export function toChunk(row: Row): ChunkRow {
  return { lastSeq: Number(row['last_seq']), n: Number(row['n']), body: String(row['body']) };
}
