/** From a token to `welcome`: who the player is, whether they may enter, and what they see (rules P1, P2). */

import type { CloseCause } from '../contract/messages.ts';
import { CLOSE } from '../contract/messages.ts';
import type { TokenClaims } from '../runtime/access/tokens.ts';
import { RESUME_LIFE_S } from '../runtime/access/tokens.ts';
import { attachAll, attachOpen, type Seated, sessionOf } from './attached-sessions.ts';
import type { Connection, ConnectionState } from './connection/connection.ts';
import { closeConnection, PlacesById } from './connection/connection.ts';
import type { SocketDeps } from './connection/deps.ts';
import { dropReceipts } from './connection/receipts.ts';
import { queueState, sendPendingStates } from './pending-states.ts';
import { mayArrive, takeBackArrival } from './presence/arrivals.ts';
import type { Census } from './presence/census.ts';
import {
  addSocket,
  botKey,
  lobbyKey,
  olderThan,
  PLAYER_SOCKETS_MAX,
  placeKey,
  playerKey,
  removeSocket,
  SESSION_WATCHERS_MAX,
} from './presence/census.ts';
import { noteAbsent, notePresent } from './presence/presence.ts';

/** How often a client is to ping, in milliseconds. */
const PING_MS = 25_000;
/** A lobby can be resumed for so long after its token was renewed. Seconds. */
const LOBBY_RESUME_S = 24 * 60 * 60;

/** Checks the token and connects the player; the socket is open or closed afterwards. */
export async function enter(
  deps: SocketDeps,
  census: Census,
  connection: Connection,
  token: string,
): Promise<void> {
  const claims = deps.tokens.parse(token, deps.clock.now());
  if (claims === null) {
    connection.state = { kind: 'closed' };
    closeConnection(connection, CLOSE.token);
    return;
  }
  connection.state = { kind: 'checking', claims };
  try {
    const access = (await deps.accessOf(claims))(connection.origin);
    const refusal = access.ok
      ? await admitArrival(deps, census, connection, claims, access.socketsMax)
      : CLOSE[access.reason];
    if (refusal !== null) closeConnection(connection, refusal);
  } catch (error) {
    deps.onError(error);
    closeConnection(connection, CLOSE.restarting);
  }
}

/** Admits a player who has not connected too often. */
async function admitArrival(
  deps: SocketDeps,
  census: Census,
  connection: Connection,
  claims: TokenClaims,
  socketsMax: number,
): Promise<CloseCause | null> {
  if (!mayArrive(census, claims, deps.clock.now())) return CLOSE.tooFast;
  let refusal: CloseCause | null = CLOSE.restarting;
  try {
    refusal = await admit(deps, census, connection, claims, socketsMax);
  } finally {
    if (refusal === CLOSE.restarting) takeBackArrival(census, claims);
  }
  return refusal;
}

/**
 * Returns the refusal; null when the socket is open, or has been closed meanwhile. Synchronous parts are functions
 * of their own: a long async function is expensive to compile.
 */
async function admit(
  deps: SocketDeps,
  census: Census,
  connection: Connection,
  claims: TokenClaims,
  socketsMax: number,
): Promise<CloseCause | null> {
  const only = claims.session === null ? null : await sessionOf(deps, claims, claims.session);
  if (claims.session !== null && only === null) return CLOSE.token;
  if (connection.socket === null) return null;
  const key = currentKey(claims);
  const mayCome = (): boolean => hasRoom(deps, census, claims, socketsMax, census.byPlace.has(key));
  if (!mayCome()) return CLOSE.tooFast;
  // A socket that replaces one of this node takes over its slot (`leave`).
  if (deps.places !== undefined && !census.byPlace.has(key)) {
    const { tenant, mode } = claims;
    connection.leavePlace = await deps.places.take(`sockets:${mode} ${tenant}`, socketsMax);
    if (connection.leavePlace === null) return CLOSE.tooFast;
    // Other sockets may have entered meanwhile.
    if (connection.socket === null || !mayCome()) {
      connection.leavePlace?.();
      return CLOSE.tooFast;
    }
  }
  const [outcomes] = await letIn(deps, census, connection, key, claims, only);
  if (outcomes.includes('refused')) return CLOSE.restarting;
  if (only !== null && outcomes.includes('left')) return CLOSE.token;
  open(deps, census, connection, key);
  return null;
}

/** Counts the socket, attaches the player's sessions, and records presence. */
function letIn(
  deps: SocketDeps,
  census: Census,
  connection: Connection,
  key: string,
  claims: TokenClaims,
  only: Seated | null,
) {
  count(census, claims, 1);
  if (claims.scope !== 'watch') addSocket(census, key, connection);
  connection.state = { kind: 'entering', claims, places: new PlacesById() };
  // Only now, when a lobby is notified of new sessions: none is missed between the list and the updates.
  return Promise.all([
    only === null ? attachOpen(deps, connection, claims) : attachAll(deps, connection, [only]),
    notePresent(deps, census, claims),
  ]);
}

/** Sends `welcome`, unless the socket was closed meanwhile. */
function open(deps: SocketDeps, census: Census, connection: Connection, key: string): void {
  const { socket, state } = connection;
  if (state.kind !== 'entering') return;
  welcome(deps, connection, state);
  // The older sockets are closed last, so that the player is connected all the time.
  for (const older of olderThan(census, key, connection)) closeConnection(older, CLOSE.replaced);
  if (deps.peers !== undefined) socket?.ping();
}

/**
 * A socket has shown a sign of life: older ones on other nodes are closed. A process that resumes after a stall
 * takes up handshakes whose clients have reconnected elsewhere long ago.
 */
export function announce({ peers }: SocketDeps, connection: Connection): void {
  const { state } = connection;
  if (peers === undefined || connection.stamp > 0 || state.kind !== 'open') return;
  if (state.claims.scope !== 'watch') connection.stamp = peers.entered(currentKey(state.claims));
}

/** The slot of the player's socket; each lobby has its own. */
function currentKey(claims: TokenClaims): string {
  const { tenant, mode, session } = claims;
  const player = claims.player ?? '';
  if (claims.scope === 'bot') return botKey(tenant, mode, player);
  return session === null
    ? lobbyKey(tenant, mode, player)
    : placeKey(tenant, mode, player, session);
}

function hasRoom(
  { peers }: SocketDeps,
  census: Census,
  claims: TokenClaims,
  max: number,
  isReplacing: boolean,
): boolean {
  const { tenant, mode, player } = claims;
  if (isReplacing) return true;
  if (census.byTenant.of(`${tenant}:${mode}`) >= max) return false;
  if (isWatching(claims)) {
    const { session } = claims;
    const watchers = census.watchersBySession.of(session) + (peers?.watchers(session) ?? 0);
    if (watchers >= SESSION_WATCHERS_MAX) return false;
  }
  return (
    player === null || census.byPlayer.of(playerKey(tenant, mode, player)) < PLAYER_SOCKETS_MAX
  );
}

function count(census: Census, claims: TokenClaims, by: 1 | -1): void {
  const { tenant, mode, player } = claims;
  census.byTenant.add(`${tenant}:${mode}`, by);
  if (player !== null) census.byPlayer.add(playerKey(tenant, mode, player), by);
  if (isWatching(claims)) census.watchersBySession.add(claims.session, by);
}

function isWatching(claims: TokenClaims): claims is TokenClaims & { readonly session: string } {
  return claims.scope === 'watch' && claims.session !== null;
}

type Entering = Extract<ConnectionState, { kind: 'entering' }>;

function welcome(deps: SocketDeps, connection: Connection, { claims, places }: Entering): void {
  const shown = places.all().filter((place) => place.isAttached);
  for (const { session } of shown) queueState(connection, session);
  connection.state = { kind: 'open', claims, places };
  const text = JSON.stringify({
    t: 'welcome',
    player: claims.player,
    sessions: shown.map((place) => place.session),
    resumeToken: makeResumeToken(deps, connection, claims),
    pingMs: PING_MS,
  });
  sendPendingStates(deps, connection, [text]);
}

/** A resume token; renewed on the open socket. */
export function makeResumeToken(
  deps: SocketDeps,
  connection: Connection,
  claims: TokenClaims,
): string {
  const now = deps.clock.now();
  connection.renewedAt = now;
  const lifeS = claims.session === null ? LOBBY_RESUME_S : RESUME_LIFE_S;
  const scope = claims.scope === 'watch' || claims.scope === 'bot' ? claims.scope : 'resume';
  return deps.tokens.make({ ...claims, scope, exp: Math.floor(now / 1_000) + lifeS });
}

/** The socket is gone: so is its player, unless they have another. */
export function leave(deps: SocketDeps, census: Census, connection: Connection): void {
  const { state } = connection;
  connection.state = { kind: 'closed' };
  dropReceipts(connection.receipts);
  if (state.kind !== 'entering' && state.kind !== 'open') return;
  count(census, state.claims, -1);
  noteAbsent(deps, census, state.claims);
  const key = currentKey(state.claims);
  removeSocket(census, key, connection);
  passOn(census, key, connection);
  for (const place of state.places.all())
    deps.host.detach(place.session, place, connection.isPutAway);
}

/** Sockets that replace one another count as one on all nodes together: the last one keeps the slot. */
function passOn(census: Census, key: string, connection: Connection): void {
  const { leavePlace } = connection;
  const others = [...(census.byPlace.get(key) ?? [])];
  const heir = others.some((other) => other.leavePlace !== null) ? undefined : others.at(-1);
  if (heir === undefined) leavePlace?.();
  else heir.leavePlace = leavePlace;
}
