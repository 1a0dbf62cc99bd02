/** What clients saw, recorded as it happens; immediate checks are made at once. */

import type { Entry } from '../../src/match/record.ts';
import type { WatchedSession } from '../store/watch.ts';

/** A frame of a session as any client reads it. */
export interface ReadFrame {
  readonly t: string;
  readonly s?: string;
  readonly v?: number;
  readonly prev?: number;
  readonly [field: string]: unknown;
}

export interface AnsweredCommand {
  readonly session: string;
  readonly seat: number;
  readonly id: string;
}

/** What was shown of one session, by version: the views, as JSON. */
export type ShownViews = Map<number, Set<string>>;

export interface History {
  /** All violations found. */
  readonly findings: string[];
  readonly views: ReadonlyMap<string, ShownViews>;
  counts: { acks: number; frames: number };
  found(finding: string): void;
  /** A node sends a text to a client. */
  sent(text: string): void;
  /** The frame of a sent text; parsed once for all receivers. */
  read(text: string): ReadFrame;
  acked(command: AnsweredCommand, v: number): void;
  /** A player has a socket now, or opens one. */
  seen(player: string): void;
  /** The database adds a player to a ticket, because they are connected. */
  added(player: string): void;
}

/** `I5: …` is about I5. */
export function ruleOf(finding: string): string {
  return finding.slice(0, finding.indexOf(':'));
}

const PARSED_MAX = 512;

/** `absentMsMax`: a player without a socket for longer cannot count as connected. */
export function makeHistory(
  sessions: ReadonlyMap<string, WatchedSession>,
  now: () => number,
  absentMsMax: number,
): History {
  const findings: string[] = [];
  const views = new Map<string, ShownViews>();
  const counts = { acks: 0, frames: 0 };
  const seenAt = new Map<string, number>();
  let parsed = new Map<string, ReadFrame>();
  const found = (finding: string): void => void findings.push(finding);
  const read = (text: string): ReadFrame => {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    if (parsed.size >= PARSED_MAX) parsed = new Map();
    const frame = JSON.parse(text) as ReadFrame;
    parsed.set(text, frame);
    return frame;
  };
  return {
    findings,
    views,
    counts,
    found,
    read,
    sent(text) {
      counts.frames += 1;
      const isNew = !parsed.has(text);
      const frame = read(text);
      if (!isNew || frame.s === undefined) return;
      if (frame.t === 'reject') checkRefusal(sessions, frame, found);
      if (frame.v === undefined) return;
      const length = sessions.get(frame.s)?.log.length ?? 0;
      if (frame.v >= length) {
        found(`I6: ${frame.t} of ${frame.s} shows ${frame.v}, its log ends before ${length}`);
      }
      if (frame['view'] !== undefined) addView(views, frame.s, frame.v, frame['view']);
    },
    seen: (player) => void seenAt.set(player, now()),
    added(player) {
      const absentMs = now() - (seenAt.get(player) ?? 0);
      if (absentMs > absentMsMax) found(`I11: ${player} was added, absent for ${absentMs} ms`);
    },
    acked({ session, seat, id }, v) {
      counts.acks += 1;
      const text = sessions.get(session)?.log[v]?.text;
      const record = text === undefined ? null : (JSON.parse(text) as Entry).record;
      const isIt = record !== null && 'id' in record && record.id === id && record.seat === seat;
      if (!isIt) found(`I1: ${id} of ${session} was acknowledged as ${v}, where it is not`);
    },
  };
}

/** Refusals after which the same command may still be accepted. */
export const PASSING: ReadonlySet<unknown> = new Set([
  'unavailable',
  'busy',
  'too_fast',
  'unknown_session',
]);

/** I4: no logged command is refused. Ids of commands are used once. */
function checkRefusal(
  sessions: ReadonlyMap<string, WatchedSession>,
  frame: ReadFrame,
  found: (finding: string) => void,
): void {
  const { s, id, code } = frame as ReadFrame & { readonly id: unknown; readonly code: unknown };
  // A reused id is rightly refused: its client knows whether it reused it.
  if (id === null || code === 'id_reused' || PASSING.has(code)) return;
  const log = sessions.get(s!)?.log ?? [];
  const v = log.findIndex(({ text }) => idOf(text) === id);
  if (v !== -1) found(`I4: ${id} of ${s} stands in its log at ${v} and was refused: ${code}`);
}

function idOf(text: string): unknown {
  const { record } = JSON.parse(text) as Entry;
  return 'id' in record ? record.id : null;
}

function addView(views: Map<string, ShownViews>, session: string, v: number, view: unknown): void {
  const shown = views.get(session) ?? new Map<number, Set<string>>();
  views.set(session, shown);
  const texts = shown.get(v) ?? new Set<string>();
  shown.set(v, texts.add(JSON.stringify(view)));
}
