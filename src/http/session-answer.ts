/** A session as tenants read it (section 3 of SPEC.md), its fields in the order named there. */

import { hash } from 'node:crypto';
import type { Platform } from '../contract/values.ts';
import { makeTime, seatedPlayers } from '../match/frames.ts';
import type { Fairness } from '../match/replay.ts';
import { makeResult } from '../match/result.ts';
import type { Session } from '../match/session.ts';
import { entropyOf } from '../match/session.ts';
import type { MatchView } from '../runtime/work.ts';
import type { SessionTokens } from './mint.ts';

/** What a device check found (rule I3). */
export interface IntegrityAnswer {
  readonly platform: Platform;
  readonly status: 'skipped';
  readonly rooted?: null;
  readonly jailbroken?: null;
  readonly reasons: readonly string[];
  readonly bound: 'none';
  readonly details: null;
  readonly checkedAt: null;
  readonly latencyMs: null;
}

/** `tokens` is null in every answer but that to the call that makes them. */
export function presentSession(
  { row, roster, session }: MatchView,
  tokens: SessionTokens | null,
  integrity: IntegrityAnswer | null = null,
): object {
  const { setup, status } = session;
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
    webhooksEnabled: false,
    integrity,
    fairness: presentFairness(session),
    result: status === 'ended' ? makeResult(session, roster) : null,
    createdAt: makeTime(session.createdAt),
    startedAt: timeOrNull(status === 'pending' ? null : session.startedAt),
    endedAt: timeOrNull(status === 'ended' ? session.endedAt : null),
  };
}

/** What `makeFairness` makes; with the machine's own SHA-256 it costs a tenth, on every answer. */
export function presentFairness(session: Session): Fairness {
  const { seed } = session.setup;
  return {
    commitment: hash('sha256', seed),
    seed: session.status === 'ended' ? seed : null,
    entropy: entropyOf(session),
  };
}

/** No credential is registered: the check is skipped, and the answer says so (rule I2). */
export function skippedIntegrity(platform: Platform): IntegrityAnswer {
  return {
    platform,
    status: 'skipped',
    ...(platform === 'android' ? { rooted: null } : { jailbroken: null }),
    reasons: ['no_credential'],
    bound: 'none',
    details: null,
    checkedAt: null,
    latencyMs: null,
  };
}

export function parseOrNull(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

export function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : makeTime(ms);
}
