/** Who is there: the store is told of a player's first socket in this process and of his last. */

import type { TokenClaims } from '../runtime/tokens.ts';
import type { Census } from './census.ts';
import { playerKey } from './census.ts';
import type { SocketDeps } from './deps.ts';

type PresenceDeps = Pick<SocketDeps, 'store' | 'node' | 'onError'>;

/** Resolves when the player counts as connected (rule P2). Watchers and bots are nobody's presence. */
export function arrive(deps: PresenceDeps, census: Census, claims: TokenClaims): Promise<void> {
  const key = presentKey(claims);
  if (key === null) return Promise.resolve();
  const known = census.present.get(key);
  if (known !== undefined) {
    known.sockets += 1;
    return known.told;
  }
  const told = tell(deps, claims, true);
  census.present.set(key, { sockets: 1, told });
  return told;
}

/** The counterpart of `arrive`, whatever came of that. */
export function depart(deps: PresenceDeps, census: Census, claims: TokenClaims): void {
  const key = presentKey(claims);
  const known = key === null ? undefined : census.present.get(key);
  if (key === null || known === undefined) return;
  known.sockets -= 1;
  if (known.sockets > 0) return;
  census.present.delete(key);
  tell(deps, claims, false).catch(deps.onError);
}

function presentKey({ scope, tenant, mode, player }: TokenClaims): string | null {
  if (scope === 'watch' || scope === 'bot' || player === null) return null;
  return playerKey(tenant, mode, player);
}

function tell(
  { store, node }: PresenceDeps,
  { tenant, mode, player }: TokenClaims,
  isConnected: boolean,
): Promise<void> {
  return store.setPresence({ tenant, mode, playerId: player!, node, isConnected });
}
