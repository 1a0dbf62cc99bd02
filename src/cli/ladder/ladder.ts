/** `matchd ladder`: a game's bots against each other, without a server. */

import os from 'node:os';
import { BOT_LEVELS } from '../../../game/src/bot.ts';
import type { AnyGame, GameId } from '../../../game/src/game.ts';
import { seatRangeOf } from '../../../game/src/game.ts';
import { findGame, GAME_IDS } from '../../games/registry.ts';
import { type Answer, failed, isRefusal, type Refusal, wrongUsage } from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Contender } from './ladder-contender.ts';
import { botOf, CONTENDERS } from './ladder-contender.ts';
import type { Crew } from './ladder-crew.ts';
import { makeCrew } from './ladder-crew.ts';
import { appendRound, openLadderFile } from './ladder-file.ts';
import { reportLadder } from './ladder-report.ts';
import type { Pair, Terms } from './ladder-round.ts';
import { halfWidth } from './ladder-score.ts';
import type { Enough, Tally } from './ladder-tally.ts';
import { countGames, isEnough, tallyScore } from './ladder-tally.ts';

export interface LadderOptions {
  readonly json?: boolean;
  readonly variant?: string;
  readonly seats?: string;
  readonly levels?: string;
  readonly games: string;
  readonly within?: string;
  readonly seed: string;
  readonly opening: string;
  readonly workers?: string;
  readonly out?: string;
}

/** Games in which `perfect` plays otherwise than `hard`. */
const SOLVED: readonly GameId[] = ['tictactoe', 'connect4'];

const GAMES_MAX = 1_000_000;
const WITHIN_POINTS = 3;
/** A game of pool takes both levels tens of seconds. */
const WITHIN_POINTS_POOL = 7;
const WITHIN_POINTS_MAX = 50;
const OPENING_PLIES_MAX = 8;
const WORKERS_MAX = 64;
const SEED_CHARS_MAX = 64;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** How often it is said how far it has come. */
const PROGRESS_MS = 1_000;

/** The settings of a run. */
interface Ladder {
  readonly terms: Terms;
  readonly tallies: readonly Tally[];
  readonly enough: Enough;
  readonly workers: number;
  /** The file of the rounds; null for none. */
  readonly out: string | null;
}

export async function playLadder(
  name: string,
  options: LadderOptions,
  say: Progress,
): Promise<Answer> {
  const ladder = readLadder(name, options);
  if (isRefusal(ladder)) return ladder;
  const wrongFile = resume(ladder);
  if (wrongFile !== null) return failed(`${ladder.out} cannot be continued: ${wrongFile}`);
  const crew = makeCrew(ladder.workers);
  const progress = setInterval(() => reportProgress(ladder, say), PROGRESS_MS);
  const stopped = Promise.withResolvers<void>();
  // A parent process may pass on a signal that the terminal also sent: it arrives twice.
  for (const signal of STOP_SIGNALS) process.on(signal, stopped.resolve);
  try {
    await Promise.race([playAll(ladder, crew), stopped.promise]);
  } finally {
    clearInterval(progress);
    await crew.close();
  }
  const { terms, tallies, enough } = ladder;
  return reportLadder(
    terms,
    tallies,
    tallies.every((tally) => isEnough(tally, enough)),
  );
}

// ── arguments ──────────────────────────────────────────────────────────────────────────────────

function readLadder(name: string, options: LadderOptions): Ladder | Refusal {
  const id = GAME_IDS.find((each) => each === name);
  const game = id === undefined ? null : findGame(id);
  if (game === null) {
    const built = GAME_IDS.filter((each) => findGame(each) !== null);
    return wrongUsage(`game "${name}": must be ${built.join(', ')}`);
  }
  const terms = readTerms(game, options);
  if (isRefusal(terms)) return terms;
  const levels = readLevels(game, options.levels);
  if (isRefusal(levels)) return levels;
  const within = options.within ?? defaultWithin(game.id);
  const numbers = {
    gamesMax: readNumber('--games', options.games, 2, GAMES_MAX),
    within: readNumber('--within', within, 0, WITHIN_POINTS_MAX),
    workers: readNumber('--workers', options.workers ?? defaultWorkers(), 1, WORKERS_MAX),
  };
  const wrong = Object.values(numbers).find((number) => typeof number !== 'number');
  if (wrong !== undefined) return wrong as Refusal;
  const { gamesMax, within: points, workers } = numbers as Record<keyof typeof numbers, number>;
  return {
    terms,
    workers,
    out: options.out ?? null,
    tallies: pairsOf(levels).map((pair) => ({ pair, rounds: [] })),
    enough: { gamesMax, within: points },
  };
}

function defaultWithin(game: GameId): string {
  return String(game === 'pool' ? WITHIN_POINTS_POOL : WITHIN_POINTS);
}

function defaultWorkers(): string {
  return String(Math.min(os.availableParallelism(), WORKERS_MAX));
}

function readTerms(game: AnyGame, options: LadderOptions): Terms | Refusal {
  const variant = options.variant ?? game.variants[0];
  if (!game.variants.includes(variant)) {
    return wrongUsage(`--variant "${variant}": must be ${game.variants.join(', ')}`);
  }
  const { min, max } = seatRangeOf(game, variant);
  const seats = readNumber('--seats', options.seats ?? String(game.seats.default), min, max);
  if (typeof seats !== 'number') return seats;
  const opening = readNumber('--opening', options.opening, 0, OPENING_PLIES_MAX);
  if (typeof opening !== 'number') return opening;
  const { seed } = options;
  if (seed === '' || seed.length > SEED_CHARS_MAX) {
    return wrongUsage(`--seed: must have 1 to ${SEED_CHARS_MAX} characters`);
  }
  const hasMoves = game.ticks === undefined && game.id !== 'pool';
  if (opening > 0 && !hasMoves) return wrongUsage(`--opening: ${game.id} has no list of moves`);
  return { game: game.id, variant, seats, seed, opening };
}

function readNumber(name: string, text: string, min: number, max: number): number | Refusal {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  return wrongUsage(`${name} "${text}": must be a whole number from ${min} to ${max}`);
}

/** The levels to be played, the weakest of each bot first. */
function readLevels(game: AnyGame, text: string | undefined): readonly Contender[] | Refusal {
  const levels = BOT_LEVELS.filter((level) => level !== 'perfect' || SOLVED.includes(game.id));
  if (text === undefined) return levels;
  const names = text.split(',').map((name) => name.trim());
  const found = CONTENDERS.filter((each) => names.includes(each));
  if (found.length !== names.length || found.length < 2) {
    return wrongUsage(`--levels "${text}": must be two or more of ${CONTENDERS.join(', ')}`);
  }
  const missing = found.find((each) => botOf(game, each) === null);
  if (missing === undefined) return found;
  return wrongUsage(`--levels "${text}": ${game.id} is not a game for ${missing}`);
}

/** Everybody against everybody, the stronger one first. */
function pairsOf(levels: readonly Contender[]): readonly Pair[] {
  return levels.flatMap((weaker, index) =>
    levels.slice(index + 1).map((stronger): Pair => [stronger, weaker]),
  );
}

// ── play ───────────────────────────────────────────────────────────────────────────────────────

/** Takes over the content of the file; returns its fault, or null. */
function resume({ out, terms, tallies }: Ladder): string | null {
  if (out === null) return null;
  const kept = openLadderFile(out, terms);
  if (typeof kept === 'string') return kept;
  for (const { pair, number, round } of kept) {
    const tally = tallies.find((each) => each.pair.join() === pair.join());
    // Other pairs may be another run's business.
    if (tally === undefined) continue;
    if (number !== tally.rounds.length)
      return `round ${number} of ${pair.join(' - ')} is out of order`;
    tally.rounds.push(round);
  }
  return null;
}

async function playAll(ladder: Ladder, crew: Crew): Promise<void> {
  for (const tally of ladder.tallies) {
    await playPair(ladder, tally, crew);
    crew.drop();
  }
}

/**
 * Rounds count in order of their numbers, whichever ends first: so the same seed ends after the
 * same round, with any number of workers.
 */
async function playPair({ terms, enough, out }: Ladder, tally: Tally, crew: Crew): Promise<void> {
  const { pair, rounds } = tally;
  const playing: ReturnType<Crew['play']>[] = [];
  while (!isEnough(tally, enough)) {
    while (playing.length <= crew.size) {
      playing.push(crew.play({ terms, pair, number: rounds.length + playing.length }));
    }
    const round = await playing.shift()!;
    if (out !== null) appendRound(out, { pair, number: rounds.length, round });
    rounds.push(round);
  }
}

function reportProgress({ tallies, enough }: Ladder, say: Progress): void {
  const tally = tallies.find((each) => !isEnough(each, enough));
  if (tally === undefined) return;
  const score = tallyScore(tally);
  const known =
    score === null
      ? ''
      : `, score ${score.value.toFixed(3)} ± ${(halfWidth(score) / 100).toFixed(3)}`;
  const unit = `games${known}`;
  say(tally.pair.join(' - '), { done: countGames(tally), of: null, unit });
}
