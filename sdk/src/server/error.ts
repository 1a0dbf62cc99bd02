/** The error of every SDK call, except for an abort by the caller's own signal. */

import type { ErrorCode } from '../generated/api.ts';

/** The SDK's own codes, for failures without an error response. */
export type FailureCode =
  /** No response: network, DNS or certificate. `cause` is the error thrown by fetch. */
  | 'network_error'
  /** No complete response within `timeoutMs`. */
  | 'timeout'
  /** A response that is not the service's: a proxy's page, a truncated body. */
  | 'bad_answer'
  /** A webhook without a valid signature for this secret. */
  | 'webhook_signature'
  /** A webhook with a valid signature whose timestamp is outside the tolerance. */
  | 'webhook_too_old';

export interface MatchdErrorDetails {
  readonly status?: number;
  readonly code: MatchdError['code'];
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

export class MatchdError extends Error {
  /** HTTP status of the response; 0 if there was none. */
  readonly status: number;
  /** For programs: `room_full`, `session_not_found`, … */
  readonly code: ErrorCode | FailureCode | (string & {});
  /** Quote it to support. Null if there was no response. */
  readonly requestId: string | null;
  /** How long the service asks the client to wait before a retry. */
  readonly retryAfterMs: number | null;

  constructor(message: string, details: MatchdErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'MatchdError';
    this.status = details.status ?? 0;
    this.code = details.code;
    this.requestId = details.requestId ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}
