/** A game from what its author has to say: the usual values are filled in, and the declaration is checked. */

import { declarationFaults } from './declaration.ts';
import type { AnyGame, Game, Json, SeatRange, TickRules } from './game.ts';
import { canonicalJson, hashJson } from './json.ts';
import { illegalMove } from './refusal.ts';
import type { Shape } from './shape.ts';

/** Members that have a usual value. */
type Filled =
  | 'rulesVersion'
  | 'variants'
  | 'options'
  | 'turnTimeoutMs'
  | 'drawOffers'
  | 'openInformation'
  | 'turn'
  | 'view'
  | 'parseAction'
  | 'makeNotation'
  | 'parseNotation';

/** A number where a game takes no other. Without `default` it is `min`. */
type Seats = number | (SeatRange & { readonly default?: number });

/** A game as its author writes it; see `Game` for what each member is. */
export interface GameDefinition<State, Action>
  extends Omit<Game<State, Action>, Filled | 'seats' | 'ticks'>,
    Partial<Pick<Game<State, Action>, Filled>> {
  readonly seats: Seats;
  /** What an action looks like, in place of `parseAction` and `actionFault`. */
  readonly action?: Shape<Action>;
  /** An action as players write it, in place of `makeNotation` and `parseNotation`. Needs finite `legalActions`. */
  notation?(action: Action): string;
}

/** What of a game by ticks its author may leave out. */
type FilledTicks = 'hash' | 'eventsOf';
/** Members about turns and actions, for which games by ticks have no use. */
type OfTurns =
  | 'action'
  | 'notation'
  | 'acting'
  | 'turn'
  | 'parseAction'
  | 'actionFault'
  | 'legalActions'
  | 'apply'
  | 'showAction'
  | 'missTurn'
  | 'hasMissedOut'
  | 'turnLimitMs'
  | 'makeNotation'
  | 'parseNotation';

/** A game that runs by the clock, as its author writes it. */
export interface TickGameDefinition<State> extends Omit<GameDefinition<State, never>, OfTurns> {
  readonly ticks: Omit<TickRules<State>, FilledTicks> &
    Partial<Pick<TickRules<State>, FilledTicks>>;
}

const HASH_DIGITS = 8;

/**
 * Makes a game. Usual values: one variant `standard`, no options, 60 s for a turn, no draw offers, rules version 1,
 * open information, `turn` null where `acting` is given, the state as the view where information is open, and
 * canonical JSON as notation. Throws a TypeError that says all that is wrong with the declaration.
 */
export function defineGame<State, Action>(
  definition: GameDefinition<State, Action>,
): Game<State, Action> {
  const { action, notation, seats, ...given } = definition;
  const game = {
    ...usualValues(),
    ...(given.acting === undefined ? {} : { turn: nobody }),
    ...(given.openInformation === false ? {} : { view: itself }),
    ...action,
    ...notationBy(() => game, notation),
    ...withoutUndefined(given),
    seats: seatsFrom(seats),
  } as Game<State, Action>;
  return checked(game);
}

/**
 * Makes a game that runs by the clock: `ticks.step` is all its play, so it has no turns and no actions. `ticks.hash`
 * is the first 8 digits of the state's hash where it is not given, and `ticks.eventsOf` tells nothing.
 */
export function defineTickGame<State>(
  definition: TickGameDefinition<State>,
): Game<State, never> & { readonly ticks: TickRules<State> } {
  const { seats, ticks, ...given } = definition;
  const game = {
    ...usualValues(),
    ...(given.openInformation === false ? {} : { view: itself }),
    turn: nobody,
    parseAction: () => null,
    legalActions: (state) => (definition.outcome(state) === null ? null : []),
    apply: () => illegalMove('This game is played by ticks and has no actions'),
    makeNotation: () => '',
    parseNotation: () => null,
    ...withoutUndefined(given),
    seats: seatsFrom(seats),
    ticks: {
      hash: (state) => hashJson(state as Json).slice(0, HASH_DIGITS),
      eventsOf: () => [],
      ...ticks,
    },
  } as Game<State, never> & { readonly ticks: TickRules<State> };
  return checked(game);
}

function usualValues() {
  return {
    rulesVersion: 1,
    variants: ['standard'] as const,
    options: {},
    turnTimeoutMs: 60_000,
    drawOffers: false,
    openInformation: true,
  };
}

const nobody = (): null => null;

function itself<State>(state: State): State {
  return state;
}

function seatsFrom(seats: Seats): Game<never, never>['seats'] {
  if (typeof seats === 'number') return { min: seats, max: seats, default: seats };
  const { min, max, default: usual = min } = seats;
  return { min, max, default: usual };
}

/** A member that is given as undefined is not given. */
function withoutUndefined<Given extends object>(given: Given): Given {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given;
}

type Notation<State, Action> = Pick<Game<State, Action>, 'makeNotation' | 'parseNotation'>;

/** Notation by the author's function, else by canonical JSON. `getGame` is asked when a text is read. */
function notationBy<State, Action>(
  getGame: () => Game<State, Action>,
  notation: ((action: Action) => string) | undefined,
): Notation<State, Action> {
  const write = notation ?? ((action: Action) => canonicalJson(action as Json));
  return {
    makeNotation: (_, action) => write(action),
    parseNotation(state, text, seat) {
      const game = getGame();
      const legal = game.legalActions(state, seat);
      if (legal !== null) return legal.find((action) => write(action) === text) ?? null;
      const action = notation === undefined ? game.parseAction(parseJson(text)) : null;
      return action !== null && write(action) === text ? action : null;
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function checked<Made extends object>(game: Made): Made {
  const faults = declarationFaults(game as AnyGame);
  if (faults.length === 0) return game;
  throw new TypeError(`Game ${(game as AnyGame).id}: ${faults.join('; ')}`);
}
