/** Webhooks as the service returns them, and the events that they can be sent. */

import type { Webhook, WebhookDetails } from '../../../../../sdk/src/generated/api.ts';
import type { EventData } from '../../../../../sdk/src/generated/events.ts';

export type { Webhook, WebhookDetails };

/** The result of one request. */
export interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
}

/** Every type, and when it happens. */
export const EVENTS: Readonly<Record<keyof EventData, string>> = {
  'session.created': 'a session is created',
  'session.started': 'a match starts',
  'session.ended': 'a match ends, with its result',
  'session.expired': 'a session expires before it starts',
  'session.rematch_agreed': 'all players want a rematch',
  'player.joined': 'a player takes a seat',
  'player.left': 'a player leaves a seat',
  'player.connected': 'a player connects',
  'player.disconnected': 'a player disconnects',
  'move.made': 'a move is made; sent only when ticked',
  'bot.injected': 'a bot takes a seat',
  'ticket.created': 'a ticket is created',
  'ticket.player_added': 'a player is added to a ticket',
  'ticket.player_removed': 'a player is removed from a ticket',
  'ticket.promoted': 'a ticket becomes a group',
  'ticket.cancelled': 'a ticket is cancelled',
  'group.started': 'a group starts a match',
  'group.cancelled': 'a group is cancelled',
  'integrity.checked': 'a device is checked',
  'key.alert': 'an API key is used unusually; sent only when ticked',
  'audit.anchored': 'the audit log is anchored; sent only when ticked',
  'checkers.crowned': 'a piece is crowned in checkers',
  'ludo.captured': 'a piece is captured in ludo',
  'fight.round_ended': 'a round of a fight ends',
};

export function eventWords({ events }: Pick<Webhook, 'events'>): string {
  return events.length === 0
    ? 'all but move.made, key.alert and audit.anchored'
    : events.join(', ');
}

const DISABLED: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  paused: 'paused',
  gone: 'disabled: answered 410',
  failing: 'disabled: failed for 3 days',
};

/** The label and the colour of its badge. */
export function stateOf({
  disabledReason,
  failingSince,
}: Pick<Webhook, 'disabledReason' | 'failingSince'>): readonly [words: string, tone: string] {
  if (disabledReason !== null)
    return [DISABLED[disabledReason], disabledReason === 'paused' ? 'ended' : 'failed'];
  return failingSince === null ? ['active', 'active'] : ['failing', 'failed'];
}

export function backlogWords({ backlog: { events, isMore } }: WebhookDetails): string {
  return events === 0 ? 'empty' : `${events}${isMore ? ' or more' : ''} waiting`;
}
