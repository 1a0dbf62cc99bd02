/** What `matchd games check` does with one game, a step after another. */

import type { AnyGame } from '../../../game/src/game.ts';
import { actingSeats, isRefusal } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import {
  type Contract,
  gameContractChecks,
  type ManyPlayed,
  type Measured,
  makeSetups,
  measureMany,
  playMany,
  playRandomly,
  throwHostileInput,
} from '../../../game/src/testing/index.ts';
import { messageOf } from '../../runtime/games/game-error.ts';
import type { GuardLimits } from '../../runtime/games/guard.ts';
import type { LoadedGame } from '../../runtime/games/load-game.ts';
import { stopwatchMs } from '../../runtime/system.ts';
import type { Engine } from './games-engines.ts';

export interface CheckTerms {
  readonly plays: number;
  readonly hostile: number;
  readonly seed: number;
  /** The service's limits on rules. */
  readonly limits: GuardLimits;
}

/** A game that is checked. Nothing of it is guarded: its parts are run by `run`. */
export interface Subject {
  readonly loaded: LoadedGame;
  /** Has it a bot of its own? */
  readonly hasBot: boolean;
  /** Another engine of JavaScript; null where none was found. */
  readonly engine: Engine | null;
  readonly contract: Contract;
  readonly checkFile: string | null;
  /** Runs a part of a step; throws where it does not end. */
  run<T>(what: string, act: () => T): T;
}

export interface Step {
  readonly what: string;
  readonly ok: boolean;
  /** Why it failed, or what there is to say of it. */
  readonly note: string | null;
  readonly ms: number;
}

export interface Found {
  readonly ok: boolean;
  readonly steps: readonly Step[];
  /** Of the random games; null where they failed. */
  readonly played: ManyPlayed | null;
  readonly measured: Measured | null;
}

/** Random games that are played in one part. */
const PART_GAMES = 100;
/** Games of a game by ticks have thousands of them. */
const TICK_GAMES_MAX = 500;
/** Games that another engine plays, too, and that are measured. */
const ENGINE_GAMES = 200;
const MEASURED_GAMES = 200;
const BOT_GAMES = 10;
/** The bot is asked in one position out of this many. */
const BOT_STRIDE = 5;
const BOT_NODES = 2_000;

/** Stops after the contract where that is broken: what follows would say the same at more length. */
export async function runSteps(subject: Subject, terms: CheckTerms): Promise<Found> {
  const steps: Step[] = [];
  const step = async <T>(
    what: string,
    act: () => Said<T> | Promise<Said<T>>,
  ): Promise<T | null> => {
    const began = stopwatchMs();
    const since = (): number => Math.round(stopwatchMs() - began);
    try {
      const { value, note = null } = await act();
      steps.push({ what, ok: true, note, ms: since() });
      return value;
    } catch (error) {
      steps.push({ what, ok: false, note: messageOf(error), ms: since() });
      return null;
    }
  };
  const isOk = (): boolean => steps.every(({ ok }) => ok);
  const { contract } = subject;
  const { game } = subject.loaded.rules;
  for (const { what, run } of gameContractChecks(game, { ...contract, seed: terms.seed })) {
    const title = what.split(' (seed ')[0]!;
    await step(title, () => ({ value: subject.run(title, run) }));
  }
  if (!isOk()) return { ok: false, steps, played: null, measured: null };
  const games = game.ticks === undefined ? terms.plays : Math.min(terms.plays, TICK_GAMES_MAX);
  const played = await step(`${games} random games end and redo alike`, () =>
    playParts(subject, terms.seed, games),
  );
  await step(`${terms.hostile} hostile inputs are refused`, () => hostile(subject, terms));
  await step('another engine plays the same games', () => onOtherEngine(subject, terms));
  if (subject.hasBot) await step('its bot plays legal actions', () => askBot(subject, terms.seed));
  const measured = await step('sizes and times are within the bounds of the service', () =>
    measure(subject, terms),
  );
  return { ok: isOk(), steps, played, measured };
}

interface Said<T> {
  readonly value: T;
  readonly note?: string;
}

function playParts(
  { loaded, contract, run }: Subject,
  seed: number,
  games: number,
): Said<ManyPlayed> {
  const { game } = loaded.rules;
  const parts: ManyPlayed[] = [];
  for (let from = 0; from < games; from += PART_GAMES) {
    const count = Math.min(PART_GAMES, games - from);
    const part = { seed, games: count, from, play: contract };
    parts.push(run('random games', () => playMany(game, part)));
  }
  return { value: parts.reduce(addParts, NO_GAMES) };
}

const NO_GAMES: ManyPlayed = {
  games: 0,
  setups: 0,
  inputs: 0,
  longest: 0,
  reasons: {},
  hash: '',
};

function addParts(sum: ManyPlayed, part: ManyPlayed): ManyPlayed {
  const reasons: Record<string, number> = { ...sum.reasons };
  for (const [reason, count] of Object.entries(part.reasons)) {
    reasons[reason] = (reasons[reason] ?? 0) + count;
  }
  return {
    games: sum.games + part.games,
    setups: part.setups,
    inputs: sum.inputs + part.inputs,
    longest: Math.max(sum.longest, part.longest),
    reasons,
    hash: part.hash,
  };
}

function hostile({ loaded, contract, run }: Subject, terms: CheckTerms): Said<null> {
  const { seed, hostile: count } = terms;
  const { game } = loaded.rules;
  if (count > 0) {
    run('hostile input', () => throwHostileInput(game, { seed, count, play: contract }));
  }
  return { value: null };
}

async function onOtherEngine(
  { loaded, contract, checkFile, engine, run }: Subject,
  { seed, plays }: CheckTerms,
): Promise<Said<null>> {
  if (engine === null) return { value: null, note: 'not checked: there is no other engine here' };
  const { game } = loaded.rules;
  const games = fewer(game, plays, ENGINE_GAMES);
  const here = run('random games', () => playMany(game, { seed, games, play: contract }));
  const there = await engine.play(loaded.files.rules, checkFile, seed, games);
  if (here.hash !== there.hash) {
    throw new Error(`on ${engine.name} the same ${games} games come out otherwise`);
  }
  return { value: null, note: `${games} games on ${engine.name}` };
}

/** A game by ticks has thousands of inputs. */
function fewer({ ticks }: AnyGame, plays: number, most: number): number {
  return Math.min(Math.max(1, plays), ticks === undefined ? most : Math.ceil(most / 10));
}

function askBot({ loaded, contract, run }: Subject, seed: number): Said<null> {
  const { game, bot } = loaded.rules;
  const mind = run('the bot', () => bot!.makeMind());
  const random = makeRandom(`${seed}`, () => 'bot', 0);
  const setups = makeSetups(game);
  let asked = 0;
  for (let number = 0; number < BOT_GAMES; number += 1) {
    const setup = setups[number % setups.length]!;
    const secret = `${seed} ${number}`;
    const { positions } = run('a random game', () =>
      playRandomly({ game, play: contract, setup, secret, chooser: random }),
    );
    for (const { state } of positions.filter((_, index) => index % BOT_STRIDE === 0)) {
      const [seat] = actingSeats(game, state);
      if (seat === undefined) continue;
      const seen = game.imagine?.(state, seat, random) ?? state;
      const question = { state: seen, seat, level: 'easy', nodesMax: BOT_NODES } as const;
      const action = run('the bot', () => mind.choose(question, random));
      const parsed = game.parseAction(JSON.parse(JSON.stringify(action)));
      const applied = parsed === null ? null : game.apply(state, seat, parsed, random);
      if (applied === null || isRefusal(applied)) {
        throw new Error(`it chose ${JSON.stringify(action)}: ${applied?.error ?? 'no action'}`);
      }
      asked += 1;
    }
  }
  return { value: null, note: `${asked} positions` };
}

function measure(
  { loaded, contract, run }: Subject,
  { seed, plays, limits }: CheckTerms,
): Said<Measured> {
  const { game } = loaded.rules;
  const games = fewer(game, plays, MEASURED_GAMES);
  const many = { seed, games, play: contract, now: stopwatchMs };
  const take = (): Measured => run('measuring', () => measureMany(game, many));
  const first = take();
  // It may have been the machine that stood still: rules are slow at the same input again.
  const measured = first.inputMs.max > limits.callMs ? take() : first;
  const { stateBytesMax, inputMs } = measured;
  if (stateBytesMax > limits.stateCharsMax) {
    throw new Error(`a state has ${stateBytesMax} bytes, at most ${limits.stateCharsMax}`);
  }
  if (inputMs.max > limits.callMs) {
    throw new Error(`an input took ${Math.round(inputMs.max)} ms, at most ${limits.callMs}`);
  }
  const isSlow = inputMs.p99 > limits.slowMs;
  const note = `slow: one input in a hundred takes ${Math.round(inputMs.p99)} ms or more`;
  return isSlow ? { value: measured, note } : { value: measured };
}
