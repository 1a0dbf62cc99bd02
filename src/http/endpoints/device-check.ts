/** The device check within the call that brings its player (rules I2 to I4). */

import { isProblem, type Problem } from '../../contract/errors.ts';
import type { Platform, Verdict } from '../../integrity/verdict.ts';
import type { Mode } from '../../match/record.ts';
import type { BoundRequest } from '../../runtime/integrity/client-data.ts';
import type { HttpDeps } from '../request/deps.ts';
import type { Caller, Reply } from '../request/exchange.ts';

/** A device to check; the token may be missing. */
export interface DeviceInput {
  readonly platform: Platform;
  readonly token: string | null;
}

/** A token without a platform cannot be checked. */
export function deviceOf(asked: {
  readonly platform?: Platform | null | undefined;
  readonly integrityToken?: string | null | undefined;
}): DeviceInput | null {
  const { platform, integrityToken } = asked;
  return platform ? { platform, token: integrityToken ?? null } : null;
}

export interface CheckInput {
  /** Null for nothing to check. */
  readonly device: DeviceInput | null;
  /** The owner of the credential, and the allowed environments of App Attest. */
  readonly mode: Mode;
  /** What the token may be bound to; null when the request names no players. */
  readonly bound: BoundRequest | null;
  /** The call and all its fields: only its repeat gets the stored finding. */
  readonly asked: readonly unknown[];
}

/**
 * Runs an action with the verdict on a device, null for none, so that both are committed together; the check
 * refuses nothing (rule I2). When the action failed, a repeat gets the stored finding on any node, because the
 * token is used up (rule I4). Throws what `act` throws.
 */
export async function withCheck(
  { integrity }: Pick<HttpDeps, 'integrity'>,
  { tenant, key }: Caller,
  { device, mode, bound, asked }: CheckInput,
  act: (verdict: Verdict | null) => Promise<Reply | Problem>,
): Promise<Reply | Problem> {
  if (device === null) return act(null);
  const claim = JSON.stringify([key.mode, ...asked]);
  const world = mode === 'training' ? key.mode : mode;
  const request = { tenant: tenant.id, mode, world, ...device, bound, asked: claim };
  const check = await integrity.check(request);
  let isDone = false;
  try {
    const result = await act(check.verdict);
    isDone = !isProblem(result);
    return result;
  } finally {
    if (!isDone) await check.giveBack();
  }
}
