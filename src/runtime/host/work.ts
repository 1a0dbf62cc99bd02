/** Work in a match's mailbox, and the receiver of its result. Types only. */

import type { Command, RejectCode, Rejection } from '../../match/decide.ts';
import type { Wire } from '../../match/frames/compact.ts';
import type { Viewer } from '../../match/frames/frames.ts';
import type { CommandId } from '../../match/record.ts';
import type { Roster, Session } from '../../match/session.ts';
import type { SessionChange, SessionRow } from '../../store/store.ts';

/** A receiver of a session's frames: one socket's subscription. */
export interface Subscriber {
  /** The seat whose view it gets; null is a watcher. */
  readonly viewer: Viewer;
  /**
   * The id of the player it belongs to. A seat that was left may be another player's by now, so nothing is shown
   * or done by a seat's number alone. Null is a watcher; with a seat it occurs only in tests, and no player is
   * looked up.
   */
  readonly player: string | null;
  /** The subprotocol that its frames are encoded for; `matchd.v1` when absent. */
  readonly wire?: Wire;
  /**
   * Takes frames in order, and the answer to its own command, which is not among them and goes with them in one
   * write. Must not throw.
   */
  send(texts: readonly string[], answer?: PlacedAnswer): void;
  /** The session had to be read again: what the subscriber saw may be old. It attaches again. */
  lost(): void;
}

/** A session in memory, as work sees it. */
export interface MatchView {
  readonly row: SessionRow;
  readonly roster: Roster;
  readonly session: Session;
}

export type WorkResult =
  | (Extract<WorkOutcome, { kind: 'done' }> & { readonly match: MatchView })
  | Exclude<WorkOutcome, { kind: 'done' }>;

/** The result of work, in the form sent between nodes. */
export type WorkOutcome =
  /** `v` is the session's version afterwards, or the version that was repeated. */
  | { readonly kind: 'done'; readonly v: number }
  | {
      readonly kind: 'rejected';
      readonly code: RejectCode;
      readonly error: string;
      /** With `unavailable`: nothing was done, so the request may be repeated unchanged. */
      readonly isUndone?: true;
    }
  | { readonly kind: 'not_found' };

/** The answer to a command. */
export interface Answer {
  readonly s: string;
  /** Null for frames without an id. */
  readonly id: CommandId | null;
  readonly told: WorkOutcome;
}

/** An answer with the frames sent in the same write. */
export interface PlacedAnswer extends Answer {
  /** The index of the update with the command's own record; -1 for none. */
  readonly update: number;
}

/** The work was done before, in the record of that version: answer that, and do nothing. */
export interface Repeat {
  readonly repeatOf: number;
}

/** Something to decide in a match's turn. */
export interface Work {
  /** The decision, given the session at that time. */
  command(match: MatchView): Command | Rejection | Repeat;
  /** Rows to write in the same commit, with the session as it will be. */
  change?(match: MatchView, after: Session): SessionChange;
  /** Who sits where afterwards, if the work changes that. */
  roster?(match: MatchView, after: Session): Roster;
  /** The service's own work, which is never refused because the mailbox is full. */
  readonly essential?: true;
  /** The span that it belongs to, as a `traceparent`; for traces alone. */
  readonly trace?: string | undefined;
  /**
   * Called once: after the commit and before frames are sent, or with the refusal. The returned answer goes to
   * `origin`, in one write with the frames that `origin` gets from the work. Must not throw.
   */
  done(result: WorkResult): Answer | undefined;
  readonly origin?: Subscriber;
}

/** Applies expired deadlines, and nothing else. */
export const TICK: Work = { command: () => ({ kind: 'tick' }), done: () => undefined };

/** The same, and never refused as `busy`: loads the session, however much work waits. */
export const ESSENTIAL_TICK: Work = { ...TICK, essential: true };

/** The same as `TICK` for a match without input: records its lost time. */
export const RECORD_LOST_TIME: Work = { ...TICK };
