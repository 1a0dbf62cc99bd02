/** P6 bound: a turn ends at the latest one whole turn and ten seconds after its start, or the last interruption. */

import { RETURN_GRACE_MS } from '../../src/match/deadline.ts';
import type { StoredData } from '../store/stored.ts';
import type { Trouble } from '../world/nemesis.ts';
import type { History } from './history.ts';
import { listTroubles, type Past, troublesOf } from './past.ts';
import { nodesOf, readLog, turnsOf } from './turns.ts';

/** Sessions are checked once a second; a commit and a timer take the rest. Ms. */
const LOOK_MS = 1_500;
/**
 * After a fault its session is owned again within this time, unless another fault comes: the rest
 * of a lease, calls that hang. Ms.
 */
const RECOVERY_MS = 12_000;

export interface BoundDeps {
  readonly sessions: StoredData['sessions'];
  readonly past: Past;
  readonly history: History;
  /**
   * Otherwise a session may sleep by the wrong clock of its former owner: only owned ones are
   * checked.
   */
  readonly areClocksRight: boolean;
  /** How slowly a clock may go, to be right again: 1 where none is set back. */
  readonly pace: number;
}

export function checkTurnBound(deps: BoundDeps): void {
  const { sessions, past, history, areClocksRight, pace } = deps;
  const troubles = listTroubles(past);
  for (const kept of sessions.values()) {
    for (const turn of turnsOf(readLog(kept))) {
      if (turn.limitMs === Infinity) continue;
      const endedAt = turn.isOver ? turn.steps.at(-1)!.kept.writtenAt : past.endedAt;
      const isAsleep = !turn.isOver && kept.holder === null;
      const nodes = isAsleep ? null : nodesOf(turn.steps);
      if (nodes === null && !areClocksRight) continue;
      const touching = troublesOf(past, troubles, nodes);
      const from = servedSince(troubles, touching, turn.steps[0]!.kept.writtenAt, endedAt);
      const lateMs = endedAt - from - (turn.limitMs + RETURN_GRACE_MS) / pace - LOOK_MS;
      if (lateMs <= 0) continue;
      const { v } = turn.steps[0]!.entry;
      const what = `the turn of ${turn.limitMs} ms that began at ${v}`;
      history.found(`P6 bound: ${kept.row.id} ended ${what} ${Math.round(lateMs)} ms late`);
    }
  }
}

/** Since when nothing can have interrupted the turn: by its start or the last interruption, ms since 1970. */
function servedSince(
  troubles: readonly Trouble[],
  touching: readonly Trouble[],
  startedAt: number,
  endedAt: number,
): number {
  let since = startedAt;
  for (const { from, to } of touching) {
    if (from > endedAt || to + RECOVERY_MS < startedAt) continue;
    since = Math.max(since, recoveredAt(troubles, to));
  }
  return since;
}

/** While a session is being loaded any fault may delay that, of whichever node. */
function recoveredAt(troubles: readonly Trouble[], to: number): number {
  let at = to + RECOVERY_MS;
  for (const each of troubles)
    if (each.from <= at && each.to + RECOVERY_MS > at) at = each.to + RECOVERY_MS;
  return at;
}
