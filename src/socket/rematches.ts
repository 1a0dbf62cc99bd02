/** A player's messages about a rematch, and their answers (rule P13). */

import type { ClientFrame } from '../contract/messages.ts';
import type { RejectCode } from '../match/decide.ts';
import { TOKEN_LIFE_S, type TokenClaims } from '../runtime/access/tokens.ts';
import { makeRematchFrame, type RematchAnswer } from '../runtime/sessions/agreements.ts';
import { sessionOf } from './attached-sessions.ts';
import { spendOf } from './connection/buckets.ts';
import type { Connection, Place } from './connection/connection.ts';
import { sendFrames } from './connection/connection.ts';
import type { SocketDeps } from './connection/deps.ts';

type RematchRequest = Extract<ClientFrame, { t: 'rematch' }>;

const WORDS: Readonly<Partial<Record<RejectCode, string>>> = {
  too_fast: 'Too much about a rematch: wait a little',
  watch_only: 'Watchers cannot do anything',
  unknown_session: 'This player has no seat in the session',
  session_not_ended: 'There is a rematch when the match is over',
  no_rematch: 'The session can have no rematch',
  rematch_over: 'The rematch was declined or agreed on, or its time is up',
  unavailable: 'It is not known whether it was written down: send it again',
};

export function takeRematch(
  deps: SocketDeps,
  connection: Connection,
  claims: TokenClaims,
  place: Place,
  frame: RematchRequest,
): void {
  const reject = (code: RejectCode): void => {
    const { s, id } = frame;
    sendFrames(connection, [JSON.stringify({ t: 'reject', s, id, code, error: WORDS[code] })]);
  };
  if (spendOf(connection.buckets, 'rematch', deps.clock.now()) !== 'fine') reject('too_fast');
  else if (frame.do !== undefined && place.viewer === null) reject('watch_only');
  else {
    answer(deps, connection, claims, place, frame).then(
      (code) => {
        if (code !== null) reject(code);
      },
      (error: unknown) => {
        deps.onError(error);
        reject('unavailable');
      },
    );
  }
}

/** The refusal; null when it is answered. */
async function answer(
  deps: SocketDeps,
  connection: Connection,
  claims: TokenClaims,
  place: Place,
  frame: RematchRequest,
): Promise<RejectCode | null> {
  const { session, viewer: seat, player } = place;
  const isNew = seat !== null && !place.hasRequested;
  place.hasRequested = true;
  const told = await deps.agreements.ask({ session, seat, player, do: frame.do, isNew });
  if (told.kind === 'rejected') return told.code;
  const token = seat === null ? undefined : await tokenOf(deps, connection, claims, told);
  const text = makeRematchFrame(session, told.view, told.refused, { id: frame.id, token });
  sendFrames(connection, [JSON.stringify(text)]);
  return null;
}

/**
 * A token of the rematch for its player, made where the socket is; none when its issuer may not issue tokens any
 * more.
 */
async function tokenOf(
  deps: SocketDeps,
  { origin }: Connection,
  claims: TokenClaims,
  { view }: Extract<RematchAnswer, { kind: 'told' }>,
): Promise<string | undefined> {
  const { tokens, clock, accessOf } = deps;
  const { next } = view;
  if (next === null || claims.player === null || claims.scope === 'bot') return undefined;
  const isTheirs = (await sessionOf(deps, claims, next)) !== null;
  if (!isTheirs || !(await accessOf(claims))(origin).ok) return undefined;
  const exp = Math.floor(clock.now() / 1_000) + TOKEN_LIFE_S;
  return tokens.make({ ...claims, scope: 'session', session: next, exp });
}
