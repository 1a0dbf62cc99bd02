/** Which worlds a key may read and write: its own, and others on request (rule K3). */

import {
  type ErrorCode,
  makeChoiceProblem,
  makeProblem,
  type Problem,
} from '../../contract/errors.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Caller } from './exchange.ts';

/** The message for a test key that requests live mode. */
type Refusal = Extract<ErrorCode, `test_key_live_${string}`>;

export interface RequestedWorld {
  readonly mode: KeyMode;
  /** A 403 if a test key requests live mode; else null. */
  readonly refusal: Problem | null;
}

/** Live mode's configuration is read in both (rule K3). */
export function mayRead({ modes }: Pick<Caller, 'modes'>, mode: KeyMode): boolean {
  return mode === 'live' || modes.includes(mode);
}

/** The world of a write. A 400 when a member in live mode of the dashboard requests the other. */
export function requestedWorld(
  { key, modes }: Pick<Caller, 'key' | 'modes'>,
  asked: KeyMode | null | undefined,
  refusal: Refusal,
): RequestedWorld | Problem {
  const mode = asked ?? key.mode;
  if (modes.includes(mode)) return { mode, refusal: null };
  if (key.mode === 'live') return makeChoiceProblem('mode', ['live']);
  return { mode, refusal: makeProblem(refusal) };
}
