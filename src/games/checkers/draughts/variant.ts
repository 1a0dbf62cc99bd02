/** The differences between the variants with flying kings. */

import type { Dialect, Variant } from '../dialect.ts';
import { DIALECTS } from '../dialect.ts';
import type { EndgameLimit } from './limits.ts';
import { BRAZILIAN_LIMITS, INTERNATIONAL_LIMITS, RUSSIAN_LIMITS } from './limits.ts';

export type DraughtsVariant = Exclude<Variant, 'american'>;

export interface DraughtsRules {
  readonly dialect: Dialect;
  /** The largest capture is compulsory. */
  readonly majority: boolean;
  /** A man that reaches the king row during a capture continues as a king. */
  readonly crownsInPassing: boolean;
  /** After this many consecutive plies without a capture or a man's move, a game is drawn. */
  readonly quietPliesMax: number;
  readonly limits: readonly EndgameLimit[];
}

/** The sources of the draw rules are in docs/games/checkers.md. */
export const DRAUGHTS: Readonly<Record<DraughtsVariant, DraughtsRules>> = {
  russian: {
    dialect: DIALECTS.russian,
    majority: false,
    crownsInPassing: true,
    quietPliesMax: 30,
    limits: RUSSIAN_LIMITS,
  },
  brazilian: {
    dialect: DIALECTS.brazilian,
    majority: true,
    crownsInPassing: false,
    quietPliesMax: 40,
    limits: BRAZILIAN_LIMITS,
  },
  international: {
    dialect: DIALECTS.international,
    majority: true,
    crownsInPassing: false,
    quietPliesMax: 50,
    limits: INTERNATIONAL_LIMITS,
  },
};
