/** Open sockets whose tokens would open none any more: who loses a right loses them, too (rules K2, D3). */

import { CLOSE } from '../contract/messages.ts';
import type { Census } from './census.ts';
import type { Connection } from './connection.ts';
import { closeConnection } from './connection.ts';
import type { SocketDeps } from './deps.ts';

/** Whoever issued many tokens is looked up once, from however many origins they are used. */
export async function closeRevoked(
  { accessOf }: Pick<SocketDeps, 'accessOf'>,
  { all }: Census,
): Promise<void> {
  for (const connections of Map.groupBy(all, issuerName).values()) {
    const [{ state }] = connections as [Connection, ...Connection[]];
    if (!('claims' in state)) continue;
    const accessFrom = await accessOf(state.claims);
    for (const connection of connections) {
      const access = accessFrom(connection.origin);
      if (!access.ok) closeConnection(connection, CLOSE[access.reason]);
    }
  }
}

/**
 * Whose word a socket stands on, and what for; null while it has shown no token. Members who may
 * watch may not all play.
 */
function issuerName({ state }: Connection): string | null {
  if (!('claims' in state)) return null;
  const { tenant, mode, key, scope } = state.claims;
  return JSON.stringify([tenant, mode, key, scope === 'watch']);
}
