/** Tick games: all seats act in every tick, by masks in place of actions. */

import type { Applied, Json, Outcome, TickRules } from './game.ts';

/** Masks by seat, and last for how many ticks they are held: `[0, 17, 4]`. */
export type TickRun = readonly number[];

const SECOND_MS = 1_000;
/** Times since 1970 are doubles: a tick is due at its own time, despite rounding. */
const ROUNDING_TICKS = 0.001;

/** More ticks than a batch can have: one commit covers at most 250 ms. */
export const BATCH_TICKS_MAX = 15;

/** Runs of equal masks, from masks tick by tick. */
export function makeRuns(ticks: readonly (readonly number[])[]): readonly TickRun[] {
  const runs: number[][] = [];
  for (const masks of ticks) {
    const last = runs.at(-1);
    if (last !== undefined && masks.every((mask, seat) => mask === last[seat])) {
      last[masks.length]! += 1;
    } else runs.push([...masks, 1]);
  }
  return runs;
}

/** Masks tick by tick, from runs. */
export function ticksOf(runs: readonly TickRun[]): readonly (readonly number[])[] {
  return runs.flatMap((run) => Array<readonly number[]>(run.at(-1)!).fill(run.slice(0, -1)));
}

/** The number of ticks in them. */
export function countTicks(runs: readonly TickRun[]): number {
  let ticks = 0;
  for (const run of runs) ticks += run.at(-1)!;
  return ticks;
}

/** Validates runs from outside; null if they are invalid. */
export function parseRuns(
  input: unknown,
  bounds: { readonly seats: number; readonly maskMax: number; readonly ticksMax: number },
): readonly TickRun[] | null {
  const { seats, maskMax, ticksMax } = bounds;
  if (!Array.isArray(input) || input.length > ticksMax) return null;
  let ticks = 0;
  for (const run of input as readonly unknown[]) {
    if (!isMasks(run, maskMax, seats + 1, ticksMax)) return null;
    const count = run[seats]!;
    ticks += count;
    if (count < 1 || ticks > ticksMax) return null;
  }
  return input;
}

/** One seat's masks tick by tick, from `in` frames; null if they are invalid. */
export function parseMasks(
  input: unknown,
  bounds: { readonly maskMax: number; readonly ticksMax: number },
): readonly number[] | null {
  if (!Array.isArray(input) || input.length === 0 || input.length > bounds.ticksMax) return null;
  // `every` alone would skip holes.
  return Array.from(input).every((mask) => isWhole(mask, bounds.maskMax)) ? input : null;
}

/** Not -0, which JSON does not keep. */
function isWhole(value: unknown, max: number): value is number {
  if (typeof value !== 'number' || !Number.isInteger(value) || Object.is(value, -0)) return false;
  return value >= 0 && value <= max;
}

/** That many whole numbers, the last of them a count. */
function isMasks(
  run: unknown,
  maskMax: number,
  length: number,
  countMax: number,
): run is readonly number[] {
  if (!Array.isArray(run) || run.length !== length) return false;
  return Array.from(run).every((value, index) =>
    isWhole(value, index === length - 1 ? countMax : maskMax),
  );
}

/** When a tick is due, in ms; `zeroAt` is when tick 0 was. */
export function tickTime(
  { ticksPerSecond }: Pick<TickRules<Json>, 'ticksPerSecond'>,
  zeroAt: number,
  tick: number,
): number {
  return zeroAt + (tick * SECOND_MS) / ticksPerSecond;
}

/** The last tick that is due by `now`; below zero before the first. */
export function dueTickAt(
  { ticksPerSecond }: Pick<TickRules<Json>, 'ticksPerSecond'>,
  zeroAt: number,
  now: number,
): number {
  return Math.floor(((now - zeroAt) * ticksPerSecond) / SECOND_MS + ROUNDING_TICKS);
}

/** The part of a game that playing ticks needs. */
export interface TickGame<State = Json> {
  readonly ticks: TickRules<State>;
  outcome(state: State): Outcome | null;
}

/** The result of playing ticks. */
export interface Advanced<State> extends Applied<State> {
  /** The runs that were played: fewer than given if the game ended in them. */
  readonly runs: readonly TickRun[];
}

/** Plays ticks from a state on, up to the game's end. Pure. */
export function advance<State>(
  game: TickGame<State>,
  before: State,
  runs: readonly TickRun[],
): Advanced<State> {
  let state = before;
  const played: TickRun[] = [];
  for (const run of runs) {
    const masks = run.slice(0, -1);
    const wanted = run.at(-1)!;
    let count = 0;
    for (; count < wanted && game.outcome(state) === null; count += 1) {
      state = game.ticks.step(state, masks);
    }
    if (count > 0) played.push(count === wanted ? run : [...masks, count]);
  }
  return { state, events: game.ticks.eventsOf(before, state), runs: played };
}
