/** Refusals of the session service as errors. */

import type { ErrorCode, Problem } from '../../contract/errors.ts';
import { ERRORS, retryAfter } from '../../contract/errors.ts';
import type { ServiceRefusal } from '../../runtime/sessions/session-service.ts';
import { makeWindowHeaders } from '../request/response.ts';

const CODES = {
  session_not_found: 'session_not_found',
  player_not_found: 'player_not_found',
  player_not_seated: 'player_not_seated',
  room_code_invalid: 'room_code_invalid',
  player_in_session: 'player_in_session',
  room_full: 'room_full',
  session_not_pending: 'session_not_pending',
  session_not_ended: 'session_not_ended',
  no_active_bots: 'no_active_bots',
  no_rematch: 'no_rematch',
  session_ended: 'session_ended',
  month_quota_exceeded: 'session_quota_exceeded',
  open_sessions_exceeded: 'open_sessions_exceeded',
  busy: 'busy',
  unavailable: 'unavailable',
} as const satisfies Record<ServiceRefusal, ErrorCode>;

/** Sessions end by themselves: a tenant at its limit soon has room again. */
const OPEN_SESSIONS_RETRY_MS = 10_000;
const BUSY_RETRY_MS = 1_000;

/** `now` is ms since 1970; `monthlyMax` is the plan's number of sessions. */
export function refusalProblem(
  refusal: ServiceRefusal,
  now: number,
  monthlyMax: number | null = null,
): Problem {
  const code = CODES[refusal];
  const { status, message } = ERRORS[code];
  return { problem: code, status, message, headers: headersOf(refusal, now, monthlyMax) };
}

function headersOf(
  refusal: ServiceRefusal,
  now: number,
  monthlyMax: number | null,
): Readonly<Record<string, string>> {
  switch (refusal) {
    case 'month_quota_exceeded': {
      const resetAt = monthEnd(now);
      const window = { allowed: false, limit: monthlyMax ?? 0, remaining: 0, resetAt };
      return { ...makeWindowHeaders(window), ...retryAfter(resetAt - now) };
    }
    case 'open_sessions_exceeded':
      return retryAfter(OPEN_SESSIONS_RETRY_MS);
    case 'busy':
    case 'unavailable':
      return retryAfter(BUSY_RETRY_MS);
    default:
      return {};
  }
}

/** The first moment of the next month, UTC. */
function monthEnd(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
