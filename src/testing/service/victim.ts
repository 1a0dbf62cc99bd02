/** A tenant with one of everything, for tests of what others can find out. */

import type { Subscriber } from '../../runtime/host/work.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { type Asking, makeAsking } from './asking.ts';
import type { HttpService } from './http-service.ts';

/** Its objects are live; every text of its own begins with `victim`. */
export interface Victim {
  readonly tenant: Tenant;
  readonly liveKey: string;
  /** Waiting for a player. */
  readonly waiting: string;
  readonly roomCode: string;
  /** Active, open to watchers. */
  readonly active: string;
  /** Ended. */
  readonly ended: string;
  readonly event: string;
  readonly ticket: string;
  readonly group: string;
  readonly webhook: string;
  /** What the webhook was sent. */
  readonly sent: string;
  readonly bot: string;
  /** What nobody outside this mode may read. */
  readonly secrets: readonly string[];
  /** What no other tenant may read, and each key of this one may. */
  readonly tenantSecrets: readonly string[];
}

export const VICTIM = {
  player: 'victim-ann',
  opponent: 'victim-ben',
  displayName: 'victim Ann',
  note: 'victim-note',
  packageName: 'com.victim.game',
  bundleId: 'com.victim.ios',
  hook: 'https://victim.example/hooks',
  bot: 'victim bot',
} as const;

const GAME = 'tictactoe';
const WINNING = [0, 3, 1, 4, 2];

export async function makeVictim(http: HttpService, change: Partial<Tenant> = {}): Promise<Victim> {
  const tenant = await http.makeTenant(change);
  const liveKey = await http.makeKey(tenant, 'live');
  const ask = makeAsking(http.app, liveKey);
  const ended = await makeMatch(ask);
  await playOut(http, ended);
  const active = await makeMatch(ask);
  await seat(http, active, 0);
  await seat(http, active, 1);
  const waiting = (await ask('/v1/sessions', { body: makeBody([VICTIM.player]) })).json;
  const objects = await makeObjects(ask);
  const events = (await ask('/v1/events')).json.data as readonly { id: string }[];
  const event = events[0]!.id;
  const ids = [waiting.sessionId, waiting.roomCode, active, ended, event];
  const { bot, ...others } = objects;
  return {
    tenant,
    liveKey,
    waiting: waiting.sessionId,
    roomCode: waiting.roomCode,
    active,
    ended,
    event,
    ...objects,
    secrets: [...ids, ...Object.values(others), VICTIM.player, VICTIM.note, VICTIM.hook],
    tenantSecrets: [VICTIM.displayName, VICTIM.packageName, VICTIM.bundleId, VICTIM.bot, bot],
  };
}

function makeBody(players: readonly string[]): object {
  return {
    game: GAME,
    players: players.map((id) => ({
      id,
      ...(id === VICTIM.player ? { displayName: VICTIM.displayName } : null),
    })),
    metadata: { note: VICTIM.note },
  };
}

async function makeMatch(ask: Asking): Promise<string> {
  const body = makeBody([VICTIM.player, VICTIM.opponent]);
  return (await ask('/v1/sessions', { body })).json.sessionId;
}

async function makeObjects(ask: Asking) {
  const hosted = '/matchmaking/hosted';
  const makeTicket = async (): Promise<string> =>
    (await ask(`${hosted}/ticket?game=${GAME}`, { method: 'POST' })).json.ticketId;
  const [ticket, promoted] = [await makeTicket(), await makeTicket()];
  const { json } = await ask(`${hosted}/ticket/${promoted}/promote?game=${GAME}`, {
    method: 'POST',
  });
  const put = (body: object) => ask('/v1/integrity', { method: 'PUT', body });
  const { packageName, bundleId } = VICTIM;
  await put({
    platform: 'android',
    credential: { packageName, googleCloudProjectNumber: '123456789012' },
  });
  await put({ platform: 'ios', credential: { bundleId, teamId: 'A1B2C3D4E5' } });
  const webhook = await ask('/v1/webhooks', { body: { url: VICTIM.hook } });
  // Nothing answers there, which also makes a delivery.
  const tested = await ask(`/v1/webhooks/${webhook.json.id}/test`, { method: 'POST' });
  const bot = await ask('/v1/bots', { body: { game: GAME, name: VICTIM.bot, kind: 'external' } });
  return {
    ticket,
    group: json.group.id as string,
    webhook: webhook.json.id as string,
    sent: tested.json.eventId as string,
    bot: bot.json.id as string,
  };
}

/** Connects a seat as its socket would. */
async function seat(http: HttpService, session: string, viewer: number): Promise<Subscriber> {
  const subscriber: Subscriber = { viewer, player: null, send: () => {}, lost: () => {} };
  await new Promise<void>((resolve) => http.host.attach(session, subscriber, () => resolve()));
  return subscriber;
}

async function playOut(http: HttpService, session: string): Promise<void> {
  const seats = [await seat(http, session, 0), await seat(http, session, 1)];
  for (const [ply, position] of WINNING.entries()) {
    const mover = ply % 2;
    await new Promise<void>((resolve) => {
      const origin: Subscriber = { ...seats[mover]!, send: () => resolve() };
      http.host.play(session, mover, { kind: 'act', id: `${ply}`, action: { position } }, origin);
    });
  }
}
