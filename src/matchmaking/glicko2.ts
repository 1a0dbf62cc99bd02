/** Glicko-2 by Mark Glickman (glicko.net/glicko/glicko2.pdf), with weights and parts of a period. */

/** How strong a player is, and how sure that is. */
export interface Rating {
  /** On the scale on which everybody begins with 1500. */
  readonly rating: number;
  /** The true strength lies within two of these on either side, nineteen times in twenty. */
  readonly deviation: number;
  /** How much the strength is expected to change. */
  readonly volatility: number;
}

/** One game from the side of the rated player. */
export interface RatedGame {
  /** As the opponent stood before the game. */
  readonly opponent: Rating;
  /** 1 won, 0.5 drawn, 0 lost. */
  readonly score: number;
  /** How much of a game it counts as: 1 for a whole one. */
  readonly weight: number;
}

/** A player who has not played. */
export const NEW_RATING: Rating = { rating: 1500, deviation: 350, volatility: 0.06 };

/** No rating is less certain than a newcomer's. */
const DEVIATION_MAX = NEW_RATING.deviation;
/** Below this a rating would hardly move any more, and players do change. */
const DEVIATION_MIN = 45;
const VOLATILITY_MAX = 0.1;
/** Points in one unit of the inner scale, on which the paper calculates. */
export const SCALE = 173.7178;
/** How little volatility changes; the paper recommends 0.3 to 1.2. */
const TAU = 0.5;
/** When the search for the new volatility is close enough. */
const EPSILON = 0.000001;
/** Keeps the variance finite. */
const INFORMATION_MIN = 1e-9;
/** The search needs about ten steps; a bound all the same. */
const STEPS_MAX = 100;

/** The rating after `periods` of rest, of any length: as high as before, and less sure. */
export function restRating(player: Rating, periods: number): Rating {
  const { rating, deviation, volatility } = player;
  const grown = Math.hypot(deviation / SCALE, volatility * Math.sqrt(Math.max(0, periods)));
  return { rating, deviation: Math.min(DEVIATION_MAX, grown * SCALE), volatility };
}

/**
 * The rating after games that were played together, `periods` after the ones before. Opponents are
 * taken as they are handed in: their own rest is the caller's to add.
 */
export function ratePlayer(player: Rating, games: readonly RatedGame[], periods: number): Rating {
  if (games.length === 0) return restRating(player, periods);
  const mu = (player.rating - NEW_RATING.rating) / SCALE;
  const phi = player.deviation / SCALE;
  let information = 0;
  let surprise = 0;
  for (const { opponent, score, weight } of games) {
    const g = dampingOf(opponent.deviation / SCALE);
    const expected = 1 / (1 + Math.exp(-g * (mu - (opponent.rating - NEW_RATING.rating) / SCALE)));
    information += weight * g * g * expected * (1 - expected);
    surprise += weight * g * (score - expected);
  }
  // Between ratings worlds apart a game says nothing, but never less than that.
  const variance = 1 / Math.max(information, INFORMATION_MIN);
  const volatility = newVolatility(player.volatility, phi, variance, variance * surprise);
  const rested = phi * phi + volatility * volatility * Math.max(0, periods);
  const newPhi = 1 / Math.sqrt(1 / rested + information);
  return {
    rating: NEW_RATING.rating + SCALE * (mu + newPhi * newPhi * surprise),
    deviation: Math.min(DEVIATION_MAX, Math.max(DEVIATION_MIN, newPhi * SCALE)),
    volatility,
  };
}

/** How much a game says, the less sure the opponent's rating is. */
function dampingOf(phi: number): number {
  return 1 / Math.sqrt(1 + (3 * phi * phi) / (Math.PI * Math.PI));
}

/** Step 5 of the paper: the root of `f` by the Illinois method. `delta` is the estimated change. */
function newVolatility(sigma: number, phi: number, variance: number, delta: number): number {
  const a = Math.log(sigma * sigma);
  const spread = phi * phi + variance;
  const f = (x: number): number => {
    const power = Math.exp(x);
    const sum = spread + power;
    return (power * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (TAU * TAU);
  };
  let low = a;
  let high = Math.log(delta * delta - spread);
  if (!(delta * delta > spread)) {
    let k = 1;
    while (f(a - k * TAU) < 0) k += 1;
    high = a - k * TAU;
  }
  let fLow = f(low);
  let fHigh = f(high);
  for (let step = 0; step < STEPS_MAX && Math.abs(high - low) > EPSILON; step++) {
    const middle = low + ((low - high) * fLow) / (fHigh - fLow);
    const fMiddle = f(middle);
    if (fMiddle * fHigh <= 0) {
      low = high;
      fLow = fHigh;
    } else {
      fLow /= 2;
    }
    high = middle;
    fHigh = fMiddle;
  }
  return Math.min(VOLATILITY_MAX, Math.exp(low / 2));
}
