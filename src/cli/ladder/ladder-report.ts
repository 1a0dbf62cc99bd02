/** A ladder as it is shown: scores and Elo by pair, thinking time by bot and level. */

import type { BotLevel } from '../../../game/src/bot.ts';
import type { GameId } from '../../../game/src/game.ts';
import type { Report } from '../terminal/answer.ts';
import { printTable } from '../terminal/text-table.ts';
import type { Contender } from './ladder-contender.ts';
import { CONTENDERS, levelOf } from './ladder-contender.ts';
import type { LevelTimes, Terms } from './ladder-round.ts';
import type { Estimate } from './ladder-score.ts';
import { eloOf } from './ladder-score.ts';
import type { Tally } from './ladder-tally.ts';
import { countDistinct, countGames, tallyScore } from './ladder-tally.ts';
import type { Times } from './ladder-times.ts';
import { countTimes, mergeTimes, quantile } from './ladder-times.ts';

/** Time a level may take to think, at p99. */
const BUDGET_MS: Readonly<Record<BotLevel, number>> = {
  easy: 5,
  medium: 20,
  hard: 100,
  perfect: 100,
};
const POOL_BUDGET_MS = 500;

function budgetMs(game: GameId, level: BotLevel): number {
  const isLong = game === 'pool' && (level === 'hard' || level === 'perfect');
  return isLong ? POOL_BUDGET_MS : BUDGET_MS[level];
}

/** `complete`: every pair has played as much as requested. */
export function reportLadder(terms: Terms, tallies: readonly Tally[], complete: boolean): Report {
  const pairs = tallies.filter(({ rounds }) => rounds.length > 0).map(describePair);
  const levels = CONTENDERS.flatMap((each) => describeLevel(terms.game, each, tallies) ?? []);
  return {
    json: { ...terms, complete, pairs, levels },
    text: [
      headline(terms, complete),
      printTable(PAIR_TITLES, pairs.map(pairRow), 'No round was played.'),
      printTable(LEVEL_TITLES, levels.map(levelRow), ''),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  };
}

function headline({ game, variant, seats, seed, opening }: Terms, complete: boolean): string {
  const drawn = opening === 0 ? '' : `, ${opening} plies drawn`;
  const stopped = complete ? '' : ' (stopped before its end)';
  return `${game} (${variant}), ${seats} seats${drawn}, seed ${seed}${stopped}`;
}

// ── pairs ──────────────────────────────────────────────────────────────────────────────────────

interface PairReport {
  readonly levels: readonly [Contender, Contender];
  readonly games: number;
  /** Rounds, of two games each, that differ from all before them. */
  readonly distinctRounds: number;
  /** The first level's score of 1, with its 95 % interval. */
  readonly score: Estimate;
  /** By how much the first is stronger; JSON's null where it is infinite. */
  readonly elo: Estimate;
}

function describePair(tally: Tally): PairReport {
  const score = tallyScore(tally)!;
  return {
    levels: tally.pair,
    games: countGames(tally),
    distinctRounds: countDistinct(tally),
    score: { value: round(score.value), low: round(score.low), high: round(score.high) },
    elo: eloOf(score),
  };
}

function round(part: number): number {
  return Math.round(part * 10_000) / 10_000;
}

const PAIR_TITLES = ['PAIR', 'GAMES', 'DISTINCT', 'SCORE', '95 %', 'ELO', '95 %'];

function pairRow({ levels, games, distinctRounds, score, elo }: PairReport): readonly string[] {
  return [
    levels.join(' - '),
    String(games),
    String(2 * distinctRounds),
    score.value.toFixed(3),
    `${score.low.toFixed(3)} to ${score.high.toFixed(3)}`,
    signed(elo.value),
    `${signed(elo.low)} to ${signed(elo.high)}`,
  ];
}

function signed(elo: number): string {
  if (!Number.isFinite(elo)) return elo > 0 ? '+∞' : '-∞';
  const whole = Math.round(elo);
  return whole > 0 ? `+${whole}` : String(whole);
}

// ── levels ─────────────────────────────────────────────────────────────────────────────────────

interface LevelReport {
  readonly level: Contender;
  readonly decisions: number;
  /** By the clock, and of the processor's time. */
  readonly wallMs: TimesReport;
  readonly cpuMs: TimesReport;
  readonly budgetMs: number;
}

interface TimesReport {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

function describeLevel(
  game: GameId,
  level: Contender,
  tallies: readonly Tally[],
): LevelReport | null {
  const found = tallies.flatMap(({ pair, rounds }): readonly LevelTimes[] => {
    const side = pair.indexOf(level);
    return side === -1 ? [] : rounds.map(({ times }) => times[side as 0 | 1]);
  });
  const wall = mergeTimes(...found.map((each) => each.wall));
  const decisions = countTimes(wall);
  if (decisions === 0) return null;
  const cpu = mergeTimes(...found.map((each) => each.cpu));
  return {
    level,
    decisions,
    wallMs: describeTimes(wall),
    cpuMs: describeTimes(cpu),
    budgetMs: budgetMs(game, levelOf(level)),
  };
}

function describeTimes(times: Times): TimesReport {
  const at = (part: number): number => Number(quantile(times, part).toPrecision(3));
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

const LEVEL_TITLES = [
  'LEVEL',
  'DECISIONS',
  'P50 MS',
  'P99 MS',
  'MAX MS',
  'P99 CPU MS',
  'MAX CPU MS',
  'BUDGET MS',
];

function levelRow({ level, decisions, wallMs, cpuMs, budgetMs }: LevelReport): readonly string[] {
  const all = [decisions, wallMs.p50, wallMs.p99, wallMs.max, cpuMs.p99, cpuMs.max, budgetMs];
  return [level, ...all.map(String)];
}
