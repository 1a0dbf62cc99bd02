/** The sample tenant's bots: three that the service plays, one that a program of the tenant's plays. */

import type { GameId } from '../../../game/src/game.ts';
import type { BotDifficulty } from '../../match/record.ts';
import type { MakeId } from '../../runtime/ids.ts';
import { BOTS_MAX } from '../../runtime/sessions/seating.ts';
import type { BotRow, BotStore } from '../../store/bots.ts';
import type { Tenant } from '../../tenancy/tenant.ts';

export interface SampleBot {
  readonly id: string;
  readonly displayName: string;
  readonly name: string;
  readonly game: GameId;
  /** Null for the tenant's own program. */
  readonly difficulty: BotDifficulty | null;
  /** 0 to 1, as of people. */
  readonly skill: number;
  readonly weight: number;
  readonly active: boolean;
}

const USUAL = { weight: 1, active: true } as const;

export const SAMPLE_BOTS: readonly SampleBot[] = [
  {
    ...USUAL,
    id: 'bot_otto',
    displayName: 'Otto',
    name: 'connect4-medium',
    game: 'connect4',
    difficulty: 'medium',
    skill: 0.5,
  },
  {
    ...USUAL,
    id: 'bot_magda',
    displayName: 'Magda',
    name: 'checkers-hard',
    game: 'checkers',
    difficulty: 'hard',
    skill: 0.8,
  },
  {
    ...USUAL,
    id: 'bot_pip',
    displayName: 'Pip',
    name: 'ludo-easy',
    game: 'ludo',
    difficulty: 'easy',
    skill: 0.3,
    weight: 3,
  },
  {
    ...USUAL,
    id: 'bot_nougat',
    displayName: 'Nougat',
    name: 'own program, first version',
    game: 'tictactoe',
    difficulty: null,
    skill: 0.4,
    active: false,
  },
];

/** Of live mode, whose bots test mode shares; before the matches that count for them. */
export async function writeBots(
  store: Pick<BotStore, 'createBot'>,
  { id: tenant, createdAt }: Tenant,
  makeId: MakeId,
): Promise<void> {
  for (const { id: playerId, skill: _skill, difficulty, ...bot } of SAMPLE_BOTS) {
    const id = makeId('bot');
    const audit = { tenant, actor: 'dev', act: 'bot.created', object: id, at: createdAt };
    const kind = difficulty === null ? ('external' as const) : ('builtin' as const);
    const row: BotRow = {
      ...bot,
      id,
      tenant,
      mode: 'live',
      playerId,
      kind,
      difficulty,
      createdAt,
      deletedAt: null,
    };
    const made = await store.createBot(row, BOTS_MAX, { audit, idempotency: null });
    if (made !== 'created') throw new Error(`a sample bot was not created: ${made}`);
  }
}
