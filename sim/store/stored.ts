/** The database's contents, read for the checks after a run. */

import type { GameId } from '../../game/src/game.ts';
import type { EventWorld, StoredEvent } from '../../src/events/event.ts';
import { worldName } from '../../src/events/event.ts';
import type { Mode } from '../../src/match/record.ts';
import type { Standing } from '../../src/matchmaking/rating.ts';
import type { TicketStatus } from '../../src/matchmaking/ticket.ts';
import { presenceKey } from '../../src/store/rows/presence-key.ts';
import { toStanding } from '../../src/store/rows/rating-rows.ts';
import { numberOrNull, type Row, textOrNull } from '../../src/store/rows/row.ts';
import { toSessionRow } from '../../src/store/rows/session-rows.ts';
import { toAttempt, toOutstanding, toWebhook } from '../../src/store/rows/webhook-rows.ts';
import { SINGLE_PROCESS } from '../../src/store/shared/single-process.ts';
import type { SessionRow, StoredSession } from '../../src/store/store.ts';
import type { StoredAttempt, Webhook } from '../../src/store/webhooks.ts';
import type { Store } from '../../src/store/whole-store.ts';
import type { Outstanding } from '../../src/webhooks/parcel.ts';
import type { SimDatabase } from './database.ts';
import type { StoredRecord } from './watch.ts';

export interface StoredPlayer {
  readonly ref: string;
  /** Null once the player was erased. */
  readonly playerId: string | null;
  /** By mode and game; those without a rated match are left out. */
  readonly standings: ReadonlyMap<string, Standing>;
}

export interface SavedSession {
  readonly row: SessionRow;
  readonly seats: readonly (StoredPlayer | undefined)[];
  readonly bots: ReadonlySet<number>;
  readonly log: readonly StoredRecord[];
  /** The node that holds it; null when it sleeps or has ended. */
  readonly holder: string | null;
  /** As a node would load it. */
  readonly stored: StoredSession;
}

export interface StoredTicket {
  readonly id: string;
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
  readonly capacity: number;
  /** How many of the places are counted as taken. */
  readonly taken: number;
  readonly status: TicketStatus;
  readonly players: readonly StoredPlayer[];
  readonly group: string | null;
  readonly session: string | null;
}

export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly outstanding: readonly Outstanding[];
  readonly attempts: readonly StoredAttempt[];
}

/** A world's log of events. */
export interface StoredEvents {
  readonly head: number;
  readonly events: readonly StoredEvent[];
}

export interface StoredData {
  readonly sessions: ReadonlyMap<string, SavedSession>;
  readonly players: readonly StoredPlayer[];
  readonly tickets: readonly StoredTicket[];
  /** By tenant and name. */
  readonly counters: ReadonlyMap<string, number>;
  /** Connected players: `presenceKey`s. */
  readonly present: ReadonlySet<string>;
  /** By world. */
  readonly events: ReadonlyMap<string, StoredEvents>;
  readonly webhooks: readonly StoredWebhook[];
}

/** Names of rows are made of their keys; no key contains this character. */
export function rowName(...parts: readonly string[]): string {
  return parts.join('\n');
}

export function eventsAfter(
  { events }: Pick<StoredData, 'events'>,
  world: EventWorld,
  seq: number,
): readonly StoredEvent[] {
  return (events.get(worldName(world))?.events ?? []).filter((each) => each.seq > seq);
}

export interface StoredSource {
  readonly database: SimDatabase;
  /** A reader without faults. */
  readonly store: Pick<Store, 'loadSession' | 'readEvents'>;
  /** Connected players, where no table has them. */
  readonly present: ReadonlySet<string> | null;
  /** Reports impossible states. */
  found(finding: string): void;
}

export async function readStored(source: StoredSource): Promise<StoredData> {
  const { database, store, present } = source;
  const players = readPlayers(database);
  const counters = database.rows('SELECT tenant, name, n FROM counter');
  return {
    sessions: await readSessions(source, players),
    players: [...players.values()],
    tickets: readTickets(database, players),
    counters: new Map(
      counters.map(({ tenant, name, n }) => [rowName(String(tenant), String(name)), Number(n)]),
    ),
    present: present ?? readPresent(database),
    events: await readLogs(database, store),
    webhooks: readWebhooks(database),
  };
}

type Players = ReadonlyMap<string, StoredPlayer>;

function readPlayers({ rows }: SimDatabase): Players {
  const standings = Map.groupBy(rows('SELECT * FROM rating'), ({ player }) => player);
  return new Map(
    rows('SELECT ref, player_id FROM player ORDER BY ref').map((row) => {
      const own = standings.get(row['ref']!) ?? [];
      return [
        String(row['ref']),
        {
          ref: String(row['ref']),
          playerId: textOrNull(row['player_id']),
          standings: new Map(
            own.map((each) => [`${each['mode']} ${each['game']}`, toStanding(each)]),
          ),
        },
      ];
    }),
  );
}

async function readSessions(
  { database: { rows, watch }, store, found: tell }: StoredSource,
  players: Players,
): Promise<Map<string, SavedSession>> {
  const seats = Map.groupBy(
    rows('SELECT * FROM seat ORDER BY session, seat'),
    (row) => row['session'],
  );
  const records = Map.groupBy(
    rows('SELECT * FROM log ORDER BY session, v'),
    (row) => row['session'],
  );
  const sessions = new Map<string, SavedSession>();
  for (const found of rows('SELECT * FROM session ORDER BY id')) {
    const id = String(found['id']);
    const watched = watch.sessions.get(id)!;
    const own = seats.get(id) ?? [];
    const seated: (StoredPlayer | undefined)[] = [];
    for (const { seat, player } of own) seated[Number(seat)] = players.get(String(player))!;
    sessions.set(id, {
      row: toSessionRow(found),
      seats: seated,
      bots: new Set(own.flatMap(({ seat, is_bot }) => (is_bot ? [Number(seat)] : []))),
      log: (records.get(id) ?? []).map((row, at) => toRecord(row, watched.log[at], tell)),
      holder: found['holder'] === SINGLE_PROCESS ? watched.holder : textOrNull(found['holder']),
      stored: (await store.loadSession(id))!,
    });
  }
  return sessions;
}

/** A record is unchanged since its commit. */
function toRecord(
  { session, v, at, record }: Row,
  seen: StoredRecord | undefined,
  found: StoredSource['found'],
): StoredRecord {
  const text = `{"v":${v},"at":${at},"record":${record}}`;
  if (seen?.text !== text) found(`I2: ${session} was changed at ${v}`);
  return { ...seen!, text };
}

function readTickets({ rows }: SimDatabase, players: Players): StoredTicket[] {
  const places = Map.groupBy(
    rows('SELECT ticket, player FROM ticket_player ORDER BY ticket, place'),
    (row) => row['ticket'],
  );
  return rows('SELECT * FROM ticket ORDER BY id').map((row) => ({
    id: String(row['id']),
    tenant: String(row['tenant']),
    mode: row['mode'] as Mode,
    game: row['game'] as GameId,
    capacity: Number(row['capacity']),
    taken: Number(row['taken']),
    status: row['status'] as TicketStatus,
    players: (places.get(row['id']!) ?? []).map(({ player }) => players.get(String(player))!),
    group: textOrNull(row['group_id']),
    session: textOrNull(row['session']),
  }));
}

function readPresent({ rows }: SimDatabase): ReadonlySet<string> {
  return new Set(
    rows('SELECT DISTINCT tenant, mode, player_id FROM presence').map((row) =>
      presenceKey({
        tenant: String(row['tenant']),
        mode: row['mode'] as Mode,
        playerId: String(row['player_id']),
      }),
    ),
  );
}

async function readLogs(
  { rows }: SimDatabase,
  store: Pick<Store, 'readEvents'>,
): Promise<Map<string, StoredEvents>> {
  const logs = new Map<string, StoredEvents>();
  for (const row of rows('SELECT tenant, mode, seq FROM event_head ORDER BY tenant, mode')) {
    const world = { tenant: String(row['tenant']), mode: row['mode'] } as EventWorld;
    const head = numberOrNull(row['seq'])!;
    logs.set(worldName(world), { head, events: await store.readEvents(world, 0, head + 1) });
  }
  return logs;
}

function readWebhooks({ rows }: SimDatabase): StoredWebhook[] {
  return rows('SELECT * FROM webhook ORDER BY id').map((row) => {
    const id = row['id']!;
    const outstanding = rows(
      'SELECT * FROM webhook_outstanding WHERE webhook = ? ORDER BY seq',
      id,
    );
    const attempts = rows('SELECT * FROM webhook_attempt WHERE webhook = ? ORDER BY n', id);
    return {
      webhook: toWebhook(row),
      outstanding: outstanding.map(toOutstanding),
      attempts: attempts.map(toAttempt),
    };
  });
}
