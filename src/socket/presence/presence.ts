/** Presence: the store records a player's first socket in this process and the end of the last. */

import type { TokenClaims } from '../../runtime/access/tokens.ts';
import { settleAll } from '../../runtime/limits/calls.ts';
import type { SocketDeps } from '../connection/deps.ts';
import type { Census, Present } from './census.ts';
import { playerKey, worldKey } from './census.ts';

type PresenceDeps = Pick<SocketDeps, 'store' | 'node' | 'onError'>;

/** Departures that may wait to be stored; above this no other player is admitted. */
const UNHEARD_MAX = 100_000;

/** Resolves when the player counts as connected (rule P2). Watchers and bots have no presence. */
export function notePresent(
  deps: PresenceDeps,
  census: Census,
  claims: TokenClaims,
): Promise<void> {
  const key = presentKey(claims);
  if (key === null) return Promise.resolve();
  const known = census.present.get(key);
  if (known !== undefined) {
    known.sockets += 1;
    return known.told ?? Promise.resolve();
  }
  if (census.unreported.size >= UNHEARD_MAX) {
    return Promise.reject(new Error('Too many players have gone of whom the store was not told'));
  }
  census.unreported.delete(key);
  const told = tell(deps, claims, true);
  const present: Present = { sockets: 1, told };
  census.present.set(key, present);
  census.presentByWorld.add(worldKey(claims.tenant, claims.mode), 1);
  return told.then(() => {
    present.told = null;
  });
}

/** The counterpart of `arrive`, whatever its outcome. */
export function noteAbsent(deps: PresenceDeps, census: Census, claims: TokenClaims): void {
  const key = presentKey(claims);
  const known = key === null ? undefined : census.present.get(key);
  if (key === null || known === undefined) return;
  known.sockets -= 1;
  if (known.sockets > 0) return;
  census.present.delete(key);
  census.presentByWorld.add(worldKey(claims.tenant, claims.mode), -1);
  writeAbsence(deps, census, key, claims).catch(deps.onError);
}

/** Stores the presence of a connected player again: the erasure of an earlier player of that id may have removed it. */
export function confirmPresence(
  deps: PresenceDeps,
  { present }: Census,
  claims: TokenClaims,
): void {
  const key = presentKey(claims);
  if (key !== null && present.has(key)) tell(deps, claims, true).catch(deps.onError);
}

/** Retries departures that could not be stored. To be called every second. */
export async function retryPresence(deps: PresenceDeps, census: Census): Promise<void> {
  await settleAll([...census.unreported].map((each) => writeAbsence(deps, census, ...each)));
}

/** A player who left must not count as connected for long: failed writes are kept and retried. */
async function writeAbsence(
  deps: PresenceDeps,
  { present, unreported }: Census,
  key: string,
  claims: TokenClaims,
): Promise<void> {
  try {
    await tell(deps, claims, false);
    if (unreported.get(key) === claims) unreported.delete(key);
  } catch (error) {
    // For a player who is back, a later write has replaced it.
    if (!present.has(key)) unreported.set(key, claims);
    throw error;
  }
}

/** The player of a token's presence; null for none. */
export function presentKey({ scope, tenant, mode, player }: TokenClaims): string | null {
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
