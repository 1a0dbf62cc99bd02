/** Verifying a match from its replay alone, check by check (rules S7, S9). Has no list of games. */

import type { AnyGame, Json, Outcome, Seat } from '../../../game/src/game.ts';
import { seatRangeOf } from '../../../game/src/game.ts';
import { canonicalJson, hashJson } from '../../../game/src/json.ts';
import type { RecordedRandom } from '../../../game/src/random.ts';
import { makeRandom, recordDraws, sha256Hex } from '../../../game/src/random.ts';
import { drawnByAll } from '../outcome.ts';
import type { Result } from '../result.ts';
import { nameOutcome } from '../result.ts';
import { drawSeats } from '../seating.ts';
import type { Roster } from '../session.ts';
import { fitsOption } from '../setup.ts';
import type { Replay, ReplayChance } from './replay-form.ts';
import type { ReplayStep, RerunMatch } from './rerun.ts';
import { openMatch, rerun } from './rerun.ts';

/**
 * The result of replaying a match. `v` is the version of the first impossible record, or of the
 * last one when only the final state differs. Null when no record is wrong.
 */
export type ReplayCheck =
  | { readonly ok: true; readonly records: number; readonly hash: string | null }
  | { readonly ok: false; readonly v: number | null; readonly error: string };

/** The checks, in order; the first that fails is the last that is made. */
export const REPLAY_CHECKS = [
  'game',
  'seed',
  'seats',
  'order',
  'steps',
  'state',
  'result',
] as const;
export type ReplayCheckName = (typeof REPLAY_CHECKS)[number];

/** The whole result. */
export interface Verification {
  readonly check: ReplayCheck;
  /** The check that failed; null when none did. */
  readonly failed: ReplayCheckName | null;
  /** Random values that the match drew from its seed, as far as it was replayed. */
  readonly drawn: number;
}

/** The steps of a replay in the order of their versions. */
export function stepsOf({ inputs, ticks = [], controls }: Replay): ReplayStep[] {
  return [...inputs, ...ticks, ...controls].sort((a, b) => a.v - b.v);
}

/**
 * Replays a match and compares; yields the number of finished steps after each, so that a page can
 * do something else meanwhile. `secretSeed` replaces a seed that is not revealed yet; without
 * either, a match that drew chance cannot be replayed, which is reported.
 *
 * Not in the replay, and so not checked: the clocks, when the match began (`durationMs`) and why it
 * was aborted. The hash is of the final state, so two orders of moves that lead to the same state
 * are both accepted. Entropy is checked if chance was drawn, a commitment if the seed is known.
 */
export function* verifyStepwise(
  game: AnyGame,
  replay: Replay,
  secretSeed: string | null = null,
): Generator<number, Verification> {
  const seed = replay.fairness.seed ?? secretSeed;
  const head =
    failure('game', checkGame(replay, game)) ??
    failure('seed', checkSeed(replay, seed)) ??
    failure('seats', checkSeats(replay, seed)) ??
    checkOrder(replay);
  if (head !== null) return head;
  const steps = stepsOf(replay);
  const dealing = randomOf(replay, seed ?? '', 0);
  const dealt = openSafely(game, replay, dealing);
  if (typeof dealt === 'string') return failed('steps', dealt);
  let match = dealt;
  let told = dealing.draws.length > 0 ? 1 : 0;
  const atStart = checkDeal(replay, seed, dealing.draws);
  if (atStart !== null) return failed('steps', atStart);
  for (const step of steps) {
    const random = randomOf(replay, seed ?? '', match.drawn);
    const next = rerunSafely(game, match, step, random);
    if (typeof next === 'string') return failed('steps', next, step.v, match.drawn);
    const { draws } = random;
    const otherChance = checkChance(replay, told, { v: step.v, draws });
    if (otherChance !== null) return failed('steps', otherChance, step.v, match.drawn);
    if (draws.length > 0) told += 1;
    if (seed === null && next.drawn !== match.drawn) {
      return failed('steps', 'Chance was drawn here, and the seed is secret until the end', step.v);
    }
    match = next;
    yield match.steps;
  }
  const end =
    failure('steps', told < (replay.chance?.length ?? 0) ? TOO_MUCH_CHANCE : null, match.drawn) ??
    failure('state', checkHash(replay, match), match.drawn, steps.at(-1)?.v) ??
    failure('result', checkResult(game, replay, match), match.drawn);
  if (end !== null) return end;
  const check = { ok: true, records: steps.length, hash: replay.hash } as const;
  return { check, failed: null, drawn: match.drawn };
}

/** The same without steps. */
export function verifyWith(
  game: AnyGame,
  replay: Replay,
  secretSeed: string | null = null,
): Verification {
  const course = verifyStepwise(game, replay, secretSeed);
  for (;;) {
    const { done, value } = course.next();
    if (done === true) return value;
  }
}

function failed(
  name: ReplayCheckName,
  error: string,
  v: number | null = null,
  drawn = 0,
): Verification {
  return { check: { ok: false, v, error }, failed: name, drawn };
}

function failure(
  name: ReplayCheckName,
  error: string | null,
  drawn = 0,
  v: number | null = null,
): Verification | null {
  return error === null ? null : failed(name, error, v, drawn);
}

/** Rule S9: the deal's values are listed first, under a record before all others. */
function checkDeal(
  { chance, inputs, controls }: Replay,
  seed: string | null,
  draws: RecordedRandom['draws'],
): string | null {
  if (draws.length === 0) return null;
  if (seed === null) return 'Chance was drawn at the start, and the seed is secret until the end';
  if (chance == null) return null;
  const [first] = chance;
  const isFirst = [...inputs, ...controls].every(({ v }) => first !== undefined && first.v < v);
  const isSame = canonicalJson((first?.draws ?? null) as Json) === canonicalJson(draws as Json);
  return isFirst && isSame
    ? null
    : 'The values told for the start are not those that the seed draws';
}

/** The match's random values after that many draws: 0 for the deal. */
function randomOf({ fairness }: Replay, seed: string, drawn: number): RecordedRandom {
  return recordDraws(makeRandom(seed, () => fairness.entropy, drawn));
}

/**
 * What each record of a match draws, as far as it can be replayed. The replay need not list it.
 * `startedV` is the version of the record that started play.
 */
export function drawChance(
  game: AnyGame,
  replay: Replay,
  seed: string,
  startedV: number,
): readonly ReplayChance[] {
  const chance: ReplayChance[] = [];
  const dealing = randomOf(replay, seed, 0);
  let match = openMatch(game, replay, dealing);
  if (dealing.draws.length > 0) chance.push({ v: startedV, draws: dealing.draws });
  for (const step of stepsOf(replay)) {
    const random = randomOf(replay, seed, match.drawn);
    const next = rerunSafely(game, match, step, random);
    if (typeof next === 'string') break;
    if (random.draws.length > 0) chance.push({ v: step.v, draws: random.draws });
    match = next;
  }
  return chance;
}

/** Rule S9: the listed draws are those that were drawn, record by record. */
function checkChance({ chance }: Replay, told: number, drawn: ReplayChance): string | null {
  if (chance == null || drawn.draws.length === 0) return null;
  const isSame =
    canonicalJson((chance[told] ?? null) as Json) === canonicalJson(drawn as unknown as Json);
  return isSame ? null : 'The values told for this record are not those that the seed draws';
}

/** An engine that throws at a step was given one that no match of ours has. */
export function rerunSafely(...args: Parameters<typeof rerun>): RerunMatch | string {
  return safely(() => rerun(...args));
}

function openSafely(...args: Parameters<typeof openMatch>): RerunMatch | string {
  return safely(() => openMatch(...args));
}

function safely<T>(redone: () => T): T | string {
  try {
    return redone();
  } catch (error) {
    return `The engine failed: ${(error as Error).message}`;
  }
}

/** Changed rules: such a match was not tampered with, but this engine cannot verify it. */
export function refuseRules({ id, rulesVersion }: AnyGame, played: number): string | null {
  if (played === rulesVersion) return null;
  return `Not checked: it was played by version ${played} of the rules of ${id}, and this engine has version ${rulesVersion}`;
}

/** Rule S9a: the engine gets only a valid setup. */
function checkGame(replay: Replay, game: AnyGame): string | null {
  const { rulesVersion, variant, seats, options } = replay;
  const otherRules = refuseRules(game, rulesVersion);
  if (otherRules !== null) return otherRules;
  if (!game.variants.includes(variant)) return `There is no variant ${variant}`;
  const { min, max } = seatRangeOf(game, variant);
  if (!Number.isInteger(seats) || seats < min || seats > max) {
    return `There is no ${replay.game} for ${seats}`;
  }
  const specs = Object.entries(game.options);
  const known = Object.keys(options).every((name) => Object.hasOwn(game.options, name));
  const fit = specs.every(([name, spec]) => fitsOption(spec, options[name]));
  return known && fit ? null : 'The options are not those of the game';
}

/** Rule S9: the seed is shown at the end, not before, and matches its commitment. */
function checkSeed({ fairness, result }: Replay, seed: string | null): string | null {
  if ((fairness.seed === null) !== (result === null)) {
    return 'The seed is to be shown with the result, and not before';
  }
  if (seed === null || sha256Hex(seed) === fairness.commitment) return null;
  return 'The seed does not match its commitment';
}

/** Rule S2: drawn seats are in the seed's order, and the players sit on them. */
function checkSeats({ drawnSeats, seats, players }: Replay, seed: string | null): string | null {
  if (drawnSeats === null) return null;
  const sat = players.map(({ seat }) => seat).sort((a, b) => a - b);
  const isSeated = canonicalJson([...drawnSeats].sort((a, b) => a - b)) === canonicalJson(sat);
  if (!isSeated) return 'The players do not sit on the seats that were drawn';
  const drawn =
    seed === null ? drawnSeats : drawSeats(seed, seats).filter((seat) => drawnSeats.includes(seat));
  const isDrawn = canonicalJson(drawn) === canonicalJson(drawnSeats);
  return isDrawn ? null : 'The seats are not those that the seed draws';
}

/** Versions and times are in order, for each kind and for all together. */
function checkOrder(replay: Replay): Verification | null {
  const { inputs, ticks = [], controls } = replay;
  const disorder = [inputs, ticks, controls, stepsOf(replay)]
    .map(findDisorder)
    .find((step) => step !== null);
  if (disorder === undefined) return null;
  return failed('order', 'Not in the order of versions and times', disorder.v);
}

/** The first step that is not after the one before it. */
function findDisorder(steps: readonly ReplayStep[]): ReplayStep | null {
  const isAfter = (step: ReplayStep, before: ReplayStep | undefined): boolean =>
    before === undefined || (step.v > before.v && step.at >= before.at);
  return steps.find((step, index) => !isAfter(step, steps[index - 1])) ?? null;
}

const TOO_MUCH_CHANCE = 'More values are told than were drawn';
const FINAL_STATE_DIFFERS =
  'The state after this record, the last one, is not the one that is told: it or one before was changed';

/** A match that never began has no state and no steps. */
function checkHash({ hash, result }: Replay, match: RerunMatch): string | null {
  if (hash !== null) return hash === hashJson(match.state) ? null : FINAL_STATE_DIFFERS;
  const isFresh = match.steps === 0 && (result === null || result.durationMs === 0);
  return isFresh ? null : 'The final state is missing';
}

/** The result must follow from the steps; only the match's own endings are trusted. */
function checkResult(game: AnyGame, replay: Replay, match: RerunMatch): string | null {
  const { result } = replay;
  if (result === null) return match.outcome === null ? null : 'The match is over, without a result';
  const ownEnd = replay.hash === null ? ['aborted', 'expired'] : ['aborted'];
  const outcome =
    match.outcome ??
    timeUpOutcome(game, replay, match, result) ??
    (ownEnd.includes(result.reason) ? drawnByAll(replay.seats, result.reason) : null);
  if (outcome === null) return `The match goes on, and the result says ${result.reason}`;
  const { durationMs } = result;
  const effort = { durationMs, moveCount: match.moveCount };
  const isBot = (seat: Seat): boolean =>
    replay.players.some((player) => player.seat === seat && player.isBot);
  const redone = nameOutcome(outcome, rosterOf(replay), effort, isBot);
  const field = differingField({ ...result }, { ...redone });
  return field === null ? null : `The result's ${field} is not what the match came to`;
}

/** The game's time limit is not replayed: a match that took that long is trusted to have reached it. */
function timeUpOutcome(
  game: AnyGame,
  replay: Replay,
  { state }: RerunMatch,
  { reason, durationMs }: Result,
): Outcome | null {
  const limitMs = game.timeLimitMs?.(replay) ?? null;
  if (limitMs === null || durationMs < limitMs || replay.hash === null) return null;
  const outcome = game.timeUp?.(state) ?? null;
  return outcome?.reason === reason ? outcome : null;
}

function rosterOf({ seats, players }: Replay): Roster {
  return Array.from(
    { length: seats },
    (_, seat) => players.find((player) => player.seat === seat) ?? null,
  );
}

type Fields = Readonly<Record<string, unknown>>;

function differingField(one: Fields, other: Fields): string | null {
  const text = (value: unknown): string =>
    value === undefined ? '' : canonicalJson(value as Json);
  const names = Object.keys({ ...one, ...other });
  return names.find((name) => text(one[name]) !== text(other[name])) ?? null;
}
