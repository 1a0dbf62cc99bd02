/** Work in a match's mailbox, and who gets its result. Types only. */

import type { Wire } from '../../match/compact.ts';
import type { Command, RejectCode, Rejection } from '../../match/decide.ts';
import type { Viewer } from '../../match/frames.ts';
import type { CommandId } from '../../match/record.ts';
import type { Roster, Session } from '../../match/session.ts';
import type { SessionChange, SessionRow } from '../../store/store.ts';

/** A receiver of a session's frames: one socket's place in it. */
export interface Subscriber {
  /** The seat whose view it gets; null is a watcher. */
  readonly viewer: Viewer;
  /**
   * The id of the player it belongs to. A seat that was left may be another's by now: nothing is shown or done
   * by a seat's number alone. Null is a watcher; with a seat it is only in tests, and nobody is looked for.
   */
  readonly player: string | null;
  /** Which subprotocol its frames are made for; `matchd.v1` when absent. */
  readonly wire?: Wire;
  /**
   * Takes frames in order, and the answer to a command of its own, which is not among them and goes
   * with them in one write. Must not throw.
   */
  send(texts: readonly string[], answer?: PlacedAnswer): void;
  /** The session it is shown had to be read again: what it saw may be behind. It attaches again. */
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

/** The result of work, as it is sent between nodes. */
export type WorkOutcome =
  /** `v` is the session's version afterwards, or the one that was repeated. */
  | { readonly kind: 'done'; readonly v: number }
  | {
      readonly kind: 'rejected';
      readonly code: RejectCode;
      readonly error: string;
      /** Of `unavailable`: nothing of it was done, so it may be asked for again as it is. */
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

/** An answer with the frames that are sent in the same write. */
export interface PlacedAnswer extends Answer {
  /** Which of them is the update of the command's own record; -1 where none is. */
  readonly update: number;
}

/** The work was done before, by the record of that version: say so, and do nothing. */
export interface Repeat {
  readonly repeatOf: number;
}

/** Something to be decided in a match's turn. */
export interface Work {
  /** What to do, with the session as it then is. */
  command(match: MatchView): Command | Rejection | Repeat;
  /** Rows to be written in the same commit, with the session as it will be. */
  change?(match: MatchView, after: Session): SessionChange;
  /** Who sits where afterwards, when the work changes that. */
  roster?(match: MatchView, after: Session): Roster;
  /** The service's own work, which is never refused for want of room in the mailbox. */
  readonly essential?: true;
  /** The span that it belongs to, as a `traceparent`; for traces alone. */
  readonly trace?: string | undefined;
  /**
   * Called once: after the commit and before anybody is shown it, or with the refusal. The answer
   * it returns goes to `origin`, in one write with what `origin` is shown of the work. Must not
   * throw.
   */
  done(result: WorkResult): Answer | undefined;
  readonly origin?: Subscriber;
}

/** Applies deadlines that have passed, and nothing else. */
export const TICK: Work = { command: () => ({ kind: 'tick' }), done: () => undefined };

/** The same, and takes the session into memory, however many wait. */
export const HOLD: Work = { ...TICK, essential: true };

/** The same as `TICK` for a match without input: records its lost time. */
export const RECORD_LOST_TIME: Work = { ...TICK };
