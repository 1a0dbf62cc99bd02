/** Which sessions a socket shows, and how they are attached (rules P1, P2, P4). */

import { CLOSE } from '../contract/messages.ts';
import type { Wire } from '../match/frames/compact.ts';
import type { TokenClaims } from '../runtime/access/tokens.ts';
import { RESUME_AFTER_END_MS } from '../runtime/access/tokens.ts';
import type { MatchView, PlacedAnswer, WorkOutcome } from '../runtime/host/work.ts';
import { numberOf } from './connection/client-frames.ts';
import type { Connection, Place } from './connection/connection.ts';
import { closeConnection } from './connection/connection.ts';
import type { SocketDeps } from './connection/deps.ts';
import { noteAnswer } from './connection/receipts.ts';
import { sendOfSession, sendState, stateTexts } from './pending-states.ts';

/** Sessions of a lobby that are read and connected concurrently. */
const LOADED_AT_ONCE = 32;
/** Unreadable sessions of a lobby are retried after this delay, which grows. Ms. */
const LOOK_AGAIN_MS = 1_000;
const LOOK_AGAIN_MS_MAX = 60_000;
/** An open socket waits this long for a session that it showed, for example while the store is away. Ms. */
const SHOW_GIVE_UP_MS = 30_000;
/** The pause after the first attempt; it doubles up to the longest. Ms. */
const SHOW_AGAIN_MS = 500;
const SHOW_AGAIN_MS_MAX = 2_000;

export interface Seated {
  readonly session: string;
  readonly seat: number | null;
}

/** One unreadable session does not cost a player all the others. */
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

/** The session that a token opens; null when it no longer does. */
export async function sessionOf(
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

/** `gone`: nothing to attach, or it is attached already. `left`: the player has no seat there any more. */
export type AttachOutcome = 'attached' | 'gone' | 'left' | 'refused';

export function attachAll(
  deps: SocketDeps,
  connection: Connection,
  sessions: readonly Seated[],
): Promise<AttachOutcome[]> {
  return Promise.all(sessions.map((each) => attach(deps, connection, each)));
}

/** A lobby's sessions: the player's sessions that have not ended and can be read, some at a time. */
export async function attachOpen(
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
    if (found.includes('unread')) retryLater(deps, connection, LOOK_AGAIN_MS);
    outcomes.push(...(await attachAll(deps, connection, seated)));
  }
  return outcomes;
}

/**
 * Connects one seat; the presence is committed before this resolves (rule P2). Until `giveUpAt`, ms since 1970, an
 * unavailable store is retried.
 */
function attach(
  deps: SocketDeps,
  connection: Connection,
  { session, seat }: Seated,
  giveUpAt = 0,
): Promise<AttachOutcome> {
  const { state } = connection;
  const isInside = state.kind === 'entering' || state.kind === 'open';
  if (!isInside || state.places.has(session)) return Promise.resolve('gone');
  const { places, claims } = state;
  const player = seat === null ? null : claims.player;
  const n = numberOf(connection, session);
  const place = new SocketPlace(deps, connection, { session, n, viewer: seat, player });
  places.add(place);
  const { promise, resolve } = Promise.withResolvers<AttachOutcome>();
  let pauseMs = SHOW_AGAIN_MS;
  const ask = (): void => deps.host.attach(session, place, settle);
  const askAgain = (): void => {
    if (connection.state.kind === 'closed' || places.get(session) !== place) resolve('gone');
    else ask();
  };
  const settle = (told: WorkOutcome): void => {
    const code = told.kind === 'rejected' ? told.code : null;
    if (connection.state.kind === 'closed') {
      deps.host.detach(session, place, connection.isPutAway);
      resolve('gone');
    } else if (told.kind === 'done') {
      place.isAttached = true;
      resolve('attached');
    } else if (code === 'unavailable' && deps.clock.now() < giveUpAt) {
      deps.clock.after(pauseMs, askAgain);
      pauseMs = Math.min(2 * pauseMs, SHOW_AGAIN_MS_MAX);
    } else {
      places.delete(session);
      const hasLeft = code === 'unknown_session';
      if (hasLeft) connection.numbers.drop(session);
      resolve(hasLeft ? 'left' : 'refused');
    }
  };
  ask();
  return promise;
}

/** A class, because there is one for each session of each socket: shared methods, no closures. */
class SocketPlace implements Place {
  isAttached = false;
  hasRequested = false;
  readonly session: string;
  readonly n: number;
  readonly viewer: number | null;
  readonly player: string | null;
  readonly wire: Wire;
  private readonly deps: SocketDeps;
  private readonly connection: Connection;

  constructor(
    deps: SocketDeps,
    connection: Connection,
    { session, n, viewer, player }: Pick<Place, 'session' | 'n' | 'viewer' | 'player'>,
  ) {
    this.deps = deps;
    this.connection = connection;
    this.session = session;
    this.n = n;
    this.viewer = viewer;
    this.player = player;
    this.wire = connection.wire;
  }

  send(texts: readonly string[], answer?: PlacedAnswer): void {
    const { deps, connection } = this;
    if (answer !== undefined) noteAnswer(connection.receipts, answer);
    // Before `welcome` nothing is sent: a whole state follows it.
    if (connection.state.kind === 'open') sendOfSession(deps, connection, this, texts, answer);
  }

  lost(): void {
    const { deps, connection, session, viewer } = this;
    const { state } = connection;
    if (state.kind !== 'entering' && state.kind !== 'open') return;
    // Once lost, it has been replaced.
    if (state.places.get(session) !== this) return;
    state.places.delete(session);
    show(deps, connection, { session, seat: viewer });
  }
}

/** Attaches one more session to a socket, with its whole state. */
export function show(deps: SocketDeps, connection: Connection, seated: Seated): void {
  const { session } = seated;
  attach(deps, connection, seated, deps.clock.now() + SHOW_GIVE_UP_MS)
    .then((outcome) => {
      if (outcome === 'refused') closeConnection(connection, CLOSE.restarting);
      if (outcome === 'left') closeIfOnlyThere(connection);
      if (outcome !== 'attached' || connection.state.kind !== 'open') return;
      const place = connection.state.places.get(session);
      if (place === undefined || deps.host.askState(session, place)) return;
      sendState(connection, place, stateTexts(deps, connection, place));
    })
    .catch(deps.onError);
}

/** A socket of that one session has nothing left to show; a lobby stays open. */
function closeIfOnlyThere(connection: Connection): void {
  const { state } = connection;
  const isInside = state.kind === 'entering' || state.kind === 'open';
  if (isInside && state.claims.session !== null) closeConnection(connection, CLOSE.left);
}

/**
 * Shows a lobby a session that its client knows and the list of open ones does not: it ended while the client was
 * away. Returns false when there is nothing to show any more.
 */
export async function showNamed(
  deps: SocketDeps,
  connection: Connection,
  claims: TokenClaims,
  id: string,
): Promise<boolean> {
  const found = await sessionOf(deps, claims, id);
  if (found !== null) show(deps, connection, found);
  return found !== null;
}

/** Shows a lobby the sessions that its player got without a notification. */
export async function showMissed(
  deps: SocketDeps,
  connection: Connection,
  againMs = LOOK_AGAIN_MS,
): Promise<void> {
  const { state } = connection;
  if (state.kind === 'entering') retryLater(deps, connection, againMs);
  if (state.kind !== 'open' || state.claims.session !== null) return;
  const { tenant, mode, player } = state.claims;
  let isUnread = false;
  for (const id of await deps.store.listOpenSessionsOf(tenant, mode, player!)) {
    const found = state.places.has(id) ? null : await listedSession(deps, state.claims, id);
    if (found === 'unread') isUnread = true;
    else if (found !== null) show(deps, connection, found);
  }
  if (isUnread) retryLater(deps, connection, Math.min(2 * againMs, LOOK_AGAIN_MS_MAX));
}

/** An unreadable session may be readable later: the lobby retries it. */
function retryLater(deps: SocketDeps, connection: Connection, ms: number): void {
  deps.clock.after(ms, () => {
    showMissed(deps, connection, ms).catch((error: unknown) => {
      deps.onError(error);
      if (connection.socket !== null) {
        retryLater(deps, connection, Math.min(2 * ms, LOOK_AGAIN_MS_MAX));
      }
    });
  });
}

/** Detaches sessions that no token opens any more: a lobby can stay open for months. */
export async function dropLongEnded(deps: SocketDeps, connection: Connection): Promise<void> {
  if (connection.state.kind !== 'open') return;
  const { places } = connection.state;
  for (const place of places.all()) {
    const { session } = place;
    const view = place.isAttached ? await deps.host.peek(session) : null;
    if (view === null || !isLongOver(deps, view)) continue;
    if (places.get(session) === place) {
      places.delete(session);
      connection.numbers.drop(session);
    }
    deps.host.detach(session, place);
  }
}
