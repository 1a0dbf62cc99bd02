/** A match as it can be handed on, redone elsewhere and checked (rules S7, S9). */

import type { GameId, Json, Options, Seat } from '../games/game.ts';
import { isRefusal } from '../games/game.ts';
import { canonicalJson, hashJson } from '../games/json.ts';
import { makeRandom, sha256Hex } from '../games/random.ts';
import { findGame } from '../games/registry.ts';
import { makeTime } from './frames.ts';
import type { Entry, ForfeitReason } from './record.ts';
import type { Result } from './result.ts';
import { makeResult } from './result.ts';
import type { Roster, Session } from './session.ts';
import { entropyOf } from './session.ts';

/** One committed action, in wire form. */
export interface ReplayInput {
  readonly v: number;
  /** ISO 8601. */
  readonly at: string;
  readonly seat: Seat;
  readonly action: Json;
}

/** What else moved the match on: turns missed and seats that went. */
export interface ReplayControl {
  readonly v: number;
  readonly at: string;
  readonly seat: Seat;
  readonly kind: 'missed' | ForfeitReason;
}

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
  readonly inputs: readonly ReplayInput[];
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
    inputs: entries.flatMap(toInput),
    controls: entries.flatMap(toControl),
    hash: play === null ? null : hashJson(play.state),
    result: session.status === 'ended' ? makeResult(session, roster) : null,
  };
}

function toInput({ v, at, record }: Entry): ReplayInput[] {
  if (record.k !== 'action') return [];
  return [{ v, at: makeTime(at), seat: record.seat, action: record.action }];
}

function toControl({ v, at, record }: Entry): ReplayControl[] {
  if (record.k === 'missed') return [{ v, at: makeTime(at), seat: record.seat, kind: 'missed' }];
  if (record.k !== 'forfeited') return [];
  return [{ v, at: makeTime(at), seat: record.seat, kind: record.reason }];
}

type ReplayStep = ReplayInput | ReplayControl;

/**
 * Redoes a match from its replay alone and compares. `secretSeed` stands in for a seed that is
 * not revealed yet; without either, a match that drew chance cannot be redone, and that is said.
 */
export function verifyReplay(replay: Replay, secretSeed: string | null = null): ReplayCheck {
  const game = findGame(replay.game);
  const wrong = (v: number | null, error: string): ReplayCheck => ({ ok: false, v, error });
  if (game === null) return wrong(null, `There is no engine for ${replay.game}`);
  if (game.rulesVersion !== replay.rulesVersion) {
    return wrong(null, `Played by rules ${replay.rulesVersion}, this engine has ${game.rulesVersion}`);
  }
  const seed = replay.fairness.seed ?? secretSeed;
  if (seed !== null && sha256Hex(seed) !== replay.fairness.commitment) {
    return wrong(null, 'The seed does not match its commitment');
  }
  const steps: ReplayStep[] = [...replay.inputs, ...replay.controls].sort((a, b) => a.v - b.v);
  const { variant, seats, options } = replay;
  let state = game.initial({ variant, seats, options });
  let drawn = 0;
  for (const step of steps) {
    const random = makeRandom(seed ?? '', replay.fairness.entropy, drawn);
    const next = redo(game, state, step, random);
    if (typeof next === 'string') return wrong(step.v, next);
    if (seed === null && random.drawn() !== drawn) {
      return wrong(step.v, 'Chance was drawn here, and the seed is secret until the end');
    }
    drawn = random.drawn();
    state = next.state;
  }
  const hash = hashJson(state);
  if (replay.hash !== null && hash !== replay.hash) return wrong(null, 'The final state differs');
  const resultError = checkResult(replay, game.outcome(state));
  if (resultError !== null) return wrong(null, resultError);
  return { ok: true, records: steps.length, hash: replay.hash === null ? null : hash };
}

type Engine = NonNullable<ReturnType<typeof findGame>>;

/** The state after one step, or what is wrong with it. */
function redo(
  game: Engine,
  state: Json,
  step: ReplayStep,
  random: ReturnType<typeof makeRandom>,
): { readonly state: Json } | string {
  if ('action' in step) {
    const action = game.parseAction(step.action);
    if (action === null) return 'Not an action of the game';
    if (canonicalJson(action) !== canonicalJson(step.action)) return 'Not an action in wire form';
    const applied = game.apply(state, step.seat, action, random);
    return isRefusal(applied) ? applied.error : applied;
  }
  if (step.kind === 'missed') {
    return game.missTurn?.(state, step.seat, random) ?? 'A turn cannot be missed in this game';
  }
  return { state: game.forfeit?.(state, step.seat) ?? state };
}

/** The game's own outcome has to be the result; other ends are the match's. */
function checkResult(replay: Replay, outcome: ReturnType<Engine['outcome']>): string | null {
  const { result } = replay;
  if (result === null) return outcome === null ? null : 'The game is over and the match is not';
  if (outcome === null) return null;
  if (result.reason === 'aborted') return null;
  if (result.reason !== outcome.reason) {
    return `The result says ${result.reason}, the game came out by ${outcome.reason}`;
  }
  const places = new Map(result.placements.map(({ seat, place }) => [seat, place]));
  const differs = outcome.places.some((place, seat) => places.has(seat) && places.get(seat) !== place);
  return differs ? 'The placements are not those of the game' : null;
}
