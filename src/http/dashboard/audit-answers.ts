/** Verifying a chain of the audit, against an anchor that the caller kept (rule D8). */

import type { FieldsOf } from '../../contract/dashboard-routes.ts';
import { makeProblem, type Problem } from '../../contract/errors.ts';
import type { Reply } from '../exchange.ts';
import { ok } from './asked.ts';
import type { DashboardDeps } from './deps.ts';

/** `tenant` is empty for the installation's chain. */
export async function verifyChain(
  { audit }: DashboardDeps,
  tenant: string,
  { anchor }: FieldsOf<'verifyAudit'>,
): Promise<Reply | Problem> {
  if (anchor == null) return ok(await verify(audit, tenant, []));
  const signature = audit.checkAnchor(anchor);
  if (anchor.tenant !== tenant || signature === 'invalid') {
    return makeProblem('invalid_field', { field: 'anchor' });
  }
  return ok({ ...(await verify(audit, tenant, [anchor])), anchorSignature: signature });
}

async function verify(
  audit: DashboardDeps['audit'],
  tenant: string,
  seen: readonly { readonly n: number; readonly hash: string }[],
) {
  const verified = await audit.verify(tenant, seen);
  return { ...verified, anchor: audit.anchorOf(tenant, verified) };
}
