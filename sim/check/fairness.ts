/** P6 fair: no seat loses on time unless its player had the whole time under continuous service. */

import { HEARTBEAT_MS } from '../../src/cluster/membership/members.ts';
import { RETURN_GRACE_MS } from '../../src/match/deadline.ts';
import type { StoredData } from '../store/stored.ts';
import type { Stretch } from '../world/nemesis.ts';
import type { History } from './history.ts';
import { type Lives, lengthOf, type Past, partsIn } from './past.ts';
import { type LogStep, readLog, turnsOf } from './turns.ts';

/** A more recent outage cannot be known yet, ms: a turn that ends in that time is lost. */
const UNNOTICED_MS = 1_500;

/** Clocks have to be right in such a run: records have their nodes' times. */
export function checkFairness({ sessions }: StoredData, past: Past, history: History): void {
  for (const kept of sessions.values()) {
    if (kept.log.length <= 2) continue;
    const steps = readLog(kept);
    for (const { what, wantMs, steps: meanwhile } of listLosses(steps)) {
      const had = hadMs(past, meanwhile);
      if (had >= wantMs) continue;
      const { v } = meanwhile.at(-1)!.entry;
      history.found(`P6 fair: ${kept.row.id} took a ${what} of ${wantMs} ms after ${had} at ${v}`);
    }
  }
}

/** A timeout that cost a turn or a seat. */
interface Loss {
  readonly what: 'turn' | 'grace';
  readonly wantMs: number;
  /** From the record that began it to the one that ended it. */
  readonly steps: readonly LogStep[];
}

function* listLosses(steps: readonly LogStep[]): Generator<Loss> {
  for (const { steps: meanwhile, limitMs, isOver } of turnsOf(steps)) {
    if (isOver && isLostByClock(meanwhile))
      yield { what: 'turn', wantMs: limitMs, steps: meanwhile };
  }
  for (const [at, { entry, before }] of steps.entries()) {
    const { record } = entry;
    if (record.k !== 'forfeited' || record.reason !== 'disconnect') continue;
    const { putAway } = before!.seats[record.seat]!;
    const graceMs = before!.setup.disconnectGraceMs;
    const wantMs = putAway ? Math.max(graceMs, RETURN_GRACE_MS) : graceMs;
    yield { what: 'grace', wantMs, steps: steps.slice(lastGoing(steps, at, record.seat), at + 1) };
  }
}

/** A seat may be forfeited for a turn that it missed right before, as part of the same. */
function isLostByClock(turn: readonly LogStep[]): boolean {
  const [{ entry: first }, { entry }] = [turn[0]!, turn.at(-1)!];
  const { record } = entry;
  if (record.k === 'missed') return true;
  if (record.k !== 'forfeited' || first.record.k === 'missed') return false;
  return record.reason === 'afk_timeout' || record.reason === 'clock_timeout';
}

/** The beginning of a seat's absence that lasts at the step `to`. */
function lastGoing(steps: readonly LogStep[], to: number, seat: number): number {
  return steps.findLastIndex(({ entry, before, after }, at) => {
    if (at >= to || after.seats[seat]!.disconnectedAt === null) return false;
    return entry.record.k === 'started' || before?.seats[seat]?.disconnectedAt === null;
  });
}

/** How long the session could be served meanwhile, ms. */
function hadMs(past: Past, steps: readonly LogStep[]): number {
  const all: Stretch = { from: steps[0]!.entry.at, to: steps.at(-1)!.entry.at };
  const outages = partsIn(all, past.outages).filter(isNoticed);
  const lost: Stretch[] = [];
  for (const [at, { entry, kept, before }] of steps.entries()) {
    if (at === 0 || before === null) continue;
    const held = { from: before.at, to: entry.at };
    // While asleep it goes by the clock, whichever node serves.
    if (!kept.slept) {
      const isTaken = entry.record.k === 'owned' && entry.record.node !== before.node;
      const stood = partsIn(held, stoodStill(past, before.node, isTaken ? entry.at : 0)).filter(
        isNoticed,
      );
      lost.push(...stood, ...partsIn(held, outages));
    }
    if (entry.record.k !== 'owned') continue;
    const takeOver = { from: all.from, to: entry.at, slept: kept.slept };
    lost.push(deadIn(past, before.node, entry.record.node, takeOver));
  }
  return all.to - all.from - lengthOf(lost);
}

/**
 * When a node was paused, or none of its calls was answered. `takenAt`: when its sessions were
 * taken over, ms since 1970. An unanswered heartbeat may have been its last one.
 */
function stoodStill(
  { pauses, silences, places, signs }: Past,
  node: string,
  takenAt: number,
): readonly Stretch[] {
  const place = places.get(node);
  const own = pauses.filter((each) => each.node === node);
  const sign = signs.get(node) ?? 0;
  const known = sign < takenAt ? sign : 0;
  const silent = silences.filter((each) => each.place === place);
  return [
    ...own,
    ...silent.map(({ from, to }) => ({ from: Math.max(from + HEARTBEAT_MS, known), to })),
  ];
}

function isNoticed({ from, to }: Stretch): boolean {
  return to - from > UNNOTICED_MS;
}

/**
 * When between `from` and `to` a session's owner was dead and nobody could have taken it over: to
 * the end, or until a process started if the next owner did so after the death. Any serving node
 * could have taken a sleeping one.
 */
function deadIn(
  lives: Lives,
  holder: string,
  next: string,
  { from, to, slept }: Stretch & { readonly slept: boolean },
): Stretch {
  const { births, deaths, signs } = lives;
  const death = deaths.get(holder);
  const none = { from, to: from };
  if (death === undefined) return none;
  const diedAt = Math.max(death, signs.get(holder) ?? 0);
  // Its time runs by the clock, whichever node serves.
  if (slept) return none;
  const later = [...births.values()].filter((bornAt) => bornAt > diedAt);
  const until = births.get(next)! < diedAt ? to : Math.min(to, ...later);
  const since = Math.max(diedAt, from);
  return { from: since, to: Math.max(since, until) };
}
