/** What an open socket's frames do. */

import type { ClientFrame } from '../contract/messages.ts';
import type { RejectCode } from '../match/decide.ts';
import { makeTime } from '../match/frames.ts';
import type { Connection, ConnectionState, Place } from './connection.ts';
import { sendFrames } from './connection.ts';
import type { SocketDeps } from './deps.ts';
import { makeResumeToken } from './enter.ts';

type Open = Extract<ConnectionState, { kind: 'open' }>;

/** A resume token older than this is renewed with the next pong. Milliseconds. */
const RENEW_MS = 60 * 60 * 1_000;

export function handleFrame(
  deps: SocketDeps,
  connection: Connection,
  state: Open,
  frame: ClientFrame,
): void {
  if (frame.t === 'ping') {
    sendFrames(connection, [makePong(deps, connection, state, frame.n)]);
  } else if (frame.t === 'hello') {
    resume(deps, connection, state, frame.resume ?? {});
  } else {
    const place = state.places.get(frame.s);
    if (place === undefined) {
      refuseFrame(connection, frame, 'unknown_session', 'This socket does not show that session');
    } else if (frame.t === 'sync') {
      sync(deps, connection, place);
    } else if (place.seat === null) {
      refuseFrame(connection, frame, 'watch_only', 'Watchers cannot do anything');
    } else {
      command(deps, connection, place, place.seat, frame);
    }
  }
}

function makePong(deps: SocketDeps, connection: Connection, state: Open, n: number): string {
  const now = deps.clock.now();
  const isOld = now - connection.renewedAt > RENEW_MS;
  const resumeToken = isOld ? makeResumeToken(deps, connection, state.claims) : undefined;
  return JSON.stringify({ t: 'pong', n, now: makeTime(now), resumeToken });
}

/** Whoever is behind gets the whole state; whoever is not needs nothing. */
function resume(
  deps: SocketDeps,
  connection: Connection,
  state: Open,
  seen: Readonly<Record<string, number>>,
): void {
  for (const [session, v] of Object.entries(seen)) {
    const place = state.places.get(session);
    if (place === undefined) continue;
    sendFrames(connection, deps.host.stateFor(session, place.seat, v));
  }
}

function sync(deps: SocketDeps, connection: Connection, { session, seat }: Place): void {
  sendFrames(connection, deps.host.stateFor(session, seat));
}

type CommandFrame = Exclude<ClientFrame, { t: 'ping' | 'hello' | 'sync' }>;

function command(
  deps: SocketDeps,
  connection: Connection,
  { session, subscriber }: Place,
  seat: number,
  frame: CommandFrame,
): void {
  switch (frame.t) {
    case 'act':
      deps.host.play(
        session,
        seat,
        { kind: 'act', id: frame.id, action: frame.action },
        subscriber,
      );
      return;
    case 'resign':
      deps.host.play(session, seat, { kind: 'resign', id: frame.id }, subscriber);
      return;
    case 'draw':
      deps.host.play(session, seat, { kind: 'draw', id: frame.id, do: frame.do }, subscriber);
      return;
    case 'in': {
      const refusal = deps.host.hold(session, seat, frame.from, frame.masks);
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
        command: () => ({ kind: 'entropy', seat, value: frame.value }),
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

/** Says no to a frame. Frames without an id get one with `id` null. */
export function refuseFrame(
  connection: Connection,
  frame: ClientFrame,
  code: RejectCode,
  error: string,
): void {
  const s = 's' in frame ? frame.s : null;
  const id = 'id' in frame ? frame.id : null;
  sendFrames(connection, [JSON.stringify({ t: 'reject', s, id, code, error })]);
}
