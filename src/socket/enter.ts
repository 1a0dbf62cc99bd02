/** From a token to `welcome`: who is it, may he, and what does he see (rules P1, P2). */

import type { CloseCause } from '../contract/messages.ts';
import { CLOSE } from '../contract/messages.ts';
import type { MatchView, Subscriber, Told } from '../runtime/host/work.ts';
import type { TokenClaims } from '../runtime/tokens.ts';
import { RESUME_AFTER_END_MS, RESUME_LIFE_S } from '../runtime/tokens.ts';
import { mayArrive, takeBackArrival } from './arrivals.ts';
import type { Census } from './census.ts';
import {
  botKey,
  enlist,
  lobbyKey,
  olderThan,
  PLAYER_SOCKETS_MAX,
  placeKey,
  playerKey,
  SESSION_WATCHERS_MAX,
  strike,
} from './census.ts';
import type { Connection, ConnectionState, Place } from './connection.ts';
import { CONTROL_RATE, closeConnection, makeBucket } from './connection.ts';
import type { SocketDeps } from './deps.ts';
import { sendOfSession, sendOwed } from './owed.ts';
import { arrive, depart } from './presence.ts';
import { dropReceipts, noteAnswers } from './receipts.ts';

/** How often a client is to ping, in milliseconds. */
const PING_MS = 25_000;
/** Sessions of a lobby that are read and connected together. */
const LOADED_AT_ONCE = 32;
/** Sessions of a lobby that could not be read are looked for again so much later, and ever later. Ms. */
const LOOK_AGAIN_MS = 1_000;
const LOOK_AGAIN_MS_MAX = 60_000;
/** An open socket waits so long for a session that it showed, as while the store is away. Ms. */
const SHOW_GIVE_UP_MS = 30_000;
/** The pause after the first try to show it; each is twice as long as the one before, up to the longest. Ms. */
const SHOW_AGAIN_MS = 500;
const SHOW_AGAIN_MS_MAX = 2_000;
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

/** Lets in who has not come too often. */
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
 * Answers why not; null when the socket is open, or has been closed meanwhile. What waits for nothing
 * is in functions of its own: a long function that waits is dear to compile.
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
  // What replaces a socket of this node needs none of its own: that one's passes on (`leave`).
  if (deps.places !== undefined && !census.byPlace.has(key)) {
    const { tenant, mode } = claims;
    connection.leavePlace = await deps.places.take(`sockets:${mode} ${tenant}`, socketsMax);
    if (connection.leavePlace === null) return CLOSE.tooFast;
    // Others may have come while it was asked for.
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

/** Counts the socket, shows it what its player plays, and says that he is here. */
function letIn(
  deps: SocketDeps,
  census: Census,
  connection: Connection,
  key: string,
  claims: TokenClaims,
  only: Seated | null,
) {
  count(census, claims, 1);
  if (claims.scope !== 'watch') enlist(census, key, connection);
  connection.state = { kind: 'entering', claims, places: new Map() };
  // Only now, when a lobby is told of new sessions: none falls between the list and the news.
  return Promise.all([
    only === null ? attachOpen(deps, connection, claims) : attachAll(deps, connection, [only]),
    arrive(deps, census, claims),
  ]);
}

/** Says `welcome`, unless the socket was closed meanwhile. */
function open(deps: SocketDeps, census: Census, connection: Connection, key: string): void {
  const { socket, state } = connection;
  if (state.kind !== 'entering') return;
  welcome(deps, connection, state);
  // The older sockets go last, so that the player is connected all the time.
  for (const older of olderThan(census, key, connection)) closeConnection(older, CLOSE.replaced);
  if (deps.peers !== undefined) socket?.ping();
}

/**
 * A socket has shown that somebody is at its other end: older ones on other nodes give way to it. A
 * process that stood still takes up handshakes whose clients have long gone elsewhere.
 */
export function announce({ peers }: SocketDeps, connection: Connection): void {
  const { state } = connection;
  if (peers === undefined || connection.stamp > 0 || state.kind !== 'open') return;
  if (state.claims.scope !== 'watch') connection.stamp = peers.entered(currentKey(state.claims));
}

function attachAll(
  deps: SocketDeps,
  connection: Connection,
  sessions: readonly Seated[],
): Promise<AttachOutcome[]> {
  return Promise.all(sessions.map(({ session, seat }) => attach(deps, connection, session, seat)));
}

/** What a lobby shows: the player's sessions that have not ended and can be read, some at a time. */
async function attachOpen(
  deps: SocketDeps,
  connection: Connection,
  claims: TokenClaims,
): Promise<AttachOutcome[]> {
  const { tenant, mode, player } = claims;
  const ids = await deps.store.listOpenSessionsOf(tenant, mode, player!);
  const outcomes: AttachOutcome[] = [];
  for (let at = 0; at < ids.length && connection.socket !== null; at += LOADED_AT_ONCE) {
    const page = ids.slice(at, at + LOADED_AT_ONCE);
    const found = await Promise.all(page.map((id) => listedSession(deps, claims, id)));
    const seated = found.filter((each) => each !== null && each !== 'unread');
    if (found.includes('unread')) lookAgain(deps, connection, LOOK_AGAIN_MS);
    outcomes.push(...(await attachAll(deps, connection, seated)));
  }
  return outcomes;
}

/** What the player's socket is known by; a lobby's is its own. */
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
    const watchers = census.byWatched.of(session) + (peers?.watchers(session) ?? 0);
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
  if (isWatching(claims)) census.byWatched.add(claims.session, by);
}

function isWatching(claims: TokenClaims): claims is TokenClaims & { readonly session: string } {
  return claims.scope === 'watch' && claims.session !== null;
}

interface Seated {
  readonly session: string;
  readonly seat: number | null;
}

/** One session that cannot be read does not cost a player all his others. */
async function listedSession(
  deps: SocketDeps,
  claims: TokenClaims,
  id: string,
): Promise<Seated | null | 'unread'> {
  try {
    const view = await deps.host.peek(id);
    return view === null ? null : seatedIn(view, claims);
  } catch (error) {
    deps.onError(error);
    return 'unread';
  }
}

/** The session as a token opens it; null when it does so no more. */
async function sessionOf(
  deps: SocketDeps,
  claims: TokenClaims,
  id: string,
): Promise<Seated | null> {
  const view = await deps.host.peek(id);
  return view === null || isLongOver(deps, view) ? null : seatedIn(view, claims);
}

function seatedIn({ row, roster, session }: MatchView, claims: TokenClaims): Seated | null {
  if (row.tenant !== claims.tenant || row.mode !== claims.mode) return null;
  if (claims.scope === 'watch') return { session: row.id, seat: null };
  if (claims.player === null) return null;
  const seat = roster.findIndex((player) => player?.id === claims.player);
  const held = session.seats[seat];
  // A bot's token opens the seats that its program plays and no player's, and a player's no bot's (E4).
  const isTheirs = held?.isBot === (claims.scope === 'bot') && held.level === null;
  return isTheirs ? { session: row.id, seat } : null;
}

function isLongOver(deps: SocketDeps, { session }: MatchView): boolean {
  return session.status === 'ended' && deps.clock.now() - session.endedAt > RESUME_AFTER_END_MS;
}

/** `gone`: there is nothing left to attach, or it is shown already. `left`: the player has no seat there any more. */
type AttachOutcome = 'attached' | 'gone' | 'left' | 'refused';

/**
 * Connects one seat; the presence is committed before this resolves (rule P2). Until `giveUpAt`, ms since 1970, a
 * store that is away is asked again.
 */
function attach(
  deps: SocketDeps,
  connection: Connection,
  session: string,
  seat: number | null,
  giveUpAt = 0,
): Promise<AttachOutcome> {
  const { state } = connection;
  const isInside = state.kind === 'entering' || state.kind === 'open';
  if (!isInside || state.places.has(session)) return Promise.resolve('gone');
  const { places } = state;
  const player = seat === null ? null : state.claims.player;
  const subscriber = makeSubscriber(deps, connection, { session, seat, player });
  const place: Place = { session, seat, subscriber, isAttached: false };
  places.set(session, place);
  const { promise, resolve } = Promise.withResolvers<AttachOutcome>();
  let pauseMs = SHOW_AGAIN_MS;
  const ask = (): void => deps.host.attach(session, subscriber, settle);
  const askAgain = (): void => {
    if (connection.state.kind === 'closed' || places.get(session) !== place) resolve('gone');
    else ask();
  };
  const settle = (told: Told): void => {
    const code = told.kind === 'rejected' ? told.code : null;
    if (connection.state.kind === 'closed') {
      deps.host.detach(session, subscriber, connection.isPutAway);
      resolve('gone');
    } else if (told.kind === 'done') {
      place.isAttached = true;
      resolve('attached');
    } else if (code === 'unavailable' && deps.clock.now() < giveUpAt) {
      deps.clock.after(pauseMs, askAgain);
      pauseMs = Math.min(2 * pauseMs, SHOW_AGAIN_MS_MAX);
    } else {
      places.delete(session);
      resolve(code === 'unknown_session' ? 'left' : 'refused');
    }
  };
  ask();
  return promise;
}

function makeSubscriber(
  deps: SocketDeps,
  connection: Connection,
  { session, seat, player }: { session: string; seat: number | null; player: string | null },
): Subscriber {
  const subscriber: Subscriber = {
    viewer: seat,
    player,
    send(texts) {
      noteAnswers(connection.receipts, texts);
      // Before `welcome` there is nothing to say: a whole state follows it.
      if (connection.state.kind === 'open')
        sendOfSession(deps, connection, { session, seat, subscriber }, texts);
    },
    lost() {
      const { state } = connection;
      if (state.kind !== 'entering' && state.kind !== 'open') return;
      // Once lost, another has its place.
      if (state.places.get(session)?.subscriber !== subscriber) return;
      state.places.delete(session);
      show(deps, connection, session, seat);
    },
  };
  return subscriber;
}

type Entering = Extract<ConnectionState, { kind: 'entering' }>;

function welcome(deps: SocketDeps, connection: Connection, { claims, places }: Entering): void {
  const shown = [...places.values()].filter((place) => place.isAttached);
  for (const { session } of shown) connection.owed.add(session);
  connection.state = { kind: 'open', claims, places };
  connection.controlBucket = makeBucket(deps.clock.now(), CONTROL_RATE);
  const text = JSON.stringify({
    t: 'welcome',
    player: claims.player,
    sessions: shown.map((place) => place.session),
    resumeToken: makeResumeToken(deps, connection, claims),
    pingMs: PING_MS,
  });
  sendOwed(deps, connection, [text]);
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
  const scope = claims.scope === 'watch' || claims.scope === 'bot' ? claims.scope : 'resume';
  return deps.tokens.make({ ...claims, scope, exp: Math.floor(now / 1_000) + lifeS });
}

/** Shows a socket one more session, with its whole state. */
export function show(
  deps: SocketDeps,
  connection: Connection,
  session: string,
  seat: number | null,
): void {
  attach(deps, connection, session, seat, deps.clock.now() + SHOW_GIVE_UP_MS)
    .then((outcome) => {
      if (outcome === 'refused') closeConnection(connection, CLOSE.restarting);
      if (outcome === 'left') closeIfOnlyThere(connection);
      if (outcome !== 'attached' || connection.state.kind !== 'open') return;
      const place = connection.state.places.get(session);
      if (place === undefined || deps.host.askState(session, place.subscriber)) return;
      sendOfSession(deps, connection, place, deps.host.stateFor(session, seat));
    })
    .catch(deps.onError);
}

/** A socket of that one session has nothing left to show; a lobby's goes on. */
function closeIfOnlyThere(connection: Connection): void {
  const { state } = connection;
  const isInside = state.kind === 'entering' || state.kind === 'open';
  if (isInside && state.claims.session !== null) closeConnection(connection, CLOSE.left);
}

/**
 * Shows a lobby a session that its client knows and the list of open ones does not: it ended while the
 * client was away. Answers false when there is nothing to show any more.
 */
export async function showNamed(
  deps: SocketDeps,
  connection: Connection,
  claims: TokenClaims,
  id: string,
): Promise<boolean> {
  const found = await sessionOf(deps, claims, id);
  if (found !== null) show(deps, connection, found.session, found.seat);
  return found !== null;
}

/** Shows a lobby what has come to its player unheard. */
export async function showMissed(
  deps: SocketDeps,
  connection: Connection,
  againMs = LOOK_AGAIN_MS,
): Promise<void> {
  const { state } = connection;
  if (state.kind === 'entering') lookAgain(deps, connection, againMs);
  if (state.kind !== 'open' || state.claims.session !== null) return;
  const { tenant, mode, player } = state.claims;
  let isUnread = false;
  for (const id of await deps.store.listOpenSessionsOf(tenant, mode, player!)) {
    const found = state.places.has(id) ? null : await listedSession(deps, state.claims, id);
    if (found === 'unread') isUnread = true;
    else if (found !== null) show(deps, connection, found.session, found.seat);
  }
  if (isUnread) lookAgain(deps, connection, Math.min(2 * againMs, LOOK_AGAIN_MS_MAX));
}

/** What could not be read may be readable later: a lobby does not stay without it. */
function lookAgain(deps: SocketDeps, connection: Connection, ms: number): void {
  deps.clock.after(ms, () => {
    showMissed(deps, connection, ms).catch((error: unknown) => {
      deps.onError(error);
      if (connection.socket !== null) {
        lookAgain(deps, connection, Math.min(2 * ms, LOOK_AGAIN_MS_MAX));
      }
    });
  });
}

/** Takes sessions from a socket that no token would open any more: a lobby can stay for months. */
export async function dropLongOver(deps: SocketDeps, connection: Connection): Promise<void> {
  if (connection.state.kind !== 'open') return;
  const { places } = connection.state;
  for (const { session, subscriber, isAttached } of [...places.values()]) {
    const view = isAttached ? await deps.host.peek(session) : null;
    if (view === null || !isLongOver(deps, view)) continue;
    if (places.get(session)?.subscriber === subscriber) places.delete(session);
    deps.host.detach(session, subscriber);
  }
}

/** The socket is gone: its player is, too, wherever he has no other. */
export function leave(deps: SocketDeps, census: Census, connection: Connection): void {
  const { state } = connection;
  connection.state = { kind: 'closed' };
  dropReceipts(connection.receipts);
  if (state.kind !== 'entering' && state.kind !== 'open') return;
  count(census, state.claims, -1);
  depart(deps, census, state.claims);
  const key = currentKey(state.claims);
  strike(census, key, connection);
  passOn(census, key, connection);
  for (const { session, subscriber } of state.places.values())
    deps.host.detach(session, subscriber, connection.isPutAway);
}

/** Sockets that replace one another count as one on all nodes together: whoever is left has its place. */
function passOn(census: Census, key: string, connection: Connection): void {
  const { leavePlace } = connection;
  const others = [...(census.byPlace.get(key) ?? [])];
  const heir = others.some((other) => other.leavePlace !== null) ? undefined : others.at(-1);
  if (heir === undefined) leavePlace?.();
  else heir.leavePlace = leavePlace;
}
