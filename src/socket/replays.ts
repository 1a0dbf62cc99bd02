/** Replays requested over a socket (rule P11): of ended matches, read once for all requests. */

import { CLOSE } from '../contract/messages.ts';
import { makeReplay } from '../match/replay/replay.ts';
import { spendOf } from './connection/buckets.ts';
import type { Connection } from './connection/connection.ts';
import { closeConnection, sendFrames } from './connection/connection.ts';
import type { SocketDeps } from './connection/deps.ts';

/** A longer one would count as a backlog: the tenant's API has it. Characters. */
export const REPLAY_CHARS_MAX = 512 * 1_024;

/** Replays that are being read now, as JSON, by session; null for those that failed. */
export type ReplayReads = Map<string, Promise<string | null>>;

type ReplayReject = 'too_fast' | 'session_not_ended' | 'replay_too_large' | 'unavailable';

const WORDS: Readonly<Record<ReplayReject, string>> = {
  too_fast: 'Too many replays: wait a little',
  session_not_ended: 'The replay is there when the match is over',
  replay_too_large: 'The replay is too large for a frame',
  unavailable: 'The replay could not be read: ask again later',
};

/** Sends the replay or a refusal; to a reader that is behind when it has caught up. */
export function takeReplayRequest(
  deps: SocketDeps,
  reads: ReplayReads,
  connection: Connection,
  session: string,
  id: string,
): void {
  const isFine = spendOf(connection.buckets, 'replay', deps.clock.now()) === 'fine';
  const isBehind = connection.leftOutBytes !== null;
  // A refusal would not be read either.
  if (isBehind && !isFine) closeConnection(connection, CLOSE.overloaded);
  else if (isBehind) queueReplay(connection, session, id);
  else if (!isFine) refuse(connection, session, id, 'too_fast');
  else sendReplay(deps, reads, connection, session, id).catch(deps.onError);
}

/** Answers requests made while the reader was behind. */
export function sendPendingReplays(
  deps: SocketDeps,
  reads: ReplayReads,
  connection: Connection,
): void {
  const pending = connection.pendingReplays ?? [];
  connection.pendingReplays = null;
  for (const [id, session] of pending) {
    sendReplay(deps, reads, connection, session, id).catch(deps.onError);
  }
}

function refuse(connection: Connection, s: string, id: string, code: ReplayReject): void {
  answer(connection, s, id, JSON.stringify({ t: 'reject', s, id, code, error: WORDS[code] }));
}

/** A reader that has fallen behind meanwhile gets the answer later. */
function answer(connection: Connection, session: string, id: string, text: string): void {
  if (connection.leftOutBytes === null) sendFrames(connection, [text]);
  else queueReplay(connection, session, id);
}

function queueReplay(connection: Connection, session: string, id: string): void {
  connection.pendingReplays ??= new Map();
  connection.pendingReplays.set(id, session);
}

async function sendReplay(
  deps: SocketDeps,
  reads: ReplayReads,
  connection: Connection,
  session: string,
  id: string,
): Promise<void> {
  const view = await deps.host.peek(session).catch((error: unknown) => {
    deps.onError(error);
    return undefined;
  });
  if (view === undefined) {
    refuse(connection, session, id, 'unavailable');
    return;
  }
  if (view === null || view.session.status !== 'ended') {
    refuse(connection, session, id, 'session_not_ended');
    return;
  }
  const text = await readOnce(deps, reads, session);
  if (text === null) refuse(connection, session, id, 'unavailable');
  else if (text.length > REPLAY_CHARS_MAX) refuse(connection, session, id, 'replay_too_large');
  else {
    const head = JSON.stringify({ t: 'replay', s: session, id }).slice(0, -1);
    answer(connection, session, id, `${head},"replay":${text}}`);
  }
}

/** When a match ends all its viewers may ask at once. */
function readOnce(deps: SocketDeps, reads: ReplayReads, session: string): Promise<string | null> {
  const underWay = reads.get(session);
  if (underWay !== undefined) return underWay;
  const reading = read(deps, session)
    .catch((error: unknown) => {
      deps.onError(error);
      return null;
    })
    .finally(() => reads.delete(session));
  reads.set(session, reading);
  return reading;
}

/** The session is in memory: its log need not be folded again. */
async function read({ host, store, seals }: SocketDeps, session: string): Promise<string | null> {
  const stored = await store.loadSession(session);
  const view = await host.peek(session);
  if (stored === null || view === null) return null;
  return JSON.stringify(seals.signReplay(makeReplay(view.session, view.roster, stored.entries)));
}
