/** A result as the player reads it: who won, and why. */

import { readable } from './games/readable.ts';
import type { Key, Translate } from './i18n/translate.ts';
import { keyOr } from './i18n/translate.ts';
import { seatName } from './model.ts';
import type { ResultFrame, Seat, SessionView } from './protocol.ts';

/** Reasons why a seat is lost while others may play on. */
const LEFT = new Set(['resignation', 'afk_timeout', 'clock_timeout', 'disconnect']);

export type Ending = 'won' | 'lost' | 'draw' | 'other';

/** The result from the viewer's side; watchers and aborted matches have none. */
export function endingOf(session: SessionView, result: ResultFrame): Ending {
  if (winnersOf(result).length === 0) return isCalledOff(result) ? 'other' : 'draw';
  if (session.seat === null) return 'other';
  return winnersOf(result).includes(session.seat) ? 'won' : 'lost';
}

/** The winners' seats. */
export function winnersOf({ winners, placements }: ResultFrame): Seat[] {
  if (winners.length === 0) return [];
  return placements.filter(({ place }) => place === 1).map(({ seat }) => seat);
}

export function headlineOf(session: SessionView, result: ResultFrame, t: Translate): string {
  const ending = endingOf(session, result);
  if (ending === 'won') return t('result.won');
  if (ending === 'lost') return t('result.lost');
  if (ending === 'draw') return t('result.draw');
  const winners = winnersOf(result);
  if (winners.length === 0) return t('result.over');
  return t('result.wins', { name: namesOf(session, winners, t), count: winners.length });
}

function namesOf(session: SessionView, seats: readonly Seat[], t: Translate): string {
  const names = seats.map((seat) => seatName(session, seat, t));
  return new Intl.ListFormat(t.language).format(names);
}

/** Why it ended, from the player's side if it concerns the player. */
export function reasonOf(session: SessionView, result: ResultFrame, t: Translate): string {
  const losers = losersOf(session, result);
  // If several left one after the other, none of them is the cause.
  if (session.seats > 2 && LEFT.has(result.reason)) return t('reason.allLeft');
  const key = reasonKey(session.game, result.reason, t);
  if (key === null) return readable(result.reason);
  if (losers.length === 0) return t(key, { loser: '' }).trim();
  const own = keyOr(`${key}.you`, key, t);
  // All players of a team that lost read the same.
  const isOwn = session.seat !== null && losers.includes(session.seat);
  return t(isOwn ? own : key, { loser: namesOf(session, losers, t) });
}

/** The game's own sentence, or the page's; null if there is none. */
function reasonKey(game: string, reason: string, t: Translate): Key | null {
  return [`${game}.reason.${reason}`, `reason.${reason}`].find(t.knows) ?? null;
}

/** The number of moves, or of rounds in games that count them, and the time; shown below the reason. */
export function figuresOf(result: ResultFrame, runsByClock: boolean, t: Translate): string[] {
  const { moveCount, durationMs } = result;
  if (durationMs === 0 && moveCount === 0) return [];
  const time = t.elapsed(durationMs);
  const wins = result['roundsWon'];
  if (Array.isArray(wins)) return [t('result.rounds', { first: wins[0], second: wins[1] }), time];
  // The moves of a real-time game are its ticks.
  if (runsByClock) return [time];
  return [t('result.moves', { count: moveCount }), time];
}

function losersOf(session: SessionView, result: ResultFrame): readonly Seat[] {
  const winners = winnersOf(result);
  if (winners.length === 0) return [];
  return session.players.map(({ seat }) => seat).filter((seat) => !winners.includes(seat));
}

function isCalledOff({ reason }: ResultFrame): boolean {
  return reason === 'aborted' || reason === 'expired';
}
