/** Finds an event by its id, which tells when it was made, at a cost that has a bound. */

import type { EventWorld } from '../../events/event.ts';
import { isRecordEventId } from '../../events/event-id.ts';
import { parseChunk, toChunk } from './event-chunk.ts';
import type { Row } from './row.ts';

/** A row's place in the order of times. */
interface ChunkPlace {
  readonly at: number;
  readonly lastSeq: number;
}

/** A stretch of time in a world's log: from its beginning on, back or forth. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Rows of `at`, `last_seq`, `n` and `body` by their times, the nearest to where one begins first. */
export interface ChunkReads {
  /** Those after a place, none after `to`. */
  next(
    world: EventWorld,
    after: ChunkPlace,
    to: number,
    limit: number,
  ): Promise<readonly Row[]> | readonly Row[];
  /** Of the `limit` rows that come first after `skip` others, those whose bodies hold a text. */
  holding(
    world: EventWorld,
    text: string,
    stretch: Stretch,
    skip: number,
    limit: number,
  ): Promise<readonly Row[]> | readonly Row[];
  /** The highest `limit` of `holding`. */
  readonly rowsAtOnce: number;
  /** Lets others have their turn. */
  turn(): Promise<void>;
}

/** An event is written about when its id is made: at most so long after, and by a clock that far off. */
const AGE_MS = 60_000;
/**
 * An event that its record tells is written with the first commit of its node after its time, mostly
 * behind few others. What it is told by has to be worked out for each that is looked at. Events; the
 * bound counts from row to row: a row is one commit, and no reader stands still inside it.
 */
const TOLD_MAX = 50_000;
/** Rows looked at; any other has its id in its text, which is looked for in so many before and after. */
const ROWS_MAX = 5_000;
/** Rows read at a time: at first, as most are found there, whatever they hold, and then. */
const ROWS_FIRST = 64;
const ROWS_THEN = 500;
/** Events looked at before others have their turn. */
const LOOKS_AT_ONCE = 500;

/**
 * Null when it is not there, or no longer; or when more was written between its time and its place
 * than is looked at, as by others in many commits while its node stood still.
 */
export async function findEventSeq(
  reads: ChunkReads,
  world: EventWorld,
  id: string,
  from: number,
): Promise<number | null> {
  const [first, last] = [from - AGE_MS, from + AGE_MS];
  return (
    (await lookAtEach(reads, world, id, { from, to: last })) ??
    (await lookThrough(reads, world, id, { from, to: last })) ??
    (await lookThrough(reads, world, id, { from, to: first }))
  );
}

async function lookAtEach(
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
      if (read > ROWS_FIRST && looks >= TOLD_MAX) return null;
      for (const event of parseChunk(world, toChunk(row))) {
        looks += 1;
        if (looks % LOOKS_AT_ONCE === 0) await turn();
        const isIt = 'v' in event ? isRecordEventId(id, event.session, event.v) : event.id === id;
        if (isIt) return event.seq;
      }
    }
    if (rows.length < limit || read >= ROWS_MAX || looks >= TOLD_MAX) return null;
    const { at, last_seq } = rows.at(-1)!;
    after = { at: Number(at), lastSeq: Number(last_seq) };
  }
}

/** For an id that stands in a body. */
async function lookThrough(
  { holding, rowsAtOnce, turn }: ChunkReads,
  world: EventWorld,
  id: string,
  stretch: Stretch,
): Promise<number | null> {
  for (let skip = 0; skip < ROWS_MAX; skip += rowsAtOnce) {
    const limit = Math.min(rowsAtOnce, ROWS_MAX - skip);
    const rows = await holding(world, id, stretch, skip, limit);
    // A text may stand in what a tenant has given an event, too.
    for (const event of rows.flatMap((row) => parseChunk(world, toChunk(row)))) {
      if (!('v' in event) && event.id === id) return event.seq;
    }
    await turn();
  }
  return null;
}
