/** Replays asked for over a socket (rule P11): of matches that are over, read once for all who ask. */

import { makeReplay } from '../match/replay.ts';
import type { Connection, Rate } from './connection.ts';
import { sendFrames, spend } from './connection.ts';
import type { SocketDeps } from './deps.ts';

/** How often a socket may ask: each time a whole log is read. */
export const REPLAY_RATE: Rate = { perSecond: 0.2, burst: 3 };
/** A longer one would be as good as a backlog: whoever wants it has the tenant's way. Characters. */
export const REPLAY_CHARS_MAX = 512 * 1_024;

/** Replays that are being read now, as JSON, by session; null for none that could be had. */
export type ReplayReads = Map<string, Promise<string | null>>;

type ReplayReject = 'too_fast' | 'session_not_ended' | 'replay_too_large' | 'unavailable';

const WORDS: Readonly<Record<ReplayReject, string>> = {
  too_fast: 'Too many replays: wait a little',
  session_not_ended: 'The replay is there when the match is over',
  replay_too_large: 'The replay is too large for a frame',
  unavailable: 'The replay could not be read: ask again later',
};

/** Sends the replay or says why not. */
export async function sendReplay(
  deps: SocketDeps,
  reads: ReplayReads,
  connection: Connection,
  session: string,
  id: string,
): Promise<void> {
  const refuse = (code: ReplayReject): void =>
    sendFrames(connection, [
      JSON.stringify({ t: 'reject', s: session, id, code, error: WORDS[code] }),
    ]);
  if (spend(connection.replayBucket, deps.clock.now()) !== 'fine') {
    refuse('too_fast');
    return;
  }
  const view = await deps.host.peek(session).catch((error: unknown) => {
    deps.onError(error);
    return undefined;
  });
  if (view === undefined) {
    refuse('unavailable');
    return;
  }
  if (view === null || view.session.status !== 'ended') {
    refuse('session_not_ended');
    return;
  }
  const text = await readOnce(deps, reads, session);
  if (text === null) refuse('unavailable');
  else if (text.length > REPLAY_CHARS_MAX) refuse('replay_too_large');
  else {
    const head = JSON.stringify({ t: 'replay', s: session, id }).slice(0, -1);
    sendFrames(connection, [`${head},"replay":${text}}`]);
  }
}

/** When a match ends all who saw it may ask at once. */
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

/** The session is in memory, as it is shown: its log need not be folded again. */
async function read({ host, store }: SocketDeps, session: string): Promise<string | null> {
  const stored = await store.loadSession(session);
  const view = await host.peek(session);
  if (stored === null || view === null) return null;
  return JSON.stringify(makeReplay(view.session, view.roster, stored.entries));
}
