/** What every call of the SDK throws, but for an abort by the caller's own signal. */

import type { ErrorCode } from '../generated/api.ts';

/** Codes of the SDK's own, where no answer names one. */
export type FailureCode =
  /** No answer came: the network, the name, the certificate. `cause` is what fetch threw. */
  | 'network_error'
  /** No whole answer within `timeoutMs`. */
  | 'timeout'
  /** An answer that is not the service's: a proxy's page, a body cut short. */
  | 'bad_answer'
  /** A webhook that is not signed by us, or not with this secret. */
  | 'webhook_signature'
  /** A webhook that is signed, and older or younger than is allowed. */
  | 'webhook_too_old';

export interface MatchdErrorDetails {
  readonly status?: number;
  readonly code: MatchdError['code'];
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

export class MatchdError extends Error {
  /** Of the answer; 0 when there is none. */
  readonly status: number;
  /** For programs: `room_full`, `session_not_found`, … */
  readonly code: ErrorCode | FailureCode | (string & {});
  /** Quote it to support. Null when there was no answer. */
  readonly requestId: string | null;
  /** How long the service asks to be left alone. */
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
