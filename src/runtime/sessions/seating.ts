/** Which bots take the open seats of a session (rules B2, S4). */

import type { GameId } from '../../../game/src/game.ts';
import type { BotDifficulty } from '../../match/record.ts';
import type { BotRow, BotStore } from '../../store/bots.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Randomness } from '../ports.ts';
import type { BotSeat, SessionRequest } from './session-service.ts';

/** Bots a tenant may have in each of its worlds, deleted ones not counted. */
export const BOTS_MAX = 1_000;

/** The active bots of a tenant that may sit in sessions of a world (rule B2). */
export function listActiveBots(
  store: Pick<BotStore, 'listSeatableBots'>,
  tenant: string,
  mode: KeyMode,
  game: GameId,
): Promise<readonly BotRow[]> {
  return store.listSeatableBots({ tenant, mode, game, id: null });
}

/** A bot that is not among `seated`, chosen by weight; or null. */
export function pickBot(
  bots: readonly BotRow[],
  seated: readonly string[],
  randomness: Randomness,
): BotRow | null {
  const free = bots.filter(({ playerId }) => !seated.includes(playerId));
  let left = randomBelow(
    randomness,
    free.reduce((sum, { weight }) => sum + weight, 0),
  );
  for (const bot of free) {
    left -= bot.weight;
    if (left < 0) return bot;
  }
  return null;
}

/** Uniform from 0 to `max` - 1 (at most 2^32); draws again to avoid bias. */
function randomBelow(randomness: Randomness, max: number): number {
  if (max === 0) return 0;
  const range = 2 ** 32;
  for (;;) {
    const bytes = randomness.bytes(4);
    const value = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
    if (value < range - (range % max)) return value % max;
  }
}

export function makeBotSeat({ playerId, displayName, difficulty }: BotRow): BotSeat {
  return { player: { id: playerId, displayName }, level: difficulty };
}

/** What `fillSeats` needs. */
export interface SeatingDeps {
  readonly store: Pick<BotStore, 'listSeatableBots'>;
  readonly randomness: Randomness;
}

/**
 * Bots for the seats that players leave open: the service's own in training, the tenant's where the session is
 * filled with bots, else none. Null when the tenant has too few.
 */
export async function fillSeats(
  deps: SeatingDeps,
  request: SessionRequest,
): Promise<readonly BotSeat[] | null> {
  const open = request.seats - request.players.length;
  const { tenant, mode, game } = request;
  if (mode === 'training') return makeTrainers(request.options.botDifficulty, open);
  if (request.matchType !== 'bot' || open === 0) return [];
  const bots = await listActiveBots(deps.store, tenant, mode, game);
  const seated = request.players.map(({ id }) => id);
  const picked: BotRow[] = [];
  while (picked.length < open) {
    const bot = pickBot(bots, seated, deps.randomness);
    if (bot === null) return null;
    picked.push(bot);
    seated.push(bot.playerId);
  }
  return picked.map(makeBotSeat);
}

/** The service's own bots. Their ids are the same in every session of that level. */
function makeTrainers(level: BotDifficulty, count: number): BotSeat[] {
  return Array.from({ length: count }, (_, index) => ({
    player: { id: `trainer:${level}:${index + 1}`, displayName: `Bot (${level})` },
    level,
  }));
}
