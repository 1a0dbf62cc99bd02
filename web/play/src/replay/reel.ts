/** The scenes of a replay, computed by the rules on demand. Pure. */

import type { AnyGame, Json } from '../../../../game/src/game.ts';
import { actingSeats } from '../../../../game/src/game.ts';
import { makeRandom } from '../../../../game/src/random.ts';
import { BATCH_TICKS_MAX, parseRuns, ticksOf } from '../../../../game/src/tick-game.ts';
import type { Replay } from '../../../../src/match/replay/replay-form.ts';
import type { ReplayStep, RerunMatch } from '../../../../src/match/replay/rerun.ts';
import { openMatch } from '../../../../src/match/replay/rerun.ts';
import { rerunSafely, stepsOf } from '../../../../src/match/replay/verify.ts';
import type { Seat } from '../protocol.ts';

/** One position of the match. */
export interface Scene {
  /** The version that it shows; -1 before the first step. */
  readonly v: number;
  /** When it came about, ms since 1970; null before the first step. */
  readonly at: number | null;
  readonly view: Json;
  readonly turn: Seat | null;
  readonly acting: readonly Seat[];
  readonly legal: readonly Json[] | null;
  readonly drawOfferedBy: Seat | null;
  /** The step that led to it, as an `update` would show it; null if none did. */
  readonly step: { readonly seat: Seat; readonly action: Json } | null;
}

export interface Reel {
  /** Index of the last scene that can be computed. */
  readonly last: number;
  /** The first record that is invalid, where the scenes end; null if all are valid. */
  readonly fault: { readonly v: number } | null;
  /** Scenes a second for real-time games; null for others. */
  readonly scenesPerSecond: number | null;
  scene(index: number): Scene;
}

/** `nearest` is the seat whose hidden information is shown: with the seed nothing is secret any more. */
export function makeReel(game: AnyGame, replay: Replay, nearest: Seat): Reel {
  const viewer = game.openInformation ? null : nearest;
  return game.ticks === undefined
    ? makeStepReel(game, replay, viewer)
    : makeTickReel(game, replay, viewer);
}

/** One scene for each step; all are cached, because they are small. */
function makeStepReel(game: AnyGame, replay: Replay, viewer: Seat | null): Reel {
  const { fairness } = replay;
  const randomAt = (drawn: number) =>
    makeRandom(fairness.seed ?? '', () => fairness.entropy, drawn);
  const steps = stepsOf(replay);
  const redone: RerunMatch[] = [openMatch(game, replay, randomAt(0))];
  let fault: Reel['fault'] = null;
  const follow = (index: number): void => {
    while (redone.length <= index && redone.length <= steps.length && fault === null) {
      const before = redone.at(-1)!;
      const step = steps[redone.length - 1]!;
      const next = rerunSafely(game, before, step, randomAt(before.drawn));
      if (typeof next === 'string') fault = { v: step.v };
      else redone.push(next);
    }
  };
  return {
    get last() {
      return fault === null ? steps.length : redone.length - 1;
    },
    get fault() {
      return fault;
    },
    scenesPerSecond: null,
    scene(index) {
      follow(index);
      const shown = Math.min(index, redone.length - 1);
      const match = redone[shown]!;
      return sceneOf(game, match, steps[shown - 1] ?? null, viewer);
    },
  };
}

function sceneOf(
  game: AnyGame,
  { state, drawOfferedBy }: Pick<RerunMatch, 'state' | 'drawOfferedBy'>,
  step: ReplayStep | null,
  viewer: Seat | null,
): Scene {
  const at = step === null ? null : Date.parse(step.at);
  return {
    v: step?.v ?? -1,
    at: at === null || Number.isNaN(at) ? null : at,
    view: game.view(state, viewer),
    turn: game.turn(state),
    acting: actingSeats(game, state),
    legal: game.acting === undefined ? game.legalActions(state) : [],
    drawOfferedBy,
    step: step === null ? null : shownStep(step),
  };
}

/** A step in the form in which the server shows it (rule P3). */
function shownStep(step: ReplayStep): Scene['step'] {
  if ('runs' in step) return null;
  const { seat } = step;
  if ('action' in step) return { seat, action: step.action };
  const { kind } = step;
  if (kind === 'missed') return { seat, action: { missed: true } };
  if (kind.startsWith('draw_')) return { seat, action: { draw: kind.slice('draw_'.length) } };
  return { seat, action: { forfeit: kind } };
}

/** A state is cached at this interval of ticks: those in between are replayed from it. */
const CACHED_EVERY = 120;

/** One scene for each tick. Ends before the first invalid tick. */
function makeTickReel(game: AnyGame, replay: Replay, viewer: Seat | null): Reel {
  const ticks = game.ticks!;
  const batches = (replay.ticks ?? []).map(({ v, runs }) => ({
    v,
    masks: masksOf(game, replay, runs),
  }));
  const wrong = batches.findIndex(({ masks }) => masks === null);
  const masks = batches
    .slice(0, wrong === -1 ? batches.length : wrong)
    .flatMap(({ masks }) => masks!);
  const cached: Json[] = [game.initial(replay)];
  let near: { readonly index: number; readonly state: Json } = { index: 0, state: cached[0]! };
  const playFrom = (from: number, state: Json, to: number): Json => {
    let played = state;
    for (let n = from; n < to; n += 1) played = ticks.step(played, masks[n]!);
    return played;
  };
  const stateAt = (index: number): Json => {
    const place = Math.floor(index / CACHED_EVERY);
    while (cached.length <= place) {
      const start = (cached.length - 1) * CACHED_EVERY;
      cached.push(playFrom(start, cached.at(-1)!, start + CACHED_EVERY));
    }
    const base = { index: place * CACHED_EVERY, state: cached[place]! };
    const { index: from, state } = near.index <= index && near.index >= base.index ? near : base;
    near = { index, state: playFrom(from, state, index) };
    return near.state;
  };
  return {
    last: masks.length,
    fault: wrong === -1 ? null : { v: batches[wrong]!.v },
    scenesPerSecond: ticks.ticksPerSecond,
    scene(index) {
      const shown = Math.min(Math.max(0, index), masks.length);
      const match = { state: stateAt(shown), drawOfferedBy: null };
      return { ...sceneOf(game, match, null, viewer), v: shown };
    },
  };
}

/** Every seat's input, tick by tick; null if unknown. */
function masksOf(
  { ticks }: AnyGame,
  { seats }: Replay,
  runs: unknown,
): readonly (readonly number[])[] | null {
  const bounds = { seats, maskMax: ticks!.maskMax, ticksMax: BATCH_TICKS_MAX };
  const parsed = parseRuns(runs, bounds);
  return parsed === null ? null : ticksOf(parsed);
}
