/** The events a tenant receives (rule E1): their names and their stored form. */

import type { Mode } from '../match/record.ts';

export const EVENT_TYPES = [
  'session.created',
  'session.started',
  'session.ended',
  'session.expired',
  'session.rematch_agreed',
  'player.joined',
  'player.left',
  'player.connected',
  'player.disconnected',
  'move.made',
  'bot.injected',
  'ticket.created',
  'ticket.player_added',
  'ticket.player_removed',
  'ticket.promoted',
  'ticket.cancelled',
  'group.started',
  'group.cancelled',
  'integrity.checked',
  'key.alert',
  'audit.anchored',
  'checkers.crowned',
  'ludo.captured',
  'fight.round_ended',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * An event to be written in the commit that causes it. Its position in the tenant's log is assigned
 * when it is written. It never contains names of players (rule R2): a seat is named by its number,
 * a player outside of sessions by `{ "$player": "<pseudonym>" }`; the reader inserts the names
 * (`render.ts`).
 */
export interface NewEvent {
  readonly id: string;
  readonly tenant: string;
  readonly mode: Mode;
  readonly type: EventType;
  /** Null when it is about no session. */
  readonly session: string | null;
  /** When it happened, ms since 1970. */
  readonly at: number;
  /** A JSON object. */
  readonly data: string;
}

/**
 * An event that is derived from a record of a session's log: only the record's position is written,
 * and the event is made when it is read. Most events are moves.
 */
export interface RecordEvent {
  readonly tenant: string;
  readonly mode: Mode;
  readonly session: string;
  readonly v: number;
  /** The record's time. */
  readonly at: number;
}

/** What a commit adds to the log of events. */
export type CommitEvent = NewEvent | RecordEvent;

export function isRecordEvent(event: CommitEvent): event is RecordEvent {
  return 'v' in event;
}

/** A stored event in the log of a tenant and mode; `seq` counts from 1 without a gap. */
export interface StoredEvent extends NewEvent {
  readonly seq: number;
}

/** One tenant's one world: each has a log of events of its own. */
export interface EventWorld {
  readonly tenant: string;
  readonly mode: Mode;
}

/** A world as one text: for maps, and across threads. */
export function worldName({ tenant, mode }: EventWorld): string {
  return `${mode} ${tenant}`;
}

export function parseWorldName(name: string): EventWorld {
  const space = name.indexOf(' ');
  return { mode: name.slice(0, space) as EventWorld['mode'], tenant: name.slice(space + 1) };
}
