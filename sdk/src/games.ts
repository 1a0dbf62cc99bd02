/** The request for a session, by game: variants, seats and options depend on the game's name. */

import type { SessionOptions, SessionRequest, StartMatchRequest } from './generated/api.ts';
import type { Game, GameOptions, GameSeats, GameVariants, KnownGame } from './generated/games.ts';

/** Options that every game has. */
type CommonOptions = Pick<
  SessionOptions,
  'turnTimeoutMs' | 'clock' | 'disconnectGraceMs' | 'afk' | 'botDifficulty'
>;

export type OptionsOf<G extends Game> = CommonOptions &
  (G extends KnownGame ? GameOptions[G] : { readonly [option: string]: unknown });

/** The rule sets of a game; the service knows those of operators' games. */
export type VariantOf<G extends Game> = G extends KnownGame ? GameVariants[G] : string;

type SeatsOf<G extends Game> = G extends KnownGame ? GameSeats[G] : number;

interface SetupOf<G extends Game> {
  readonly variant?: VariantOf<G> | null | undefined;
  readonly options?: OptionsOf<G> | null | undefined;
}

type CreateOf<G extends Game> = Omit<SessionRequest, 'game' | 'variant' | 'seats' | 'options'> &
  SetupOf<G> & {
    readonly game: G;
    readonly seats?: SeatsOf<G> | null | undefined;
  };

/** The argument of `sessions.create`. */
export type CreateSession<G extends Game = Game> = G extends Game ? CreateOf<G> : never;

/** The argument of `hosted.startMatch` besides the game. */
export type StartMatch<G extends Game = Game> = G extends Game
  ? Omit<StartMatchRequest, 'variant' | 'options'> & SetupOf<G>
  : never;
