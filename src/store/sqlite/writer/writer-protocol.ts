/** What the main thread and the writer's thread say to each other. */

import type { PlayerPresence } from '../../tickets.ts';

/** Keys of the audit's chains, their secrets in base64, as all of it crosses to the writer as JSON. */
export interface UseAuditKeys {
  readonly op: 'useAuditKeys';
  readonly keys: readonly { readonly kid: string; readonly secret: string }[];
}

export type WriterOp =
  | { readonly op: 'setPresence'; readonly presence: PlayerPresence }
  | UseAuditKeys;

/** An ask of a script, by its name. */
export interface ScriptOp {
  readonly op: 'script';
  readonly name: string;
  readonly ask: unknown;
}

/** What each operation answers. */
export interface WriterAnswers {
  setPresence: null;
  useAuditKeys: null;
}

/** Separates the fields of plain records. JSON and ids never hold it unescaped. */
export const FIELD_SEPARATOR = '\u001e';

/** What a writer begins with. */
export interface WriterSetup {
  readonly file: string;
  /** How long a transaction waits for another process's lock, in milliseconds. */
  readonly waitMs: number;
  /** The file that is told the number of the last commit; null: commits are not counted. */
  readonly headFile: string | null;
}

/** One transaction's worth of work. */
export interface WriterBatch {
  /**
   * Single records without a change beside them: session, v, at, record, the world of the events
   * (`<mode> <tenant>`, empty for none), how many there are, their texts, and so on, in one text.
   * One text crosses to the other thread faster than the same fields in an array (measured).
   */
  readonly records: string;
  /**
   * The other work, a `(WriterOp | ScriptOp)[]` as JSON: making and reading it costs less than the structured
   * clone of the same objects (decision 0006).
   */
  readonly ops: string;
}

/** What was asked for was not done. */
export interface WriterFailure {
  readonly ok: false;
  readonly error: string;
  /** Nothing can be written for now, whatever is asked for: a full disk, a lock, a writer that died. */
  readonly isAway: boolean;
  /** It was refused with `AnsweredBefore`. */
  readonly isAnswered?: boolean;
}

export type OpResult = { readonly ok: true; readonly value: unknown } | WriterFailure;

export type WriterReply =
  /** `conflicts`: indexes of plain records that somebody else had written. */
  | {
      readonly ok: true;
      readonly conflicts: readonly number[];
      readonly results: readonly OpResult[];
      /** Worlds whose log of events grew, and the last place in each. */
      readonly heads: readonly (readonly [world: string, head: number])[];
    }
  /** Nothing is known of the whole batch. */
  | WriterFailure;
