/** The port to the bots that tenants have registered (rule B1). */

import type { GameId } from '../../game/src/game.ts';
import type { BotDifficulty } from '../match/record.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { AuditRow, IdempotencyRow } from './store.ts';

export const BOT_KINDS = ['builtin', 'external'] as const;
export type BotKind = (typeof BOT_KINDS)[number];

/** A bot of a tenant's, in one of its two worlds (rule K3). */
export interface BotRow {
  readonly id: string;
  readonly tenant: string;
  /** The world that it belongs to. */
  readonly mode: KeyMode;
  readonly game: GameId;
  readonly name: string;
  /** The name that players see. */
  readonly displayName: string;
  /** Under which it sits in sessions; of a tenant's bots in one world only one has it. */
  readonly playerId: string;
  readonly kind: BotKind;
  /** How well the service plays it; null for a program of the tenant's. */
  readonly difficulty: BotDifficulty | null;
  /** How often it is picked, beside the others' weights. */
  readonly weight: number;
  /** May it get new seats? */
  readonly active: boolean;
  readonly createdAt: number;
  /** A deleted bot keeps the seats it has, and is found by nobody else. Ms since 1970. */
  readonly deletedAt: number | null;
}

/** How a bot did at one level in the sessions of one mode. Aborted matches are not counted. */
export interface BotScore {
  readonly bot: string;
  readonly mode: KeyMode;
  /** Null for a program of the tenant's. */
  readonly level: BotDifficulty | null;
  readonly matches: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

export type BotChange = Partial<
  Pick<BotRow, 'name' | 'displayName' | 'difficulty' | 'weight' | 'active'>
>;

/** What goes into the same commit as a write. */
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

/** Which bots may take a seat in sessions of a world. */
export interface SeatFilter {
  readonly tenant: string;
  /** The world of the session. */
  readonly mode: KeyMode;
  readonly game: GameId;
  /** The only bot asked about, active or not; null for all active ones. */
  readonly id: string | null;
}

export type CreateBotOutcome = 'created' | 'too_many' | 'player_taken';

export interface BotStore {
  /**
   * At most `max` bots a tenant and world, deleted ones not counted. A test bot takes no player id that
   * a live one has; a live bot takes one that a test bot has.
   */
  createBot(bot: BotRow, max: number, write: BotWrite): Promise<CreateBotOutcome>;
  /** False when there is no such bot, or it has been deleted. */
  updateBot(tenant: string, id: string, change: BotChange, write: BotWrite): Promise<boolean>;
  /** False when there is no such bot, or it has been deleted before. */
  removeBot(tenant: string, id: string, at: number, write: BotWrite): Promise<boolean>;
  /** Deleted bots too: who asks says whether they count. */
  findBot(tenant: string, id: string): Promise<BotRow | null>;
  /** What the bots scored, by bot, mode and level; bots that have not played are left out. */
  listBotScores(ids: readonly string[]): Promise<readonly BotScore[]>;
  /** Bots that are not deleted, the newest first. */
  listBots(filter: BotFilter): Promise<readonly BotRow[]>;
  /**
   * Bots of the session's world. A test session seats live bots, too, except one whose player id a test
   * bot has or had: the program of that test bot would play for it.
   */
  listSeatableBots(filter: SeatFilter): Promise<readonly BotRow[]>;
  /**
   * Does the id stand for a bot in these worlds, and for nobody else? In each of them that knows it all its
   * seats are bots', one at least. A bot that is not deleted has it, or it sits in a session that has not
   * ended. Live bots have seats in both worlds.
   */
  isOnlyBot(tenant: string, worlds: readonly KeyMode[], playerId: string): Promise<boolean>;
}
