/** Open sockets whose tokens would open none any more: revoking a key ends them, too (rule K2). */

import { CLOSE } from '../contract/messages.ts';
import type { Census } from './census.ts';
import type { Connection } from './connection.ts';
import { closeConnection } from './connection.ts';
import type { SocketDeps } from './deps.ts';

/** Whoever issued many tokens is asked about once. */
export async function closeRevoked(
  { checkAccess }: Pick<SocketDeps, 'checkAccess'>,
  { all }: Census,
): Promise<void> {
  for (const connections of Map.groupBy(all, issuerName).values()) {
    const [{ state, origin }] = connections as [Connection, ...Connection[]];
    if (!('claims' in state)) continue;
    const access = await checkAccess(state.claims, origin);
    if (access.ok) continue;
    const cause = access.reason === 'origin' ? CLOSE.origin : CLOSE.token;
    for (const connection of connections) closeConnection(connection, cause);
  }
}

/** Whose word a socket stands on, and where it comes from; null while it has shown no token. */
function issuerName({ state, origin }: Connection): string | null {
  return 'claims' in state ? JSON.stringify([state.claims.tenant, state.claims.key, origin]) : null;
}
