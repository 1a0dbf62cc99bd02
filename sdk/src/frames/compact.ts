/** Expands the compact frames of `matchd.v2` to those of `matchd.v1`, using earlier frames. */

import type { ClientMessage, ServerFrame, StateFrame } from '../generated/frames.ts';
import { checkFrame } from './frames.ts';

/** What a session's compact frames leave out. */
interface Numbered {
  readonly s: string;
  /** When the session was created, ms since 1970: frames count times from there. */
  readonly base: number;
  readonly players: StateFrame['players'];
  /** The version of the last frame, and its content. */
  v: number;
  view: unknown;
  legal: unknown;
}

/** The sessions of a socket, by number. */
export type Numbers = Map<number, Numbered>;

type Clock = [remainingMs: number[], running: number | null, flagsAt: number | null];

/** The frames in a message of either subprotocol; none for messages that this client cannot use. */
export function parseServerFrames(numbers: Numbers, text: string): ServerFrame[] {
  try {
    return spellOut(numbers, JSON.parse(text)).flatMap((each) => checkFrame(each) ?? []);
  } catch {
    return [];
  }
}

/** The `matchd.v1` frames of a message. Throws for invalid input. */
// biome-ignore lint/suspicious/noExplicitAny: what it holds is checked as a frame of `matchd.v1`.
export function spellOut(numbers: Numbers, frame: any): unknown[] {
  if (!Array.isArray(frame)) {
    follow(numbers, frame);
    return [frame];
  }
  const [n, kind, ...rest] = frame;
  const session = numbers.get(n)!;
  if (kind === 'ticks') {
    const [from, inputs, committed, hash] = rest;
    return [{ t: 'ticks', s: session.s, from, inputs, committed, hash }];
  }
  return kind === 'over' ? [spellOver(session, rest)] : spellUpdate(session, kind, rest);
}

/** The message to send: compact, if the socket has a number for its session. */
export function shorten(numbers: Numbers, message: ClientMessage): unknown {
  if (message.t !== 'act' && message.t !== 'in') return message;
  for (const [n, { s }] of numbers) {
    if (s !== message.s) continue;
    return message.t === 'act' ? [n, message.id, message.action] : [n, message.from, message.masks];
  }
  return message;
}

/** Frames of `matchd.v1` continue the chain, too. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
function follow(numbers: Numbers, { t, s, v, n, base, players, view, legal }: any): void {
  if (t === 'state' && n !== undefined) numbers.set(n, { s, base, players, v, view, legal });
  if (t === 'presence' || t === 'over')
    for (const each of numbers.values()) if (each.s === s) each.v = v;
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
function spellUpdate(session: Numbered, v: number, rest: any[]): unknown[] {
  const { s, base } = session;
  const [at, seat, action, turn, deadline, view, legal, ...tail] = rest;
  let prev = v - 1;
  let clock = null;
  let id = null;
  for (const each of tail) {
    if (typeof each === 'number') prev = each;
    else if (typeof each === 'string') id = each;
    else clock = spellClock(each, base);
  }
  // A change of an unknown base is useless: the chain is broken, and the whole state is requested.
  if (session.v === prev) {
    session.v = v;
    session.view = change(session.view, view);
    session.legal = change(session.legal, legal);
  }
  const update = {
    t: 'update',
    s,
    v,
    prev,
    seat,
    action,
    view: session.view,
    ...(Array.isArray(turn) ? { turn: null, acting: turn } : { turn }),
    legal: session.legal,
    clock,
    deadline: timeOf(deadline, base),
    at: timeOf(at, base),
  };
  return id === null ? [update] : [{ t: 'ack', s, id, v, prev: v - 1 }, update];
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
function spellOver(session: Numbered, rest: any[]): unknown {
  const { s, base, players } = session;
  const [v, at, reason, winningSeats, places, durationMs, moveCount, ...tail] = rest;
  const prev = tail.find((each) => typeof each === 'number') ?? v - 1;
  const winners = winningSeats.map(
    (seat: number) => players.find((each) => each.seat === seat)?.id,
  );
  const scores = tail.find(Array.isArray);
  const placements = players
    .map(({ id, seat, isBot }) => ({
      playerId: id,
      seat,
      isBot,
      place: places[seat],
      ...(scores && { score: scores[seat] }),
    }))
    .sort((a, b) => a.place - b.place || a.seat - b.seat);
  const result = {
    ...tail.find((each) => typeof each === 'object' && !Array.isArray(each)),
    winner: winners.length === 1 ? winners[0] : null,
    winners,
    placements,
    reason,
    durationMs,
    moveCount,
  };
  session.v = v;
  return { t: 'over', s, v, prev, result, at: timeOf(at, base) };
}

function spellClock([remainingMs, running, flagsAt]: Clock, base: number): unknown {
  return { remainingMs, running, flagsAt: timeOf(flagsAt, base) };
}

function timeOf(ms: number | null, base: number): string | null {
  return ms === null ? null : new Date(base + ms).toISOString();
}

/** The value after a change. Unchanged parts keep their identity. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function change(value: any, by: any): unknown {
  if (typeof by !== 'object' || by === null) return by;
  if (Array.isArray(by)) return changeList(value, by);
  const keys = Object.keys(by);
  if (keys.length === 0) return value;
  const changed = { ...value };
  for (const key of keys) changed[key] = change(changed[key], by[key]);
  return changed;
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
function changeList(value: any, by: any[]): unknown {
  if (by.length === 1) return by[0];
  const [start, removed, ...added] = by;
  if (typeof start !== 'number') return by.reduce(change, value);
  return [...value.slice(0, start), ...added, ...value.slice(start + removed)];
}
