/** From a token to `welcome`: who is it, may he, and what does he see (rules P1, P2). */

import { CLOSE } from '../contract/messages.ts';
import type { TokenClaims } from '../runtime/tokens.ts';
import { RESUME_AFTER_END_MS, RESUME_LIFE_S } from '../runtime/tokens.ts';
import type { MatchView, WorkResult } from '../runtime/work.ts';
import type { Census } from './census.ts';
import { lobbyKey, PLAYER_SOCKETS_MAX, placeKey, playerKey } from './census.ts';
import type { Connection, Place } from './connection.ts';
import { closeConnection, sendFrames } from './connection.ts';
import type { SocketDeps } from './deps.ts';

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
  connection.state = { kind: 'entering', claims };
  try {
    await admit(deps, census, connection, claims);
  } catch (error) {
    deps.onError(error);
    closeConnection(connection, CLOSE.restarting);
  }
}

async function admit(
  deps: SocketDeps,
  census: Census,
  connection: Connection,
  claims: TokenClaims,
): Promise<void> {
  const access = await deps.checkAccess(claims, connection.origin);
  if (!access.ok) {
    closeConnection(connection, access.reason === 'origin' ? CLOSE.origin : CLOSE.token);
    return;
  }
  const sessions = await sessionsOf(deps, claims);
  if (sessions === null) {
    closeConnection(connection, CLOSE.token);
    return;
  }
  if (connection.socket === null) return;
  const replaced = census.current.get(currentKey(claims));
  if (!hasRoom(census, claims, access.socketsMax, replaced !== undefined)) {
    closeConnection(connection, CLOSE.tooFast);
    return;
  }
  count(census, claims, 1);
  connection.state = { kind: 'open', claims, places: new Map() };
  if (claims.scope !== 'watch') census.current.set(currentKey(claims), connection);
  const places = await Promise.all(
    sessions.map(({ session, seat }) => attach(deps, connection, session, seat)),
  );
  // The older socket goes last, so that the player is connected all the time.
  if (replaced !== undefined && replaced !== connection) closeConnection(replaced, CLOSE.replaced);
  welcome(deps, connection, claims, places.filter((place) => place !== null));
}

/** What the player's socket is known by; a lobby's is its own. */
function currentKey(claims: TokenClaims): string {
  const { tenant, mode, session } = claims;
  const player = claims.player ?? '';
  return session === null
    ? lobbyKey(tenant, mode, player)
    : placeKey(tenant, mode, player, session);
}

function hasRoom(census: Census, claims: TokenClaims, max: number, isReplacing: boolean): boolean {
  const { tenant, mode, player } = claims;
  if (isReplacing) return true;
  if (census.byTenant.of(`${tenant}:${mode}`) >= max) return false;
  return player === null || census.byPlayer.of(playerKey(tenant, mode, player)) < PLAYER_SOCKETS_MAX;
}

function count(census: Census, claims: TokenClaims, by: 1 | -1): void {
  const { tenant, mode, player } = claims;
  census.byTenant.add(`${tenant}:${mode}`, by);
  if (player !== null) census.byPlayer.add(playerKey(tenant, mode, player), by);
}

interface Seated {
  readonly session: string;
  readonly seat: number | null;
}

/** The sessions a token opens; null when it opens none any more. */
async function sessionsOf(deps: SocketDeps, claims: TokenClaims): Promise<readonly Seated[] | null> {
  if (claims.session !== null) {
    const view = await deps.host.peek(claims.session);
    const seated = view === null ? null : seatedIn(view, claims);
    return seated === null || isLongOver(deps, view!) ? null : [seated];
  }
  const { tenant, mode, player } = claims;
  const ids = await deps.store.listOpenSessionsOf(tenant, mode, player!);
  const views = await Promise.all(ids.map((id) => deps.host.peek(id)));
  return views.flatMap((view) => {
    const seated = view === null ? null : seatedIn(view, claims);
    return seated === null ? [] : [seated];
  });
}

function seatedIn(view: MatchView, claims: TokenClaims): Seated | null {
  if (view.row.tenant !== claims.tenant) return null;
  if (claims.player === null) return { session: view.row.id, seat: null };
  const seat = view.roster.findIndex((player) => player?.id === claims.player);
  return seat === -1 ? null : { session: view.row.id, seat };
}

function isLongOver(deps: SocketDeps, { session }: MatchView): boolean {
  return (
    session.status === 'ended' && deps.clock.now() - session.endedAt > RESUME_AFTER_END_MS
  );
}

/** Connects one seat; the presence is committed before this resolves (rule P2). */
function attach(
  deps: SocketDeps,
  connection: Connection,
  session: string,
  seat: number | null,
): Promise<Place | null> {
  return new Promise((resolve) => {
    const subscriber = {
      viewer: seat,
      send(texts: readonly string[]) {
        // Before `welcome` there is nothing to say: a whole state follows it.
        if (connection.renewedAt > 0) sendFrames(connection, texts);
      },
      lost() {
        if (connection.state.kind === 'open') show(deps, connection, session, seat);
      },
    };
    deps.host.attach(session, subscriber, (result: WorkResult) => {
      const place: Place = { session, seat, subscriber };
      if (result.kind !== 'done') resolve(null);
      else if (connection.state.kind !== 'open') {
        // It closed meanwhile.
        deps.host.detach(session, subscriber);
        resolve(null);
      } else {
        connection.state.places.set(session, place);
        resolve(place);
      }
    });
  });
}

function welcome(
  deps: SocketDeps,
  connection: Connection,
  claims: TokenClaims,
  places: readonly Place[],
): void {
  const states = places.flatMap(({ session, seat }) => deps.host.stateFor(session, seat) ?? []);
  const text = JSON.stringify({
    t: 'welcome',
    player: claims.player,
    sessions: places.map((place) => place.session),
    resumeToken: makeResumeToken(deps, connection, claims),
    pingMs: PING_MS,
  });
  sendFrames(connection, [text, ...states]);
}

/** A token to come back with; renewed on the open socket. */
export function makeResumeToken(
  deps: SocketDeps,
  connection: Connection,
  claims: TokenClaims,
): string {
  const now = deps.clock.now();
  connection.renewedAt = now;
  const lifeS = claims.session === null ? LOBBY_RESUME_S : RESUME_LIFE_S;
  const scope = claims.scope === 'watch' ? 'watch' : 'resume';
  return deps.tokens.make({ ...claims, scope, exp: Math.floor(now / 1_000) + lifeS });
}

/** Shows an open socket one more session, with its whole state. */
export function show(
  deps: SocketDeps,
  connection: Connection,
  session: string,
  seat: number | null,
): void {
  void attach(deps, connection, session, seat).then((place) => {
    if (place === null || connection.renewedAt === 0) return;
    const text = deps.host.stateFor(session, seat);
    if (text !== null) sendFrames(connection, [text]);
  });
}

/** The whole state of every session: what a reader gets who was behind. */
export function showAll(deps: SocketDeps, connection: Connection): void {
  if (connection.state.kind !== 'open') return;
  for (const { session, seat } of connection.state.places.values()) {
    const text = deps.host.stateFor(session, seat);
    if (text !== null) sendFrames(connection, [text]);
  }
}

/** The socket is gone: its player is, too, wherever he has no other. */
export function leave(deps: SocketDeps, census: Census, connection: Connection): void {
  const { state } = connection;
  connection.state = { kind: 'closed' };
  if (state.kind !== 'open') return;
  count(census, state.claims, -1);
  const key = currentKey(state.claims);
  if (census.current.get(key) === connection) census.current.delete(key);
  for (const { session, subscriber } of state.places.values()) deps.host.detach(session, subscriber);
}
