/** P6: nobody's time runs while nobody could move, and nobody is given time for nothing. */

import { evolve } from '../../src/match/evolve.ts';
import type { Entry } from '../../src/match/record.ts';
import type { Session } from '../../src/match/session.ts';
import type { SessionTableRow, Tables } from '../store/tables.ts';
import type { Deeds, Stretch } from '../world/nemesis.ts';
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

/** Of the nodes, when the store was away for all of them, and when each stood still. */
export interface Past extends Lives, Deeds {}

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
  let dead: Stretch[] = [];
  /** Who has held it in this turn. */
  let holders: (Stretch & { readonly node: string })[] = [];
  /** A turn was missed right before: the seat may be put out for it, as part of the same. */
  let wasMissed = false;
  for (const { text, slept } of log) {
    const entry = JSON.parse(text) as Entry;
    const before: Session | null = session;
    session = evolve(row.id, before, entry);
    if (before !== null) holders.push({ node: before.node, from: before.at, to: entry.at });
    const isPart = wasMissed;
    wasMissed = entry.record.k === 'missed';
    if (before?.status === 'active' && !isPart && isTurnLost(entry, before)) {
      const turn = { from: turnSince, to: entry.at };
      const stood = holders.flatMap((held) =>
        partsIn(
          held,
          past.pauses.filter(({ node }) => node === held.node),
        ),
      );
      const lost = merge([...dead, ...partsIn(turn, past.outages), ...partsIn(turn, stood)]);
      const hadMs = lost.reduce((left, { from, to }) => left - (to - from), entry.at - turnSince);
      const wantMs = before.setup.turnTimeoutMs;
      if (hadMs < wantMs) {
        history.found(`P6: ${row.id} took a turn of ${wantMs} ms after ${hadMs} at ${entry.v}`);
      }
    }
    if (turnOf(before) !== turnOf(session)) {
      turnSince = entry.at;
      dead = [];
      holders = [];
    } else if (before !== null && entry.record.k === 'owned') {
      const takeOver = { from: turnSince, to: entry.at, slept };
      dead.push(deadIn(past, before.node, entry.record.node, takeOver));
    }
  }
}

/** In a run in which nothing can interrupt the service no time is given back. */
export function checkGifts(tables: Tables, history: History): void {
  for (const { row, log } of tables.sessions.values()) {
    for (const { text } of log) {
      const { v, record } = JSON.parse(text) as Entry;
      const lostMs = 'lostMs' in record ? record.lostMs : 0;
      if (lostMs > 0) history.found(`P6: ${row.id} was given ${lostMs} ms for nothing at ${v}`);
    }
  }
}

/** Those that lasted so long in that time that they were noticed. */
function partsIn({ from, to }: Stretch, stretches: readonly Stretch[]): Stretch[] {
  return stretches
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
): Stretch {
  const { births, deaths, signs } = lives;
  const death = deaths.get(holder);
  const none = { from, to: from };
  if (death === undefined) return none;
  const diedAt = Math.max(death, signs.get(holder) ?? 0);
  // Its time runs by the clock, whoever serves.
  if (slept) return none;
  const later = [...births.values()].filter((bornAt) => bornAt > diedAt);
  const until = births.get(next)! < diedAt ? to : Math.min(to, ...later);
  const since = Math.max(diedAt, from);
  return { from: since, to: Math.max(since, until) };
}

/** The same stretches in order, and apart from each other. */
function merge(stretches: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = [];
  for (const next of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || next.from > last.to) merged.push(next);
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
  }
  return merged;
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
