/**
 * L1: ratings follow from the matches in the order in which they ended: each once, and no others.
 */

import type { Entry, LogRecord } from '../../src/match/record.ts';
import {
  isRatedEnd,
  NEW_STANDING,
  rateMatch,
  type Standing,
} from '../../src/matchmaking/rating.ts';
import type { SavedSession, StoredData, StoredPlayer } from '../store/stored.ts';
import type { History } from './history.ts';

/** By player, then by mode and game. */
type Standings = Map<StoredPlayer, Map<string, Standing>>;

/** Rates all matches again by the logs of events, and compares. */
export function checkRatings(kept: StoredData, history: History): void {
  const expected: Standings = new Map();
  for (const { events } of kept.events.values()) {
    for (const { type, session } of events) {
      if (type !== 'session.ended') continue;
      const ended = kept.sessions.get(session!);
      if (ended !== undefined) rate(expected, ended);
    }
  }
  for (const player of kept.players) {
    const [is, want] = [player.standings, expected.get(player) ?? new Map()].map(textOf);
    if (is !== want) history.found(`L1: ${player.ref} has ${is}, where the matches make ${want}`);
  }
}

function rate(expected: Standings, { row, seats, bots, log }: SavedSession): void {
  const { at, record } = JSON.parse(log.at(-1)!.text) as Entry & { readonly record: LogRecord };
  if (record.k !== 'ended' || !isRatedEnd(row.mode, record.outcome) || bots.size > 0) return;
  const players = seats.filter((player) => player !== undefined);
  if (players.length !== record.outcome.places.length) return;
  const name = `${row.mode} ${row.game}`;
  const before = players.map((player) => expected.get(player)?.get(name) ?? NEW_STANDING);
  const after = rateMatch(before, record.outcome, at);
  for (const [seat, player] of players.entries()) {
    const own = expected.get(player) ?? new Map<string, Standing>();
    expected.set(player, own.set(name, after[seat]!));
  }
}

function textOf(standings: ReadonlyMap<string, Standing>): string {
  const all = [...standings].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(all);
}
