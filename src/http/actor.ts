/** Who acts, as the audit names him: a key, or a member of the tenant by the dashboard (rule K3). */

import type { Caller } from './exchange.ts';

export function actorOf({ key, member }: Pick<Caller, 'key' | 'member'>): string {
  return member === undefined ? `key:${key.id}` : `member:${member}`;
}
