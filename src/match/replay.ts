/** A match as it can be handed on, redone elsewhere and checked (rules S7, S9). */

import type { AnyGame, GameId, Json, Options, Outcome, Seat } from '../games/game.ts';
import { GAME_IDS, seatRangeOf } from '../games/game.ts';
import { canonicalJson, hashJson } from '../games/json.ts';
import { makeRandom, sha256Hex } from '../games/random.ts';
import { findGame } from '../games/registry.ts';
import { tickGameOf } from './evolve.ts';
import { makeTime } from './frames.ts';
import { drawnByAll } from './outcome.ts';
import type { Entry } from './record.ts';
import type { RedoneMatch, ReplayControl, ReplayInput, ReplayStep, ReplayTicks } from './redo.ts';
import { openMatch, redo } from './redo.ts';
import type { Result } from './result.ts';
import { makeResult, nameOutcome } from './result.ts';
import { drawSeats } from './seating.ts';
import type { Roster, Session } from './session.ts';
import { entropyOf } from './session.ts';
import { fitsOption } from './setup.ts';

export interface Fairness {
  /** Hex SHA-256 of the seed's text. */
  readonly commitment: string;
  /** Null until the end. */
  readonly seed: string | null;
  /** What the players added, as one text. */
  readonly entropy: string;
}

export interface ReplayPlayer {
  /** Null once erased. */
  readonly id: string | null;
  readonly displayName: string | null;
  readonly seat: Seat;
  readonly isBot: boolean;
}

export interface Replay {
  readonly sessionId: string;
  readonly rulesVersion: number;
  readonly game: GameId;
  readonly variant: string;
  readonly seats: number;
  readonly options: Options;
  readonly players: readonly ReplayPlayer[];
  readonly fairness: Fairness;
  /** Seats in the order in which they were taken, where the seed drew it; null where it did not. */
  readonly drawnSeats: readonly Seat[] | null;
  readonly inputs: readonly ReplayInput[];
  /** Only of games that run by the clock. */
  readonly ticks?: readonly ReplayTicks[];
  readonly controls: readonly ReplayControl[];
  /** Hex SHA-256 of the state's canonical JSON; null when the game never began. */
  readonly hash: string | null;
  readonly result: Result | null;
}

/** What redoing a match found. `v` is the version of the first record that is wrong. */
export type ReplayCheck =
  | { readonly ok: true; readonly records: number; readonly hash: string | null }
  | { readonly ok: false; readonly v: number | null; readonly error: string };

export function makeFairness(session: Session): Fairness {
  const { seed } = session.setup;
  return {
    commitment: sha256Hex(seed),
    seed: session.status === 'ended' ? seed : null,
    entropy: entropyOf(session),
  };
}

export function makeReplay(session: Session, roster: Roster, entries: readonly Entry[]): Replay {
  const { setup } = session;
  const play = session.status === 'pending' ? null : session.play;
  return {
    sessionId: session.id,
    rulesVersion: setup.rulesVersion,
    game: setup.game,
    variant: setup.variant,
    seats: setup.seats,
    options: setup.options,
    players: session.seats.flatMap(({ taken, isBot }, seat) => {
      const player = roster[seat];
      if (!taken) return [];
      return [{ id: player?.id ?? null, displayName: player?.displayName ?? null, seat, isBot }];
    }),
    fairness: makeFairness(session),
    drawnSeats: setup.seating === 'drawn' ? entries.flatMap(toTaken) : null,
    inputs: entries.flatMap(toInput),
    ...(tickGameOf(session) === null ? null : { ticks: entries.flatMap(toTicks) }),
    controls: entries.flatMap(toControl),
    hash: play === null ? null : hashJson(play.state),
    result: session.status === 'ended' ? makeResult(session, roster) : null,
  };
}

function toTaken({ record }: Entry): readonly Seat[] {
  if (record.k === 'created') return record.taken;
  return record.k === 'joined' ? [record.seat] : [];
}

function toInput({ v, at, record }: Entry): ReplayInput[] {
  if (record.k !== 'action') return [];
  return [{ v, at: makeTime(at), seat: record.seat, action: record.action }];
}

function toTicks({ v, at, record }: Entry): ReplayTicks[] {
  if (record.k !== 'ticks') return [];
  return [{ v, at: makeTime(at), from: record.from, runs: record.runs }];
}

function toControl({ v, at, record }: Entry): ReplayControl[] {
  switch (record.k) {
    case 'missed':
      return [{ v, at: makeTime(at), seat: record.seat, kind: 'missed' }];
    case 'forfeited':
      return [{ v, at: makeTime(at), seat: record.seat, kind: record.reason }];
    case 'draw':
      return [{ v, at: makeTime(at), seat: record.seat, kind: `draw_${record.do}` }];
    default:
      return [];
  }
}

/**
 * Redoes a match from its replay alone and compares. `secretSeed` stands in for a seed that is
 * not revealed yet; without either, a match that drew chance cannot be redone, and that is said.
 *
 * Not in the replay, and so not checked: the clocks, when the match began (`durationMs`) and why
 * it was aborted. The hash is of the final state, so two orders of moves that lead to the same
 * state are both taken. Entropy is checked where chance was drawn, a commitment where the seed is
 * known.
 */
export function verifyReplay(replay: Replay, secretSeed: string | null = null): ReplayCheck {
  const game = GAME_IDS.includes(replay.game) ? findGame(replay.game) : null;
  if (game === null) return wrong(null, `There is no engine for ${replay.game}`);
  const seed = replay.fairness.seed ?? secretSeed;
  const headError = checkGame(replay, game) ?? checkSeed(replay, seed) ?? checkSeats(replay, seed);
  if (headError !== null) return wrong(null, headError);
  const { inputs, controls, ticks = [] } = replay;
  const steps = [...inputs, ...ticks, ...controls].sort((a, b) => a.v - b.v);
  const order = [inputs, ticks, controls, steps].map(findDisorder).find((step) => step !== null);
  if (order !== undefined) return wrong(order.v, 'Not in the order of versions and times');
  let match = openMatch(game, replay);
  for (const step of steps) {
    const random = makeRandom(seed ?? '', () => replay.fairness.entropy, match.drawn);
    const next = redo(game, match, step, random);
    if (typeof next === 'string') return wrong(step.v, next);
    if (seed === null && next.drawn !== match.drawn) {
      return wrong(step.v, 'Chance was drawn here, and the seed is secret until the end');
    }
    match = next;
  }
  const endError = checkHash(replay, match) ?? checkResult(game, replay, match);
  if (endError !== null) return wrong(null, endError);
  return { ok: true, records: steps.length, hash: replay.hash };
}

function wrong(v: number | null, error: string): ReplayCheck {
  return { ok: false, v, error };
}

/** Rule S9a: what the engine is set up with is what it can be set up with. */
function checkGame(replay: Replay, game: AnyGame): string | null {
  const { rulesVersion, variant, seats, options } = replay;
  if (game.rulesVersion !== rulesVersion) {
    return `Played by rules ${rulesVersion}, this engine has ${game.rulesVersion}`;
  }
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

/** Rule S9: the seed is shown at the end, not before, and is the one committed to. */
function checkSeed({ fairness, result }: Replay, seed: string | null): string | null {
  if ((fairness.seed === null) !== (result === null)) {
    return 'The seed is to be shown with the result, and not before';
  }
  if (seed === null || sha256Hex(seed) === fairness.commitment) return null;
  return 'The seed does not match its commitment';
}

/** Rule S2: drawn seats are the seed's, from the first on, and the players sit on them. */
function checkSeats({ drawnSeats, seats, players }: Replay, seed: string | null): string | null {
  if (drawnSeats === null) return null;
  const sat = players.map(({ seat }) => seat).sort((a, b) => a - b);
  const isSeated = canonicalJson([...drawnSeats].sort((a, b) => a - b)) === canonicalJson(sat);
  if (!isSeated) return 'The players do not sit on the seats that were drawn';
  const drawn = seed === null ? drawnSeats : drawSeats(seed, seats).slice(0, drawnSeats.length);
  const isDrawn = canonicalJson(drawn) === canonicalJson(drawnSeats);
  return isDrawn ? null : 'The seats are not those that the seed draws';
}

/** The first step that is not after the one before it. */
function findDisorder(steps: readonly ReplayStep[]): ReplayStep | null {
  const isAfter = (step: ReplayStep, before: ReplayStep | undefined): boolean =>
    before === undefined || (step.v > before.v && step.at >= before.at);
  return steps.find((step, index) => !isAfter(step, steps[index - 1])) ?? null;
}

/** A match that never began has no state and nothing happened in it. */
function checkHash({ hash, result }: Replay, match: RedoneMatch): string | null {
  if (hash !== null) return hash === hashJson(match.state) ? null : 'The final state differs';
  const isFresh = match.steps === 0 && (result === null || result.durationMs === 0);
  return isFresh ? null : 'The final state is missing';
}

/** The result has to be what the steps come to; only the match's own ends are believed. */
function checkResult(game: AnyGame, replay: Replay, match: RedoneMatch): string | null {
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

/** The game's own time is not redone: that it was up is believed of a match that took so long. */
function timeUpOutcome(
  game: AnyGame,
  replay: Replay,
  { state }: RedoneMatch,
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
