/** The status line: one sentence about the current state of the match, and the possible actions. Pure. */

import type { Translate } from './i18n/translate.ts';
import type { Model, Now } from './model.ts';
import { awaySeat, isAwaited, isOut, isToMove, opponentOf, seatName } from './model.ts';
import type { ConnectionStatus, Seat, SessionView } from './protocol.ts';
import { playerAt } from './protocol.ts';
import { headlineOf } from './result-words.ts';

export interface StatusLine {
  /** `mine` asks the player to act, `warn` and `bad` to take note, `done` is the end. */
  readonly tone: 'calm' | 'mine' | 'warn' | 'bad' | 'done';
  readonly text: string;
  readonly detail: string | null;
  /** Buttons next to it. */
  readonly offers: 'retry' | 'draw' | null;
}

const SECOND_MS = 1_000;
/** Names joined in one sentence. */
const NAMES_MAX = 3;

export function describeStatus(model: Model, now: Now, t: Translate): StatusLine {
  const { connection, session } = model;
  if (session?.status === 'ended' && session.result !== null) {
    return line('done', headlineOf(session, session.result, t));
  }
  if (connection.kind !== 'open') return describeConnection(model, now, t);
  if (session === null) return line('calm', t('status.noSession'));
  if (model.refusal !== null) return line('warn', model.refusal);
  return session.status === 'pending'
    ? describeWaiting(session, now, t)
    : describeTurn(session, model.board?.hint?.(session, t) ?? null, now, t);
}

function line(
  tone: StatusLine['tone'],
  text: string,
  detail: string | null = null,
  offers: StatusLine['offers'] = null,
): StatusLine {
  return { tone, text, detail, offers };
}

function describeConnection(
  { connection, online, session }: Model,
  now: Now,
  t: Translate,
): StatusLine {
  if (connection.kind === 'connecting') {
    if (connection.attempt === 0 && session === null) return line('calm', t('status.connecting'));
    return line('bad', t('status.lost'), t('status.retrying'));
  }
  if (connection.kind !== 'waiting') return line('bad', t('status.lost'));
  const text = online ? lossText(connection, t) : t('status.offline');
  const seconds = Math.max(0, Math.ceil((connection.retryAt - now.own) / SECOND_MS));
  const detail = seconds > 0 ? t('status.retryIn', { seconds }) : t('status.retrying');
  return line('bad', text, detail, connection.cause === 'too_fast' ? null : 'retry');
}

function lossText(
  connection: Extract<ConnectionStatus, { kind: 'waiting' }>,
  t: Translate,
): string {
  switch (connection.cause) {
    case 'restarting':
      return t('status.restarting');
    case 'overloaded':
      return t('status.overloaded');
    case 'too_fast':
      return t('status.tooFast');
    case 'lost':
      return t('status.lost');
  }
}

function describeWaiting(session: SessionView, now: Now, t: Translate): StatusLine {
  const text = awaitedText(session, t);
  const { deadline } = session;
  const detail =
    deadline === null ? null : t('status.expiresIn', { time: t.countdown(deadline - now.server) });
  return line('calm', text, detail);
}

/** With two seats the opponent; with more the missing player, or how many are missing. */
function awaitedText(session: SessionView, t: Translate): string {
  const others = Array.from({ length: session.seats }, (_, seat) => seat).filter(
    (seat) => seat !== session.seat && !isPresent(session, seat),
  );
  if (others.length > 1) return t('status.waitingMore', { count: others.length });
  if (others.length === 0 && session.seats > 2) return t('status.noTurn');
  const [only = opponentOf(session)] = others;
  const isNamed = only !== null && playerAt(session, only) !== null;
  if (isNamed) return t('status.waitingFor', { name: seatName(session, only, t) });
  return session.seats > 2 ? t('status.waitingMore', { count: 1 }) : t('status.waiting');
}

/** Bots are always present. */
function isPresent(session: SessionView, seat: Seat): boolean {
  const player = playerAt(session, seat);
  return player !== null && (player.isBot || player.connected);
}

function describeTurn(
  session: SessionView,
  hint: string | null,
  now: Now,
  t: Translate,
): StatusLine {
  const { seat, turn, acting, drawOfferedBy, deadline, warned } = session;
  const isMine = isToMove(session, seat);
  if (drawOfferedBy !== null && seat !== null && drawOfferedBy !== seat) {
    const text = t('status.drawOffered', { name: seatName(session, drawOfferedBy, t) });
    return line('mine', text, null, 'draw');
  }
  const time = deadline === null ? null : t.countdown(deadline - now.server);
  if (warned !== null && warned === seat && isMine && time !== null) {
    return line('warn', t('status.afkYou', { time }));
  }
  const away = awaySeat(session);
  if (away !== null) {
    const left = away.until === null ? null : t.countdown(away.until - now.server);
    const [text, detail] = isAwaited(session, away.seat)
      ? (['status.absent', 'status.absentDetail'] as const)
      : (['status.away', 'status.awayDetail'] as const);
    const name = seatName(session, away.seat, t);
    return line('warn', t(text, { name }), left === null ? null : t(detail, { time: left }));
  }
  const sent = drawOfferedBy === null || seat === null ? null : t('status.drawSent');
  const detail = isOut(session, seat) ? t('status.out') : sent;
  if (isMine) return line('mine', t('status.yourTurn'), detail ?? hint);
  if (turn === null && acting.length > 0) {
    return line('calm', t('status.waitingFor', { name: namesOf(session, t) }), detail);
  }
  if (turn === null) return line('calm', hint ?? t('status.noTurn'), detail);
  const name = seatName(session, turn, t);
  if (warned !== null && time !== null) return line('calm', t('status.afkThem', { name, time }));
  return line('calm', t('status.theirTurn', { name }), detail);
}

/** Players who still have to act; of many the first, and how many more. */
function namesOf(session: SessionView, t: Translate): string {
  const names = session.acting.map((seat) => seatName(session, seat, t));
  const shown = names.length > NAMES_MAX ? names.slice(0, NAMES_MAX - 1) : names;
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, t('list.more', { count: more })] : shown;
  return new Intl.ListFormat(t.language).format(all);
}
