/** Input that a game must refuse, by the thousand: shapes, types, numbers, wrong seats, near misses. */

import fc from 'fast-check';
import type { AnyGame, Json, Seat } from '../game.ts';
import { actingSeats, isRefusal } from '../game.ts';
import { canonicalJson } from '../json.ts';
import { BATCH_TICKS_MAX, parseMasks, parseRuns } from '../tick-game.ts';
import { anyJunk, corrupted, disguised } from './junk.ts';
import type { PlayedGame, Position } from './random-play.ts';
import { deepFreeze, legalFor, randomOf } from './random-play.ts';

/** A position that gets the input. */
export interface Target {
  readonly position: Position;
  readonly secret: string;
  readonly seats: number;
}

/** An input from a seat. */
interface Attempt {
  readonly seat: Seat;
  readonly input: unknown;
}

/** How many attempts of each kind were refused. */
export type Tally = Readonly<Record<string, number>>;

/** Inputs drawn at a time. */
const BATCH = 1_000;
/** Far deeper than any JSON that the service accepts. */
const DEPTH = 5_000;

/** Some positions of played games, including the first and the last of each. */
export function targetsOf(games: readonly PlayedGame[], eachMax: number): readonly Target[] {
  return games.flatMap(({ positions, secret, setup }) => {
    const gap = Math.max(1, Math.floor(positions.length / eachMax));
    return positions
      .filter((_, index) => index % gap === 0 || index === positions.length - 1)
      .map((position) => ({ position, secret, seats: setup.seats }));
  });
}

/** Sends input to the targets until that many were refused; throws if one changes anything. */
export function refuseHostileInput(
  game: AnyGame,
  targets: readonly Target[],
  actions: readonly Json[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Tally {
  const before = targets.map(({ position }) => canonicalJson(position.state));
  const tally: Record<string, number> = {};
  let refused = 0;
  for (let batch = 0; refused < count; batch += 1) {
    for (const [kind, input] of Object.entries(kindsOf(game, actions))) {
      const drawn = fc.sample(fc.tuple(fc.nat(), fc.nat(), input), {
        numRuns: BATCH,
        seed: seed + batch,
      });
      for (const [where, whose, each] of drawn) {
        const target = targets[where % targets.length]!;
        if (!isRefused(game, target, { seat: whose % target.seats, input: each })) continue;
        tally[kind] = (tally[kind] ?? 0) + 1;
        refused += 1;
      }
    }
  }
  for (const [index, { position }] of targets.entries()) {
    if (canonicalJson(position.state) !== before[index]) throw new Error('A state has changed');
  }
  return tally;
}

function kindsOf(
  game: AnyGame,
  actions: readonly Json[],
): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  const deep = fc.constantFrom(deepArray(), deepObject());
  const junk = fc.oneof(anyJunk, deep);
  if (game.ticks !== undefined) {
    const mask = fc.integer({ min: 0, max: game.ticks.maskMax });
    const masks = fc.array(mask, { maxLength: BATCH_TICKS_MAX });
    return { junk, 'spoiled masks': corruptedList(masks), 'masks in no list': mask };
  }
  const action = fc.constantFrom(...actions);
  const nested = fc.tuple(action, deep).map(([each, value]) => corruptField(each, value));
  return {
    junk,
    'spoiled actions': corrupted(actions),
    'fields that nest deep': nested,
    'actions in disguise': action.chain((each) => fc.constantFrom(...disguised(each))),
    // Legal at another time, or for another seat.
    'actions out of turn or place': action,
  };
}

function deepArray(): unknown {
  let value: unknown = 0;
  for (let depth = 0; depth < DEPTH; depth += 1) value = [value];
  return value;
}

function deepObject(): unknown {
  let value: unknown = 0;
  for (let depth = 0; depth < DEPTH; depth += 1) value = { roll: value, token: value };
  return value;
}

function corruptField(action: Json, value: unknown): unknown {
  if (typeof action !== 'object' || action === null) return value;
  const [first] = Object.keys(action);
  return { ...action, [first ?? '']: value };
}

/** A list with one element that is no mask, or too long. */
function corruptedList(masks: fc.Arbitrary<readonly number[]>): fc.Arbitrary<unknown> {
  const other = fc.oneof(
    anyJunk,
    fc.double(),
    fc.integer({ min: 1_024, max: 2 ** 31 - 1 }),
    fc.integer({ max: -1 }),
  );
  return fc.tuple(masks, fc.nat(), other).map(([list, where, value]) => {
    const corrupt: unknown[] = [...list];
    corrupt.splice(where % (list.length + 1), 0, value);
    return corrupt;
  });
}

/**
 * Whether the input is refused. Input that happens to be a legal action is not, and must be one
 * that the game lists. States are frozen, so a game that changes one throws.
 */
function isRefused(game: AnyGame, target: Target, { seat, input }: Attempt): boolean {
  if (game.ticks !== undefined && !isRefusedAsTicks(game, target.seats, input)) return false;
  const action = game.parseAction(input);
  if (action === null) return true;
  const { position, secret } = target;
  const applied = game.apply(position.state, seat, deepFreeze(action), randomOf(position, secret));
  if (isRefusal(applied)) return true;
  const isActing = actingSeats(game, position.state).includes(seat);
  const legal = legalFor(game, position.state, seat)?.map(canonicalJson);
  const isListed = legal === undefined || legal.includes(canonicalJson(action));
  if (!isActing || !isListed) throw new Error(`Taken: ${canonicalJson(action)}, seat ${seat}`);
  return false;
}

/** Through both parsers of masks: from a player's frame, and from the log. */
function isRefusedAsTicks({ ticks }: AnyGame, seats: number, input: unknown): boolean {
  const bounds = { seats, maskMax: ticks!.maskMax, ticksMax: BATCH_TICKS_MAX };
  const masks = parseMasks(input, bounds);
  const runs = parseRuns(input, bounds);
  const taken = [...(masks ?? []), ...(runs ?? []).flat()];
  const isSound = taken.every(
    (each) => Number.isInteger(each) && each >= 0 && !Object.is(each, -0),
  );
  if (!isSound) throw new Error(`Taken: ${JSON.stringify(taken)}`);
  return masks === null && runs === null;
}

/** Every different action that was made, or could have been, in the games. */
export function actionsOf(game: AnyGame, games: readonly PlayedGame[]): readonly Json[] {
  const actions = new Map<string, Json>();
  for (const { positions, inputs } of games) {
    const legal = positions.flatMap(({ state }) =>
      actingSeats(game, state).flatMap((seat) => legalFor(game, state, seat) ?? []),
    );
    const made = inputs.flatMap((input) => (input.kind === 'act' ? [input.action] : []));
    for (const action of [...legal, ...made]) actions.set(canonicalJson(action), action);
  }
  return [...actions.values()];
}
