/** Random play of any game, recorded input by input, for the contract suite. */

import type {
  AnyGame,
  Applied,
  GameEvent,
  Json,
  OptionSpec,
  Options,
  OptionValue,
  Seat,
  Setup,
} from '../game.ts';
import { actingSeats, isRefusal, seatRangeOf } from '../game.ts';
import type { CountedRandom, Random } from '../random.ts';
import { makeRandom } from '../random.ts';
import type { TickGame, TickRun } from '../tick-game.ts';
import { advance as advanceTicks, BATCH_TICKS_MAX } from '../tick-game.ts';

/** An input to a game, as the match's log records it. */
export type Input =
  | { readonly kind: 'act'; readonly seat: Seat; readonly action: Json }
  | { readonly kind: 'miss'; readonly seat: Seat }
  | { readonly kind: 'forfeit'; readonly seat: Seat }
  /** A batch of ticks, for tick games. */
  | { readonly kind: 'ticks'; readonly runs: readonly TickRun[] };

/** A point in a game. */
export interface Position {
  readonly state: Json;
  /** Random values drawn so far. */
  readonly drawn: number;
  /** Seats that are out. */
  readonly forfeited: readonly Seat[];
  /** The events of the input that led here. */
  readonly events: readonly GameEvent[];
}

/** A game from its first position to its end. `inputs[i]` leads from `positions[i]` to the next. */
export interface PlayedGame {
  readonly setup: Setup;
  /** The match's secret, from which the game's random numbers come. */
  readonly secret: string;
  readonly positions: readonly Position[];
  readonly inputs: readonly Input[];
}

/** How a game is played at random. */
export interface Play<State = Json, Action = Json> {
  /** A game with more inputs counts as endless. Default 10,000. */
  readonly inputsMax?: number;
  /** Draws a legal action of a seat. Required where `legalActions` returns null, unused elsewhere. */
  randomAction?(state: State, random: Random, seat: Seat): Action;
}

const INPUTS_MAX = 10_000;

/** One turn in this many is missed, if the game plays missed turns. */
const MISS_ONE_IN = 8;
/** Before one input in this many a seat leaves, if the others may play on. */
const FORFEIT_ONE_IN = 64;

/** Every variant with every number of seats, then every other value of each option individually. */
export function makeSetups(game: AnyGame): readonly Setup[] {
  const { default: seats } = game.seats;
  const options = Object.fromEntries(
    Object.entries(game.options).map(([name, spec]) => [name, spec.default]),
  );
  const plain = makeTables(game).map((table) => ({ ...table, options }));
  const changed = Object.entries(game.options).flatMap(([name, spec]) =>
    otherValues(spec).map((value) => ({
      variant: game.variants[0],
      seats,
      options: { ...options, [name]: value },
    })),
  );
  return [...plain, ...changed].map(deepFreeze);
}

/** Every variant with every number of seats by every combination of the options' values. */
export function makeAllSetups(game: AnyGame): readonly Setup[] {
  const combinations = Object.entries(game.options).reduce<readonly Options[]>(
    (before, [name, spec]) =>
      before.flatMap((options) =>
        optionValues(spec).map((value) => ({ ...options, [name]: value })),
      ),
    [{}],
  );
  return makeTables(game)
    .flatMap((table) => combinations.map((options) => ({ ...table, options })))
    .map(deepFreeze);
}

/** Every variant with every number of seats. */
function makeTables(game: AnyGame): readonly Pick<Setup, 'variant' | 'seats'>[] {
  return game.variants.flatMap((variant) => {
    const { min, max } = seatRangeOf(game, variant);
    return Array.from({ length: max - min + 1 }, (_, more) => ({ variant, seats: min + more }));
  });
}

function otherValues(spec: OptionSpec): readonly OptionValue[] {
  return optionValues(spec).filter((value) => value !== spec.default);
}

/** The values to try: all of them; for an integer both bounds and the default. */
function optionValues(spec: OptionSpec): readonly OptionValue[] {
  switch (spec.kind) {
    case 'integer':
      return [...new Set([spec.min, spec.default, spec.max])];
    case 'boolean':
      return [false, true];
    case 'choice':
      return spec.values;
  }
}

/** A running game and the source of its random choices. */
interface Playing {
  readonly game: AnyGame;
  readonly play: Play;
  readonly setup: Setup;
  readonly secret: string;
  /** Makes the players' choices. Never the game's own random numbers. */
  readonly chooser: Random;
}

/** Plays one game to its end. All arguments are frozen, so a mutation throws. */
export function playRandomly(playing: Playing): PlayedGame {
  const { game, play, setup, secret } = playing;
  const { inputsMax = INPUTS_MAX } = play;
  let position = makeFirstPosition(game, setup, secret);
  const positions = [position];
  const inputs: Input[] = [];
  while (game.outcome(position.state) === null) {
    if (inputs.length === inputsMax) throw new Error(`No end after ${inputsMax} inputs`);
    const input = deepFreeze(chooseInput(playing, position));
    position = advance(game, position, input, secret);
    inputs.push(input);
    positions.push(position);
  }
  return { setup, secret, positions, inputs };
}

/** The position at the start: `initial`, then `deal`. */
export function makeFirstPosition(game: AnyGame, setup: Setup, secret: string): Position {
  const state = deepFreeze(game.initial(setup));
  const opened = { state, drawn: 0, forfeited: [], events: [] };
  if (game.deal === undefined) return deepFreeze(opened);
  const random = randomOf(opened, secret);
  const dealt = game.deal(state, random);
  return deepFreeze({ ...opened, ...dealt, drawn: random.drawn() });
}

/** The position after an input, frozen. Throws if the game refuses it. */
export function advance(game: AnyGame, from: Position, input: Input, secret: string): Position {
  return deepFreeze(stepFrom(game, from, input, secret));
}

/** The same, not frozen. */
export function stepFrom(game: AnyGame, from: Position, input: Input, secret: string): Position {
  if (input.kind === 'forfeit') {
    const state = game.forfeit?.(from.state, input.seat) ?? from.state;
    return { ...from, state, forfeited: [...from.forfeited, input.seat], events: [] };
  }
  if (input.kind === 'ticks') {
    const { state, events } = advanceTicks(withTicks(game), from.state, input.runs);
    return { ...from, state, events };
  }
  const random = randomOf(from, secret);
  const applied = applyInput(game, from.state, input, random);
  return { ...from, ...applied, drawn: random.drawn() };
}

/** The random numbers for the input after this position. */
export function randomOf(position: Position, secret: string): CountedRandom {
  return makeRandom(secret, () => 'entropy', position.drawn);
}

function applyInput(
  game: AnyGame,
  state: Json,
  input: Exclude<Input, { kind: 'forfeit' | 'ticks' }>,
  random: Random,
): Applied<Json> {
  const applied =
    input.kind === 'act'
      ? game.apply(state, input.seat, input.action, random)
      : (game.missTurn?.(state, input.seat, random) ?? null);
  if (applied === null) throw new Error(`Seat ${input.seat} cannot miss this turn`);
  if (isRefusal(applied)) throw new Error(`${JSON.stringify(input)} refused: ${applied.error}`);
  return applied;
}

function withTicks(game: AnyGame): TickGame {
  const { ticks } = game;
  if (ticks === undefined) throw new Error(`${game.id} has no ticks`);
  return { ticks, outcome: game.outcome };
}

function chooseInput(playing: Playing, position: Position): Input {
  const { game, setup, secret, chooser } = playing;
  if (game.ticks !== undefined) return { kind: 'ticks', runs: [chooseRun(playing)] };
  const left = seatsOf(setup).filter((seat) => !position.forfeited.includes(seat));
  const lost = left.find((seat) => game.hasMissedOut?.(position.state, seat));
  if (lost !== undefined) return { kind: 'forfeit', seat: lost };
  if (game.forfeit !== undefined && left.length > 2 && chooser.integer(FORFEIT_ONE_IN) === 0) {
    return { kind: 'forfeit', seat: pick(left, chooser) };
  }
  const seat = pick(actingSeats(game, position.state), chooser);
  if (game.missTurn !== undefined && chooser.integer(MISS_ONE_IN) === 0) {
    const missed = game.missTurn(position.state, seat, randomOf(position, secret));
    // With two seats, the loss of one ends the match, not the game.
    const endsMatch =
      left.length === 2 && missed !== null && game.hasMissedOut?.(missed.state, seat);
    if (missed !== null && !endsMatch) return { kind: 'miss', seat };
  }
  return { kind: 'act', seat, action: chooseAction(playing, position.state, seat) };
}

/** Every seat holds some input for a while. */
function chooseRun({ game, setup, chooser }: Playing): TickRun {
  const masks = seatsOf(setup).map(() => chooser.integer(game.ticks!.maskMax + 1));
  return [...masks, 1 + chooser.integer(BATCH_TICKS_MAX)];
}

export function seatsOf(setup: Setup): readonly Seat[] {
  return Array.from({ length: setup.seats }, (_, seat) => seat);
}

function chooseAction({ game, play, chooser }: Playing, state: Json, seat: Seat): Json {
  const legal = legalFor(game, state, seat);
  if (legal !== null) return pick(legal, chooser);
  if (play.randomAction === undefined) throw new Error(`${game.id} needs a randomAction`);
  return play.randomAction(state, chooser, seat);
}

/** Legal actions of an acting seat. Only games with `acting` get the seat. */
export function legalFor(game: AnyGame, state: Json, seat: Seat): readonly Json[] | null {
  return game.acting === undefined ? game.legalActions(state) : game.legalActions(state, seat);
}

function pick<T>(values: readonly T[], chooser: Random): T {
  if (values.length === 0) throw new Error('Nothing to choose from: the game is stuck');
  return values[chooser.integer(values.length)] as T;
}

/** Values that are deeply frozen: successive states share most of their values. */
const frozen = new WeakSet<object>();

/** Deeply freezes a JSON value and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  frozen.add(value);
  return Object.freeze(value);
}
