/** P6: nobody's time runs while nobody could move, as the process that held the match was dead. */

import { evolve } from '../../src/match/evolve.ts';
import type { Entry } from '../../src/match/record.ts';
import type { Session } from '../../src/match/session.ts';
import { merge } from '../../src/runtime/downtimes.ts';
import type { Downtime } from '../../src/store/store.ts';
import type { SessionTableRow, Tables } from '../store/tables.ts';
import type { History } from './history.ts';

/** When processes began and died, ms since 1970, by id. Those that gave away what they had did not die. */
export interface Lives {
  readonly births: ReadonlyMap<string, number>;
  readonly deaths: ReadonlyMap<string, number>;
  /** When each began to serve, and when it ended, however. */
  readonly ups: ReadonlyMap<string, number>;
  readonly ends: ReadonlyMap<string, number>;
  /** When the last sign of life of each was written: by all that others know it died after that. */
  readonly signs: ReadonlyMap<string, number>;
}

/** Of the nodes, and when the store was away for all of them. */
export interface Past extends Lives {
  readonly outages: readonly Downtime[];
}

/** Nobody can know of an outage that is younger than this, ms: whose turn ends in that time is put out. */
const UNNOTICED_MS = 1_500;

/** Clocks have to be right in such a run: records bear their nodes' times. */
export function checkFairness(tables: Tables, past: Past, history: History): void {
  for (const kept of tables.sessions.values()) {
    if (kept.log.length > 2) checkSession(kept, past, history);
  }
}

function checkSession({ row, log }: SessionTableRow, past: Past, history: History): void {
  let session: Session | null = null;
  let turnSince = 0;
  /** Of this turn, in which the holder was dead. */
  let dead: Downtime[] = [];
  /** A turn was missed right before: the seat may be put out for it, as part of the same. */
  let wasMissed = false;
  for (const { text, slept } of log) {
    const entry = JSON.parse(text) as Entry;
    const before: Session | null = session;
    session = evolve(row.id, before, entry);
    const isPart = wasMissed;
    wasMissed = entry.record.k === 'missed';
    if (before?.status === 'active' && !isPart && isTurnLost(entry, before)) {
      const turn = { from: turnSince, to: entry.at };
      const lost = merge([...dead, ...awayIn(turn, past.outages)]);
      const hadMs = lost.reduce((left, { from, to }) => left - (to - from), entry.at - turnSince);
      const wantMs = before.setup.turnTimeoutMs;
      if (hadMs < wantMs) {
        history.found(`P6: ${row.id} took a turn of ${wantMs} ms after ${hadMs} at ${entry.v}`);
      }
    }
    if (turnOf(before) !== turnOf(session)) {
      turnSince = entry.at;
      dead = [];
    } else if (before !== null && entry.record.k === 'owned') {
      const takeOver = { from: turnSince, to: entry.at, slept };
      dead.push(deadIn(past, before.node, entry.record.node, takeOver));
    }
  }
}

/** When the store was away for so long in that time that it was noticed. */
function awayIn({ from, to }: Downtime, outages: readonly Downtime[]): Downtime[] {
  return outages
    .map((each) => ({ from: Math.max(from, each.from), to: Math.min(to, each.to) }))
    .filter((each) => each.to - each.from > UNNOTICED_MS);
}

/**
 * When between `from` and `to` a session's holder was dead and nobody could have
 * taken it over: to the end, or until a process began where the next holder did so after the death. One
 * that slept anybody could have come to who serves.
 */
function deadIn(
  lives: Lives,
  holder: string,
  next: string,
  { from, to, slept }: { readonly from: number; readonly to: number; readonly slept: boolean },
): Downtime {
  const { births, deaths, signs } = lives;
  const death = deaths.get(holder);
  const none = { from, to: from };
  if (death === undefined) return none;
  const diedAt = Math.max(death, signs.get(holder) ?? 0);
  if (slept && servesAt(lives, diedAt)) return none;
  const later = [...births.values()].filter((bornAt) => bornAt > diedAt);
  const until = births.get(next)! < diedAt ? to : Math.min(to, ...later);
  const since = Math.max(diedAt, from);
  return { from: since, to: Math.max(since, until) };
}

function servesAt({ ups, ends }: Lives, at: number): boolean {
  return [...ups].some(([node, upAt]) => upAt <= at && (ends.get(node) ?? Infinity) > at);
}

/** Whose turn it is and the how manieth move: changes with every turn. */
function turnOf(session: Session | null): string {
  if (session?.status !== 'active') return session?.status ?? '';
  return `${session.play.turn} ${session.play.moveCount}`;
}

function isTurnLost({ record }: Entry, before: Session): boolean {
  if (before.setup.clock !== null) return false;
  return record.k === 'missed' || (record.k === 'forfeited' && record.reason === 'afk_timeout');
}
