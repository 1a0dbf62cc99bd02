/** What rounds between two levels come to: the score, how sure it is, and the difference in Elo. */

/** A number between two others, as sure as a 95 % interval is. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Standard errors on either side of a 95 % interval. */
const Z = 1.96;

/**
 * The score of one side, 0 to 1, from its points a game by rounds; there is at least one. Games of a
 * round share their beginning and their dice, so a round is one piece of evidence, and as many as
 * its games where these turn out to have little to do with each other. The interval is Wilson's,
 * which stays sensible near 0 and 1.
 */
export function scoreOf(rounds: readonly (readonly number[])[]): Estimate {
  const means = rounds.map((points) => points.reduce((sum, each) => sum + each, 0) / points.length);
  const games = rounds.reduce((sum, points) => sum + points.length, 0);
  const value = means.reduce((sum, mean) => sum + mean, 0) / means.length;
  return wilson(value, evidence(means, value, games));
}

/** How many games that have nothing to do with each other would say as much. */
function evidence(means: readonly number[], value: number, games: number): number {
  const rounds = means.length;
  const spread = value * (1 - value);
  if (rounds === 1 || spread === 0) return rounds;
  const squares = means.reduce((sum, mean) => sum + (mean - value) * (mean - value), 0);
  const variance = squares / (rounds - 1) / rounds;
  return Math.min(games, Math.max(rounds, spread / variance));
}

/** E. B. Wilson, "Probable inference", Journal of the American Statistical Association 22 (1927). */
function wilson(value: number, count: number): Estimate {
  const square = (Z * Z) / count;
  const middle = (value + square / 2) / (1 + square);
  const half = (Z / (1 + square)) * Math.sqrt((value * (1 - value)) / count + square / (4 * count));
  // At the ends the bound is the end itself, not what rounding makes of it.
  return { value, low: value === 0 ? 0 : middle - half, high: value === 1 ? 1 : middle + half };
}

/** Half of what lies between the bounds, in points of 100. */
export function halfWidth({ low, high }: Estimate): number {
  return ((high - low) / 2) * 100;
}

/** By how much Elo the side is stronger; infinite where it has won or lost all. */
export function eloOf(score: Estimate): Estimate {
  return { value: elo(score.value), low: elo(score.low), high: elo(score.high) };
}

function elo(score: number): number {
  return 400 * Math.log10(score / (1 - score));
}
