/** The effect of a match's end on the ratings of its players. */

import type { Mode } from '../match/record.ts';
import type { RatedGame, Rating } from './glicko2.ts';
import { NEW_RATING, ratePlayer, restRating } from './glicko2.ts';

/** The time in which an idle player's deviation grows by their volatility once: a day, in ms. */
export const PERIOD_MS = 86_400_000;

/** A leaderboard lists players with this many rated matches… */
export const BOARD_GAMES_MIN = 5;
/** … and whose rating is at least this certain: a player who rests for years leaves the board. */
export const BOARD_DEVIATION_MAX = 250;

/** A player's standing in one game and world. */
export interface Standing extends Rating {
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  /** End of the last rated match, ms since 1970; null before the first. */
  readonly lastPlayedAt: number | null;
}

export const NEW_STANDING: Standing = {
  ...NEW_RATING,
  games: 0,
  wins: 0,
  losses: 0,
  draws: 0,
  lastPlayedAt: null,
};

/** What of an outcome counts, by seat. */
export interface RatedOutcome {
  readonly winners: readonly number[];
  /** 1 for the first; equal places are shared. */
  readonly places: readonly number[];
  readonly reason: string;
}

/** Ends that do not show who is stronger. */
const UNRATED_REASONS: readonly string[] = ['aborted', 'expired'];

/** Does an end count? Not in training, nor an end without a comparison of the players. */
export function isRatedEnd(mode: Mode, { reason }: Pick<RatedOutcome, 'reason'>): boolean {
  return mode !== 'training' && !UNRATED_REASONS.includes(reason);
}

/** A standing at `now`, ms since 1970: the deviation grows with rest. */
export function standingAt(standing: Standing, now: number): Standing {
  return { ...standing, ...restRating(standing, periodsSince(standing, now)) };
}

/**
 * The standings after a match, by seat. With more than two each pair is a game of its own, and all
 * the games of a player together weigh as much as one.
 */
export function rateMatch(
  standings: readonly Standing[],
  outcome: RatedOutcome,
  now: number,
): readonly Standing[] {
  const rested = standings.map((each) => standingAt(each, now));
  const weight = 1 / (standings.length - 1);
  return standings.map((standing, seat) => {
    const games = rested.flatMap((opponent, other): RatedGame[] =>
      other === seat ? [] : [{ opponent, score: scoreOf(outcome, seat, other), weight }],
    );
    const rating = ratePlayer(standing, games, periodsSince(standing, now));
    const counted = addOutcome(standing, playerOutcome(outcome, seat));
    return { ...counted, games: standing.games + 1, ...rating, lastPlayedAt: now };
  });
}

function periodsSince({ lastPlayedAt }: Standing, now: number): number {
  return lastPlayedAt === null ? 0 : Math.max(0, now - lastPlayedAt) / PERIOD_MS;
}

function scoreOf({ places }: RatedOutcome, seat: number, other: number): number {
  const [own, theirs] = [places[seat]!, places[other]!];
  if (own === theirs) return 0.5;
  return own < theirs ? 1 : 0;
}

/** `loss`: the match had winners, and the player is not one of them. */
export type PlayerOutcome = 'win' | 'loss' | 'draw';

export function playerOutcome(
  { winners }: { readonly winners: readonly number[] },
  seat: number,
): PlayerOutcome {
  if (winners.length === 0) return 'draw';
  return winners.includes(seat) ? 'win' : 'loss';
}

const TALLIES = { win: 'wins', loss: 'losses', draw: 'draws' } as const;

/** A tally with one match more. */
export function addOutcome<T extends Readonly<Record<'wins' | 'losses' | 'draws', number>>>(
  before: T,
  outcome: PlayerOutcome,
): T {
  const name = TALLIES[outcome];
  return { ...before, [name]: before[name] + 1 };
}
