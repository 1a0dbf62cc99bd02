/** The port to the bots that tenants register (rule B1). */

import type { GameId } from '../../game/src/game.ts';
import type { BotDifficulty } from '../match/record.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { AuditRow, IdempotencyRow } from './store.ts';

const BOT_KINDS = ['builtin', 'external'] as const;
export type BotKind = (typeof BOT_KINDS)[number];

/** A tenant's bot, in live or in test mode (rule K3). */
export interface BotRow {
  readonly id: string;
  readonly tenant: string;
  /** The mode that it belongs to. */
  readonly mode: KeyMode;
  readonly game: GameId;
  readonly name: string;
  /** The name that players see. */
  readonly displayName: string;
  /** The player id under which it takes seats. Unique among the tenant's bots of one mode. */
  readonly playerId: string;
  readonly kind: BotKind;
  /** The service's playing strength; null for a tenant's own program. */
  readonly difficulty: BotDifficulty | null;
  /** How often it is picked, relative to the weights of the other bots. */
  readonly weight: number;
  /** Whether it may take new seats. */
  readonly active: boolean;
  readonly createdAt: number;
  /** When it was deleted, ms since 1970. A deleted bot keeps its seats but cannot be found otherwise. */
  readonly deletedAt: number | null;
}

/** A bot's results at one level in the sessions of one mode. Aborted matches do not count. */
export interface BotScore {
  readonly bot: string;
  readonly mode: KeyMode;
  /** Null for a tenant's own program. */
  readonly level: BotDifficulty | null;
  readonly matches: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

export type BotChange = Partial<
  Pick<BotRow, 'name' | 'displayName' | 'difficulty' | 'weight' | 'active'>
>;

/** What is committed together with a write. */
export interface BotWrite {
  readonly audit: AuditRow;
  readonly idempotency: IdempotencyRow | null;
}

export interface BotFilter {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly game: GameId | null;
  readonly active: boolean | null;
  /** Only bots older than this id. */
  readonly before: string | null;
  readonly limit: number;
}

/** Which bots may take a seat in a session. */
export interface SeatFilter {
  readonly tenant: string;
  /** The world of the session. */
  readonly mode: KeyMode;
  readonly game: GameId;
  /** One bot, active or not; null for all active bots. */
  readonly id: string | null;
}

export type CreateBotOutcome = 'created' | 'too_many' | 'player_taken';

export interface BotStore {
  /**
   * At most `max` bots that are not deleted per tenant and mode. A test bot may not have the player
   * id of a live bot; a live bot may have that of a test bot.
   */
  createBot(bot: BotRow, max: number, write: BotWrite): Promise<CreateBotOutcome>;
  /** False when there is no such bot, or it is deleted. */
  updateBot(tenant: string, id: string, change: BotChange, write: BotWrite): Promise<boolean>;
  /** False when there is no such bot, or it was deleted before. */
  removeBot(tenant: string, id: string, at: number, write: BotWrite): Promise<boolean>;
  /** Includes deleted bots: the caller decides whether they count. */
  findBot(tenant: string, id: string): Promise<BotRow | null>;
  /** Results by bot, mode and level. Bots that have not played are left out. */
  listBotScores(ids: readonly string[]): Promise<readonly BotScore[]>;
  /** Bots that are not deleted, newest first. */
  listBots(filter: BotFilter): Promise<readonly BotRow[]>;
  /**
   * Bots of the session's mode. A test session also seats live bots, unless a test bot has or had
   * the same player id: that bot's program would play for it.
   */
  listSeatableBots(filter: SeatFilter): Promise<readonly BotRow[]>;
  /**
   * Whether the id belongs to bots only in these modes. In each mode that knows the id, all its
   * seats are bots' seats (at least one), and a bot that is not deleted has it or it sits in a
   * session that has not ended. Live bots have seats in both modes.
   */
  isOnlyBot(tenant: string, worlds: readonly KeyMode[], playerId: string): Promise<boolean>;
}
