/** Handles the frames of an open socket. */

import type { ClientFrame } from '../contract/messages.ts';
import type { RejectCode } from '../match/decide.ts';
import { makeTime } from '../match/frames/frames.ts';
import { isSeatOf, NOT_SEATED, type PlayerCommand } from '../runtime/host/player-work.ts';
import { isId } from '../runtime/ids.ts';
import { showNamed } from './attached-sessions.ts';
import { hasLeftOf, spendOf } from './connection/buckets.ts';
import type { Connection, ConnectionState, Place } from './connection/connection.ts';
import { sendFrames } from './connection/connection.ts';
import type { SocketDeps } from './connection/deps.ts';
import { follow } from './connection/receipts.ts';
import { makeResumeToken } from './enter.ts';
import { sendState, stateTexts } from './pending-states.ts';
import type { Census } from './presence/census.ts';
import { takeRematch } from './rematches.ts';
import { takeReplayRequest } from './replays.ts';

type Open = Extract<ConnectionState, { kind: 'open' }>;

/** A resume token older than this is renewed with the next pong. Milliseconds. */
const RENEW_MS = 60 * 60 * 1_000;
/** A `hello` counts as one more message for each this many sessions. */
const NAMED_A_MESSAGE = 32;

export function handleFrame(
  deps: SocketDeps,
  census: Census,
  connection: Connection,
  state: Open,
  frame: ClientFrame,
): void {
  if (frame.t === 'ping') {
    sendFrames(connection, [makePong(deps, census, connection, state, frame.n)]);
  } else if (frame.t === 'hello') {
    resume(deps, connection, state, frame.resume ?? {});
  } else {
    const place = state.places.get(frame.s);
    if (place === undefined) {
      refuseFrame(connection, frame, 'unknown_session', 'This socket does not show that session');
    } else if (frame.t === 'sync') {
      showAgain(deps, connection, place);
    } else if (frame.t === 'replay') {
      takeReplayRequest(deps, census.replayReads, connection, frame.s, frame.id);
    } else if (frame.t === 'rematch') {
      takeRematch(deps, connection, state.claims, place, frame);
    } else if (place.viewer === null) {
      refuseFrame(connection, frame, 'watch_only', 'Watchers cannot do anything');
    } else {
      command(deps, connection, place, place.viewer, frame);
    }
  }
}

function makePong(
  deps: SocketDeps,
  census: Census,
  connection: Connection,
  state: Open,
  n: number,
): string {
  const now = deps.clock.now();
  const isOld = now - connection.renewedAt > RENEW_MS;
  const resumeToken = isOld ? makeResumeToken(deps, connection, state.claims) : undefined;
  const { session } = state.claims;
  const watchers = session === null ? undefined : watchersOf(deps, census, session);
  return JSON.stringify({ t: 'pong', n, now: makeTime(now), resumeToken, watchers });
}

function watchersOf({ peers }: SocketDeps, census: Census, session: string): number {
  return census.watchersBySession.of(session) + (peers?.watchers(session) ?? 0);
}

/** A socket that is behind gets the whole state, any other nothing. A lobby may have missed ends. */
function resume(
  deps: SocketDeps,
  connection: Connection,
  state: Open,
  seen: Readonly<Record<string, number>>,
): void {
  const named = Object.entries(seen);
  // Each may need an answer, if only a refusal.
  const messages = Math.floor(named.length / NAMED_A_MESSAGE);
  spendOf(connection.buckets, 'message', deps.clock.now(), messages);
  for (const [session, v] of named) {
    const place = state.places.get(session);
    if (place !== undefined) {
      deps.host.noteSeen(session, v);
      showAgain(deps, connection, place, v);
    } else if (state.claims.session === null) findRecent(deps, connection, state, session);
  }
}

const NOT_SHOWN = Promise.resolve(false);

/** A failed read is not refused: its client asks again. */
function findRecent(
  deps: SocketDeps,
  connection: Connection,
  { claims }: Open,
  session: string,
): void {
  if (!mayAskState(deps, connection, session)) return;
  spendState(deps, connection);
  // An invalid id is not looked up: the store may not accept it.
  const shown = isId('ses', session) ? showNamed(deps, connection, claims, session) : NOT_SHOWN;
  shown
    .then((isShown) => {
      if (isShown) return;
      const error = 'There is no such session for this player, or it ended long ago';
      sendFrames(connection, [makeReject(session, null, 'unknown_session', error)]);
    })
    .catch(deps.onError);
}

/**
 * The whole state, unless it is pending anyway or is the `seen` one. Only what is sent counts, and requests to
 * another node. A slot that is still attaching gets the state later: the session in memory may belong to another
 * node, which this node is about to find out.
 */
function showAgain(deps: SocketDeps, connection: Connection, place: Place, seen?: number): void {
  const { session, isAttached } = place;
  if (
    !isAttached ||
    connection.pendingStates?.has(session) ||
    !mayAskState(deps, connection, session)
  )
    return;
  if (deps.host.askState(session, place, seen)) {
    spendState(deps, connection);
    return;
  }
  const texts = stateTexts(deps, connection, place, seen);
  if (texts.length === 0) return;
  spendState(deps, connection);
  sendState(connection, place, texts);
}

/** Is a request for a whole state left? It is not taken. */
function mayAskState(deps: SocketDeps, connection: Connection, session: string): boolean {
  if (hasLeftOf(connection.buckets, 'state', deps.clock.now())) return true;
  const error = 'Too many whole states: wait a little';
  sendFrames(connection, [makeReject(session, null, 'too_fast', error)]);
  return false;
}

function spendState({ clock }: SocketDeps, { buckets }: Connection): void {
  spendOf(buckets, 'state', clock.now());
}

type CommandFrame = Exclude<ClientFrame, { t: 'ping' | 'hello' | 'sync' | 'replay' | 'rematch' }>;

function command(
  deps: SocketDeps,
  connection: Connection,
  place: Place,
  seat: number,
  frame: CommandFrame,
): void {
  const { session } = place;
  const play = (asked: PlayerCommand): void => {
    const { state } = connection;
    const receipt =
      state.kind === 'open' ? deps.receiptOf?.(session, asked, state.claims) : undefined;
    if (receipt !== undefined) follow(connection.receipts, receipt);
    const trace = receipt?.trace;
    deps.host.play(session, seat, trace === undefined ? asked : { ...asked, trace }, place);
  };
  switch (frame.t) {
    case 'act':
      play({ kind: 'act', id: frame.id, action: frame.action });
      return;
    case 'resign':
    case 'leave':
      play({ kind: frame.t, id: frame.id });
      return;
    case 'draw':
      play({ kind: 'draw', id: frame.id, do: frame.do });
      return;
    case 'in': {
      const refusal = deps.host.hold(session, seat, frame.from, frame.masks, place);
      if (refusal !== null) refuseFrame(connection, frame, refusal.code, refusal.error);
      return;
    }
    case 'emote': {
      const { emote } = frame;
      deps.host.relay(session, (v) =>
        JSON.stringify({ t: 'emote', s: session, v, prev: v, seat, emote }),
      );
      return;
    }
    case 'entropy':
      deps.host.run(session, {
        command: (match) =>
          isSeatOf(match, seat, place.player)
            ? { kind: 'entropy', seat, value: frame.value }
            : NOT_SEATED,
        done: (result) => {
          if (result.kind === 'rejected') {
            refuseFrame(connection, frame, result.code, result.error);
          }
          return undefined;
        },
      });
      return;
  }
}

/** Refuses a frame. Frames without an id get an answer with `id` null. */
export function refuseFrame(
  connection: Connection,
  frame: ClientFrame,
  code: RejectCode,
  error: string,
): void {
  const s = 's' in frame ? frame.s : null;
  const id = 'id' in frame ? frame.id : null;
  sendFrames(connection, [makeReject(s, id, code, error)]);
}

function makeReject(s: string | null, id: string | null, code: RejectCode, error: string): string {
  return JSON.stringify({ t: 'reject', s, id, code, error });
}
