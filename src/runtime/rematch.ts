/** What the rematch of an ended session is made of (rule S11). */

import { seatRangeOf } from '../../game/src/game.ts';
import type { Games } from '../games/games.ts';
import type { EndedSession, Session } from '../match/session.ts';
import { isOptionError, parseOptions, type SessionOptions } from '../match/setup.ts';
import type { BotStore } from '../store/bots.ts';
import type { StoredSession } from '../store/store.ts';
import type { KeyMode, TenantLimits } from '../tenancy/tenant.ts';
import { listActiveBots, makeBotSeat } from './bots/seating.ts';
import type { BotSeat, NamedPlayer, SessionRequest } from './session-service.ts';

export interface RematchDeps {
  readonly bots: Pick<BotStore, 'listSeatableBots'>;
  readonly games: Games;
}

/** Whoever sat there, and sits on another seat now. */
interface Mover {
  readonly player: NamedPlayer & { readonly id: string };
  readonly isBot: boolean;
  readonly seat: number;
}

/** Null where the session cannot have a rematch. */
export async function makeRematchRequest(
  { bots: store, games }: RematchDeps,
  { row, roster }: StoredSession,
  session: EndedSession,
  limits: TenantLimits,
): Promise<SessionRequest | null> {
  const options = optionsOf(games, session);
  const movers = moveSeats(session, roster);
  // A group of the queue is brought together by its tickets alone.
  if (options === null || movers === null || row.matchType === 'hosted') return null;
  const humans = movers.filter(({ isBot }) => !isBot);
  const machines = movers.filter(({ isBot }) => isBot);
  const bots =
    row.mode === 'training'
      ? machines.map(({ player }) => ({ player, level: options.botDifficulty }))
      : await findBots(store, { ...row, mode: row.mode }, machines);
  if (bots === null) return null;
  const { tenant, mode, game, matchType, variant, metadata, theme, world } = row;
  return {
    tenant,
    mode,
    game,
    matchType,
    variant,
    seats: movers.length,
    options,
    // Each is called as the tenant last called them.
    players: humans.map(({ player: { id } }) => ({ id, displayName: null })),
    bots,
    order: [...humans, ...machines].map(({ seat }) => seat),
    rematchOf: row.id,
    metadata,
    theme,
    limits,
    ...(world === undefined ? null : { world }),
  };
}

/** The options it had, as far as the latest rules take them. */
function optionsOf(games: Games, { setup }: Session): SessionOptions | null {
  const engine = games.find(setup.game)?.game;
  if (engine === undefined || !engine.variants.includes(setup.variant)) return null;
  const { min, max } = seatRangeOf(engine, setup.variant);
  if (setup.seats < min || setup.seats > max) return null;
  const { turnTimeoutMs, clock, disconnectGraceMs, afk, botDifficulty } = setup;
  const common = { turnTimeoutMs, disconnectGraceMs, afk, botDifficulty };
  const timed = clock === null ? common : { ...common, clock };
  const options = parseOptions(engine, { ...setup.options, ...timed });
  return isOptionError(options) ? null : options;
}

/** Everybody moves to the seat before, and the first to the last. Null where one is missing. */
function moveSeats({ seats }: Session, roster: StoredSession['roster']): readonly Mover[] | null {
  const movers = seats.flatMap(({ isBot }, before): Mover[] => {
    const { id = null, displayName = null } = roster[before] ?? {};
    const seat = (before + seats.length - 1) % seats.length;
    return id === null ? [] : [{ player: { id, displayName }, isBot, seat }];
  });
  return movers.length < seats.length ? null : movers;
}

/** Null where one of them is no bot of the tenant any more. */
async function findBots(
  store: RematchDeps['bots'],
  { tenant, mode, game }: StoredSession['row'] & { readonly mode: KeyMode },
  machines: readonly Mover[],
): Promise<readonly BotSeat[] | null> {
  if (machines.length === 0) return [];
  const active = await listActiveBots(store, tenant, mode, game);
  const found = machines.flatMap(
    ({ player }) => active.find(({ playerId }) => playerId === player.id) ?? [],
  );
  return found.length < machines.length ? null : found.map(makeBotSeat);
}
