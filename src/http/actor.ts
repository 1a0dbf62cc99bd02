/** Who acts, as the audit names them: a key, or a member of the tenant by the dashboard (rule K3). */

import type { AuditRow } from '../store/store.ts';
import type { Caller } from './exchange.ts';

export function actorOf({ key, member }: Pick<Caller, 'key' | 'member'>): string {
  return member === undefined ? `key:${key.id}` : `member:${member}`;
}

/**
 * What is written down of what a member does to matches and players (rule D8), in the commit of what
 * they do; nothing of what a key does. A player is never the `object`: they may be erased (rule R2).
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
