/** Finds an event by its id, which contains its time, at a bounded cost. */

import type { EventWorld } from '../../events/event.ts';
import { isRecordEventId } from '../../events/event-id.ts';
import { parseChunk, toChunk } from './event-chunk.ts';
import type { Row } from './row.ts';

/** A row's position in time order. */
interface ChunkPlace {
  readonly at: number;
  readonly lastSeq: number;
}

/** A range of time in a world's log, read forwards or backwards from one end. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Rows of `at`, `last_seq`, `n` and `body` by their times, nearest to the start first. */
export interface ChunkReads {
  /** Rows after a position, none after `to`. */
  next(
    world: EventWorld,
    after: ChunkPlace,
    to: number,
    limit: number,
  ): Promise<readonly Row[]> | readonly Row[];
  /** Of the `limit` rows after the first `skip`, those whose bodies contain a text. */
  holding(
    world: EventWorld,
    text: string,
    stretch: Stretch,
    skip: number,
    limit: number,
  ): Promise<readonly Row[]> | readonly Row[];
  /** The highest `limit` for `holding`. */
  readonly rowsAtOnce: number;
  /** Yields to other work. */
  turn(): Promise<void>;
}

/** An event is written soon after its id is made: this much later at most, clock differences included. */
const AGE_MS = 60_000;
/**
 * An event that is stored as its record is written with the first commit of its node after its
 * time, so few events lie between. Each candidate has to be rebuilt from its record. Counted in
 * events; checked after each row, because a row is one commit and no reader stops inside it.
 */
const EVENTS_MAX = 50_000;
/** Rows examined: other events contain their id as text, which is searched in this many rows before and after. */
const ROWS_MAX = 5_000;
/** Rows read at a time: first a few, because most ids are found there, then more. */
const ROWS_FIRST = 64;
const ROWS_THEN = 500;
/** Events examined before yielding to other work. */
const EXAMINED_AT_ONCE = 500;

/**
 * Null when the event does not exist or is no longer stored. Also null when more was written
 * between its time and its position than the bounds allow, e.g. by other nodes while its node was
 * paused.
 */
export async function findEventSeq(
  reads: ChunkReads,
  world: EventWorld,
  id: string,
  from: number,
): Promise<number | null> {
  const [first, last] = [from - AGE_MS, from + AGE_MS];
  return (
    (await examineEach(reads, world, id, { from, to: last })) ??
    (await searchBodies(reads, world, id, { from, to: last })) ??
    (await searchBodies(reads, world, id, { from, to: first }))
  );
}

async function examineEach(
  { next, turn }: ChunkReads,
  world: EventWorld,
  id: string,
  { from, to }: Stretch,
): Promise<number | null> {
  let looks = 0;
  let read = 0;
  let limit = ROWS_FIRST;
  for (let after = { at: from, lastSeq: 0 }; ; limit = ROWS_THEN) {
    const rows = await next(world, after, to, limit);
    for (const row of rows) {
      read += 1;
      if (read > ROWS_FIRST && looks >= EVENTS_MAX) return null;
      for (const event of parseChunk(world, toChunk(row))) {
        looks += 1;
        if (looks % EXAMINED_AT_ONCE === 0) await turn();
        const isIt = 'v' in event ? isRecordEventId(id, event.session, event.v) : event.id === id;
        if (isIt) return event.seq;
      }
    }
    if (rows.length < limit || read >= ROWS_MAX || looks >= EVENTS_MAX) return null;
    const { at, last_seq } = rows.at(-1)!;
    after = { at: Number(at), lastSeq: Number(last_seq) };
  }
}

/** Finds an id that is contained in a body. */
async function searchBodies(
  { holding, rowsAtOnce, turn }: ChunkReads,
  world: EventWorld,
  id: string,
  stretch: Stretch,
): Promise<number | null> {
  for (let skip = 0; skip < ROWS_MAX; skip += rowsAtOnce) {
    const limit = Math.min(rowsAtOnce, ROWS_MAX - skip);
    const rows = await holding(world, id, stretch, skip, limit);
    // The same text may also be part of a tenant's own data in an event.
    for (const event of rows.flatMap((row) => parseChunk(world, toChunk(row)))) {
      if (!('v' in event) && event.id === id) return event.seq;
    }
    await turn();
  }
  return null;
}
