/** Events for the logs of worlds: collected by a transaction, written at its end. */

import type { CommitEvent, EventWorld } from '../../../events/event.ts';
import { parseWorldName, worldName } from '../../../events/event.ts';
import { eventText } from '../../rows/event-chunk.ts';
import type { Sql } from './sql.ts';

/** The last position in a world's log. */
export interface Head {
  readonly world: EventWorld;
  readonly head: number;
}

export interface EventGatherer {
  add(event: CommitEvent): void;
  /** The collected events, as lists by world: tenants, modes, how many events, times, texts. */
  columns(): EventColumns;
  /**
   * Writes the collected events as one row per world. Returns which logs have grown. Until the
   * transaction ends nobody else writes into these logs.
   */
  write(sql: Sql): Promise<readonly Head[]>;
}

export type EventColumns = readonly [string[], string[], number[], number[], string[]];

interface Gathered {
  readonly texts: string[];
  /** The time of the latest. */
  at: number;
}

/**
 * Takes `EventColumns` at `$first` and following. Worlds are in the order of their names, as all
 * transactions lock them; `condition` applies to the given worlds.
 */
export function appendEvents(first: number, condition: string): string {
  const [tenant, mode, n, at, body] = [0, 1, 2, 3, 4].map((i) => `$${first + i}`);
  return `told AS (
      SELECT * FROM unnest(${tenant}::text[], ${mode}::text[], ${n}::int[], ${at}::bigint[],
        ${body}::text[]) WITH ORDINALITY AS told (tenant, mode, n, at, body, place)
    ),
    head AS (
      INSERT INTO event_head (tenant, mode, seq)
      SELECT tenant, mode, n FROM told WHERE ${condition} ORDER BY place
      ON CONFLICT (tenant, mode) DO UPDATE SET seq = event_head.seq + excluded.seq
      RETURNING tenant, mode, seq
    )
    INSERT INTO event_chunk (tenant, mode, last_seq, n, at, body)
    SELECT tenant, mode, seq, n, at, body FROM head JOIN told USING (tenant, mode)
    RETURNING tenant, mode, last_seq`;
}

const APPEND = `WITH ${appendEvents(1, 'TRUE')}`;

export function makeEventGatherer(): EventGatherer {
  const gathered = new Map<string, Gathered>();
  const columns = (): EventColumns => {
    const names = [...gathered.keys()].sort();
    const worlds = names.map(parseWorldName);
    const chunks = names.map((name) => gathered.get(name)!);
    return [
      worlds.map(({ tenant }) => tenant),
      worlds.map(({ mode }) => mode),
      chunks.map(({ texts }) => texts.length),
      chunks.map(({ at }) => at),
      chunks.map(({ texts }) => `[${texts.join()}]`),
    ];
  };
  return {
    add(event) {
      const name = worldName(event);
      const text = eventText(event);
      const known = gathered.get(name);
      if (known === undefined) {
        gathered.set(name, { texts: [text], at: event.at });
      } else {
        known.texts.push(text);
        known.at = Math.max(known.at, event.at);
      }
    },
    columns,
    async write(sql) {
      if (gathered.size === 0) return [];
      return (await sql.all(APPEND, ...columns())).map(toHead);
    },
  };
}

/** From a row with `tenant`, `mode` and `last_seq`. */
export function toHead({ tenant, mode, last_seq }: Readonly<Record<string, unknown>>): Head {
  const world = { tenant: String(tenant), mode: mode as EventWorld['mode'] };
  return { world, head: Number(last_seq) };
}
