/** Verifies a session from its stored log (rule S7), without blocking other work. */

import { setImmediate } from 'node:timers/promises';
import { findStandIn, type Games } from '../../games/games.ts';
import { foldEntry } from '../../match/evolve.ts';
import type { Entry } from '../../match/record.ts';
import { type Coverage, coverageOfLog } from '../../match/replay/coverage.ts';
import { makeReplay, verifyReplayStepwise } from '../../match/replay/replay.ts';
import type { Replay } from '../../match/replay/replay-form.ts';
import type { ReplayCheck } from '../../match/replay/verify.ts';
import { refuseRules } from '../../match/replay/verify.ts';
import type { Session } from '../../match/session.ts';
import type { StoredSession } from '../../store/store.ts';
import type { SealCheck, Seals } from '../signing/seals.ts';

/** Steps verified before other work gets a turn: a few milliseconds. */
const STEPS_AT_ONCE = 16;

/** A verified session: its log by the rules, and its stored rows by its seal. */
export type LogCheck = ReplayCheck & {
  readonly seal: Pick<SealCheck, 'state' | 'keyId'>;
  readonly covers: Coverage;
};

/** Both are always checked. A fault of the rules comes first: it names a record. Other rules find none. */
export async function verifyLog(
  { seals, games }: { readonly seals: Pick<Seals, 'check'>; readonly games: Games },
  stored: StoredSession,
): Promise<LogCheck> {
  const { state, keyId, error, erasedSeats } = seals.check(stored);
  const isRedone = refuseRulesOf(games, stored.entries) === null;
  const covers = coverageOfLog(isRedone, keyId !== null, erasedSeats);
  const redone = await redoLog(games, stored);
  const isSilent = redone.ok || !isRedone;
  const check = isSilent && error !== null ? ({ ok: false, v: null, error } as const) : redone;
  return { ...check, seal: { state, keyId }, covers };
}

/** Applies every record to the rules again, then the whole match as an outsider would. */
async function redoLog(
  games: Games,
  { row, roster, entries }: StoredSession,
): Promise<ReplayCheck> {
  const otherRules = refuseRulesOf(games, entries);
  if (otherRules !== null) return { ok: false, v: null, error: otherRules };
  let session: Session | null = null;
  for (const entry of entries) {
    try {
      session = foldEntry(games.findPlayed, row.id, session, entry);
    } catch (error) {
      // Whatever the error, this record cannot be applied.
      const reason = error instanceof Error ? error.message : String(error);
      return { ok: false, v: entry.v, error: reason };
    }
    if (entry.v % STEPS_AT_ONCE === 0) await setImmediate();
  }
  if (session === null) return { ok: false, v: 0, error: 'The log is empty' };
  const check = await verifyInTurns(
    games,
    makeReplay(session, roster, entries),
    session.setup.seed,
  );
  return check.ok ? { ...check, records: entries.length } : check;
}

/** A log of other rules may not even fold. */
function refuseRulesOf(games: Games, [first]: readonly Entry[]): string | null {
  if (first?.record.k !== 'created') return null;
  const { setup } = first.record;
  const rules = findStandIn(games, setup);
  return rules === null ? null : refuseRules(rules.game, setup.rulesVersion);
}

async function verifyInTurns(games: Games, replay: Replay, seed: string): Promise<ReplayCheck> {
  const course = verifyReplayStepwise(games, replay, seed);
  for (;;) {
    const { done, value } = course.next();
    if (done === true) return value;
    if (value % STEPS_AT_ONCE === 0) await setImmediate();
  }
}
