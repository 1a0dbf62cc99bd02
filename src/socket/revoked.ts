/** Open sockets whose tokens would open none any more: who loses a right loses them, too (rules K2, D3). */

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

/**
 * Whose word a socket stands on, what for, and where it comes from; null while it has shown no token.
 * Members who may watch may not all play.
 */
function issuerName({ state, origin }: Connection): string | null {
  if (!('claims' in state)) return null;
  const { tenant, key, scope } = state.claims;
  return JSON.stringify([tenant, key, scope === 'watch', origin]);
}
