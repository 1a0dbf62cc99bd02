/** What a session is asked for, by game: its variants, seats and options narrow with the game's name. */

import type { SessionOptions, SessionRequest, StartMatchRequest } from './generated/api.ts';
import type { Game, GameOptions, GameSeats, GameVariants } from './generated/games.ts';

/** Options that every game has. */
type CommonOptions = Pick<
  SessionOptions,
  'turnTimeoutMs' | 'clock' | 'disconnectGraceMs' | 'afk' | 'botDifficulty'
>;

export type OptionsOf<G extends Game> = CommonOptions & GameOptions[G];

interface SetupOf<G extends Game> {
  readonly variant?: GameVariants[G] | null | undefined;
  readonly options?: OptionsOf<G> | null | undefined;
}

type CreateOf<G extends Game> = Omit<SessionRequest, 'game' | 'variant' | 'seats' | 'options'> &
  SetupOf<G> & {
    readonly game: G;
    readonly seats?: GameSeats[G] | null | undefined;
  };

/** What `sessions.create` takes. */
export type CreateSession<G extends Game = Game> = G extends Game ? CreateOf<G> : never;

/** What `hosted.startMatch` takes beside the game. */
export type StartMatch<G extends Game = Game> = G extends Game
  ? Omit<StartMatchRequest, 'variant' | 'options'> & SetupOf<G>
  : never;
