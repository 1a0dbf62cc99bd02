/** A session as tenants read it (section 3 of SPEC.md), with its fields in that order. */

import { hash } from 'node:crypto';
import { readChecks, type SeatCheck } from '../../integrity/checks.ts';
import type { Verdict } from '../../integrity/verdict.ts';
import { makeTime, seatedPlayers } from '../../match/frames/frames.ts';
import type { Fairness } from '../../match/replay/replay-form.ts';
import { makeResult } from '../../match/result.ts';
import type { Roster, Session } from '../../match/session.ts';
import { entropyOf } from '../../match/session.ts';
import type { MatchView } from '../../runtime/host/work.ts';
import type { SessionTokens } from './mint.ts';

/**
 * `tokens` is null in every response except that of the call that mints them. `own` is the finding of this call's
 * own check, null for none; without it the session's first check is shown (rule I3a).
 */
export function presentSession(
  { row, roster, session }: MatchView,
  tokens: SessionTokens | null,
  own?: Verdict | null,
): object {
  const { setup, status } = session;
  const checks = readChecks(row.integrity);
  return {
    sessionId: row.id,
    game: row.game,
    mode: row.mode,
    matchType: row.matchType,
    variant: row.variant,
    status,
    roomCode: row.roomCode,
    seats: setup.seats,
    players: seatedPlayers(session, roster),
    ...tokens,
    expiresAt: status === 'pending' ? makeTime(session.expiresAt) : null,
    theme: parseOrNull(row.theme),
    metadata: parseOrNull(row.metadata),
    webhooksEnabled: row.mode !== 'training',
    integrity: own === undefined ? (checks[0]?.verdict ?? null) : own,
    ...(checks.length > 0 ? { integrityChecks: presentChecks(checks, roster) } : null),
    ...(setup.series === undefined ? null : { series: setup.series }),
    fairness: presentFairness(session),
    result: status === 'ended' ? makeResult(session, roster) : null,
    createdAt: makeTime(session.createdAt),
    startedAt: timeOrNull(status === 'pending' ? null : session.startedAt),
    endedAt: timeOrNull(status === 'ended' ? session.endedAt : null),
  };
}

/** The result of `makeFairness`; native SHA-256 costs a tenth, on every response. */
export function presentFairness(session: Session): Fairness {
  const { seed } = session.setup;
  return {
    commitment: hash('sha256', seed),
    seed: session.status === 'ended' ? seed : null,
    entropy: entropyOf(session),
  };
}

/** The verdict of an erased player stays, without a name. */
function presentChecks(checks: readonly SeatCheck[], roster: Roster): readonly object[] {
  return checks.map(({ seat, verdict }) => ({ playerId: roster[seat]?.id ?? null, ...verdict }));
}

export function parseOrNull(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : makeTime(ms);
}
