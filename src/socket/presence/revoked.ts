/** Open sockets whose tokens are no longer valid: losing a right closes its sockets (rules K2, D3). */

import { CLOSE } from '../../contract/messages.ts';
import type { TokenClaims } from '../../runtime/access/tokens.ts';
import type { Connection } from '../connection/connection.ts';
import { closeConnection } from '../connection/connection.ts';
import type { SocketDeps } from '../connection/deps.ts';
import type { Census } from './census.ts';

/** Issuers that are looked up concurrently. */
const AT_ONCE = 32;

/**
 * An issuer of many tokens is looked up once, whatever origins they are used from. Rejects when some could not be
 * looked up; the others were.
 */
export async function closeRevoked(
  deps: Pick<SocketDeps, 'accessOf'>,
  { all }: Census,
): Promise<void> {
  const groups = Map.groupBy(all, issuerName).values();
  const failures: unknown[] = [];
  const poll = async (): Promise<void> => {
    for (const connections of groups) {
      await closeOf(deps, connections).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, poll));
  if (failures.length > 0) throw failures[0];
}

/** Connections of one issuer. */
async function closeOf(
  { accessOf }: Pick<SocketDeps, 'accessOf'>,
  connections: readonly Connection[],
): Promise<void> {
  // Some may have closed during the look-up.
  const claims = connections.map(claimsOf).find((each) => each !== null);
  if (claims === undefined) return;
  const accessFrom = await accessOf(claims);
  for (const connection of connections) {
    const access = accessFrom(connection.origin);
    if (!access.ok) closeConnection(connection, CLOSE[access.reason]);
  }
}

/**
 * The issuer and the right that a socket depends on; null before it has a token. Members who may watch may not all
 * play.
 */
function issuerName(connection: Connection): string | null {
  const claims = claimsOf(connection);
  if (claims === null) return null;
  const { tenant, mode, key, scope } = claims;
  return JSON.stringify([tenant, mode, key, scope === 'watch']);
}

function claimsOf({ state }: Connection): TokenClaims | null {
  return 'claims' in state ? state.claims : null;
}
