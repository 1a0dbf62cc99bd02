/** Collects the events of a transaction and writes them at its end. */

import { type EventWorld, parseWorldName } from '../../../events/event.ts';
import type { Statements } from '../sql/statements.ts';

/** Events for one world's log, as the text of one row. */
interface Gathered {
  n: number;
  text: string;
  /** The time of the last one. */
  at: number;
}

/** The events of a transaction, written at its end as one row per world. */
export interface EventGatherer {
  /** `text` has `n` events; the last one has the time `at`. */
  add(world: string, n: number, text: string, at: number): void;
  /** Writes the collected events. Returns the last position in each log that grew. */
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
