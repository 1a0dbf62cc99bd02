/** The author of a change in the audit: a key, or a member of the tenant through the dashboard (rule K3). */

import type { AuditRow } from '../../store/store.ts';
import type { Caller } from './exchange.ts';

export function actorOf({ key, member }: Pick<Caller, 'key' | 'member'>): string {
  return member === undefined ? `key:${key.id}` : `member:${member}`;
}

/**
 * The audit row of a member's change to matches and players (rule D8), in the same commit; none for a key's. A
 * player is never the `object`: they may be erased (rule R2).
 */
export function memberAudit(
  caller: Pick<Caller, 'key' | 'member' | 'tenant'>,
  act: string,
  object: string,
  at: number,
): AuditRow | undefined {
  if (caller.member === undefined) return undefined;
  return { tenant: caller.tenant.id, actor: actorOf(caller), act, object, at };
}
