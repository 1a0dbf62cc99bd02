/** A log read step by step, and its turns. */

import { foldEntry } from '../../src/match/evolve.ts';
import type { Entry } from '../../src/match/record.ts';
import type { ActiveSession, Session } from '../../src/match/session.ts';
import type { SavedSession } from '../store/stored.ts';
import type { StoredRecord } from '../store/watch.ts';
import { simulatedGames } from '../world/games.ts';

/** A record, and the session before and after it. */
export interface LogStep {
  readonly entry: Entry;
  readonly kept: StoredRecord;
  readonly before: Session | null;
  readonly after: Session;
}

export interface Turn {
  /** How long it may take by the clock, ms; Infinity without a limit. */
  readonly limitMs: number;
  /** The record that began it, what followed, and the record that ended it. */
  readonly steps: readonly LogStep[];
  readonly isOver: boolean;
}

export function readLog({ row, log }: SavedSession): readonly LogStep[] {
  let before: Session | null = null;
  return log.map((kept) => {
    const entry = JSON.parse(kept.text) as Entry;
    const step = {
      entry,
      kept,
      before,
      after: foldEntry(simulatedGames.findPlayed, row.id, before, entry),
    };
    before = step.after;
    return step;
  });
}

export function turnsOf(steps: readonly LogStep[]): readonly Turn[] {
  const turns: Turn[] = [];
  let first: number | null = null;
  const end = (last: number, isOver: boolean): void => {
    if (first === null) return;
    const { after } = steps[first]!;
    const limitMs = limitOf(after as ActiveSession);
    turns.push({ limitMs, isOver, steps: steps.slice(first, last + 1) });
  };
  for (const [at, step] of steps.entries()) {
    if (!isTurnOver(step)) continue;
    end(at, true);
    const { after } = step;
    first = after.status === 'active' && after.play.acting.length > 0 ? at : null;
  }
  end(steps.length - 1, false);
  return turns;
}

/** A missed turn may be followed by another of the same seat; a forfeited one, by the end. */
function isTurnOver({ entry: { record }, before, after }: LogStep): boolean {
  if (isSameRound(before, after, record)) return false;
  if (before?.status === 'active' && record.k === 'forfeited') {
    if (record.seat === before.play.turn) return true;
  }
  return record.k === 'missed' || turnOf(before) !== turnOf(after);
}

/**
 * With simultaneous actions a round is one turn for all: it continues while all acting seats were
 * acting before.
 */
function isSameRound(before: Session | null, after: Session, record: Entry['record']): boolean {
  if (before?.status !== 'active' || after.status !== 'active') return false;
  if (before.rules.game.acting === undefined) return false;
  const acted = record.k === 'action' || record.k === 'missed' ? record.seat : null;
  const { acting } = after.play;
  return (
    acting.length > 0 && acting.every((seat) => seat !== acted && before.play.acting.includes(seat))
  );
}

/** The seat to move and the number of the move: changes with every move. */
function turnOf(session: Session | null): string {
  if (session?.status !== 'active') return session?.status ?? '';
  return `${session.play.turn} ${session.play.moveCount}`;
}

function limitOf({ play, setup, clockMs, rules }: ActiveSession): number {
  const { turnTimeoutMs } = setup;
  const givenMs = rules.game.turnLimitMs?.(play.state, turnTimeoutMs) ?? turnTimeoutMs;
  const turnMs = setup.afk ? givenMs : Infinity;
  return Math.min(turnMs, clockMs?.[play.turn!] ?? Infinity);
}

/** The nodes that used the session meanwhile; null if it slept at some time. */
export function nodesOf(steps: readonly LogStep[]): ReadonlySet<string> | null {
  if (steps.slice(1).some(({ kept }) => kept.slept)) return null;
  const nodes = steps.flatMap(({ kept, after }) => [after.node, kept.by, ...kept.takers]);
  return new Set(nodes);
}
