/** Makes games: fills in defaults and validates the declaration. */

import { declarationFaults } from './declaration.ts';
import type { AnyGame, Game, Json, SeatRange, TickRules } from './game.ts';
import { canonicalJson, hashJson } from './json.ts';
import { illegalMove } from './refusal.ts';
import type { Shape } from './shape.ts';

/** Members with a default. */
type Defaulted =
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

/** A number, or a range whose default is `min`. */
type Seats = number | (SeatRange & { readonly default?: number });

/** A game as its author writes it. `Game` describes the members. */
export interface GameDefinition<State, Action>
  extends Omit<Game<State, Action>, Defaulted | 'seats' | 'ticks'>,
    Partial<Pick<Game<State, Action>, Defaulted>> {
  readonly seats: Seats;
  /** Replaces `parseAction` and `actionFault`. */
  readonly action?: Shape<Action>;
  /** Replaces `makeNotation` and `parseNotation`. Requires finite `legalActions`. */
  notation?(action: Action): string;
}

/** Members of `ticks` with a default. */
type DefaultedTicks = 'hash' | 'eventsOf';
/** Members that tick games do not have. */
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

/** A tick game as its author writes it. */
export interface TickGameDefinition<State> extends Omit<GameDefinition<State, never>, OfTurns> {
  readonly ticks: Omit<TickRules<State>, DefaultedTicks> &
    Partial<Pick<TickRules<State>, DefaultedTicks>>;
}

const HASH_DIGITS = 8;

/**
 * Makes a game. Defaults: rules version 1, one variant `standard`, no options, 60 s per turn, no draw offers, open
 * information, the state as view, canonical JSON as notation, and with `acting` a `turn` that is null. Throws a
 * TypeError that lists all faults of the declaration.
 */
export function defineGame<State, Action>(
  definition: GameDefinition<State, Action>,
): Game<State, Action> {
  const { action, notation, seats, ...given } = definition;
  const game = {
    ...defaults(),
    ...(given.acting === undefined ? {} : { turn: noTurn }),
    ...(given.openInformation === false ? {} : { view: wholeState }),
    ...action,
    ...notationBy(() => game, notation),
    ...withoutUndefined(given),
    seats: seatsFrom(seats),
  } as Game<State, Action>;
  return checked(game);
}

/**
 * Makes a tick game: only `ticks.step` changes its state, so it has no turns and no actions. Defaults: `ticks.hash` is
 * the first 8 digits of the state's SHA-256, `ticks.eventsOf` returns no events.
 */
export function defineTickGame<State>(
  definition: TickGameDefinition<State>,
): Game<State, never> & { readonly ticks: TickRules<State> } {
  const { seats, ticks, ...given } = definition;
  const game = {
    ...defaults(),
    ...(given.openInformation === false ? {} : { view: wholeState }),
    turn: noTurn,
    parseAction: () => null,
    legalActions: (state) => (definition.outcome(state) === null ? null : []),
    apply: () => illegalMove('This game runs by ticks and has no actions'),
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

function defaults() {
  return {
    rulesVersion: 1,
    variants: ['standard'] as const,
    options: {},
    turnTimeoutMs: 60_000,
    drawOffers: false,
    openInformation: true,
  };
}

const noTurn = (): null => null;

function wholeState<State>(state: State): State {
  return state;
}

function seatsFrom(seats: Seats): Game<never, never>['seats'] {
  if (typeof seats === 'number') return { min: seats, max: seats, default: seats };
  const { min, max, default: byDefault = min } = seats;
  return { min, max, default: byDefault };
}

/** A member that is undefined counts as absent. */
function withoutUndefined<Given extends object>(given: Given): Given {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given;
}

type Notation<State, Action> = Pick<Game<State, Action>, 'makeNotation' | 'parseNotation'>;

/** Notation by the author's function, else canonical JSON. `getGame` returns the finished game. */
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
