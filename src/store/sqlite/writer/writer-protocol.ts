/** The messages between the main thread and the writer's thread. */

import type { PlayerPresence } from '../../tickets.ts';

/** The keys of the audit chains, with secrets in base64, because everything is sent to the writer as JSON. */
export interface UseAuditKeys {
  readonly op: 'useAuditKeys';
  readonly keys: readonly { readonly kid: string; readonly secret: string }[];
}

export type WriterOp =
  | { readonly op: 'setPresence'; readonly presence: PlayerPresence }
  | UseAuditKeys;

/** A script's ask, by the script's name. */
export interface ScriptOp {
  readonly op: 'script';
  readonly name: string;
  readonly ask: unknown;
}

/** The answer of each operation. */
export interface WriterAnswers {
  setPresence: null;
  useAuditKeys: null;
}

/** Separates the fields of plain records. JSON and ids never contain it unescaped. */
export const FIELD_SEPARATOR = '\u001e';

/** What a writer starts with. */
export interface WriterSetup {
  readonly file: string;
  /** How long a transaction waits for another process's lock, in milliseconds. */
  readonly waitMs: number;
  /** The file for the number of the last commit; null: commits are not counted. */
  readonly headFile: string | null;
}

/** The work of one transaction. */
export interface WriterBatch {
  /**
   * Single records without another change, in one text: session, v, at, record, the world of the
   * events (`<mode> <tenant>`, empty for none), how many there are, their texts, and so on. One
   * text is passed to the other thread faster than an array of the same fields (measured).
   */
  readonly records: string;
  /**
   * The other work, a `(WriterOp | ScriptOp)[]` as JSON: faster than the structured clone of the
   * same objects (decision 0006).
   */
  readonly ops: string;
}

/** The operation was not done. */
export interface WriterFailure {
  readonly ok: false;
  readonly error: string;
  /** Nothing can be written for now: a full disk, a lock, a dead writer. */
  readonly isAway: boolean;
  /** Refused with `AnsweredBefore`. */
  readonly isAnswered?: boolean;
}

export type OpResult = { readonly ok: true; readonly value: unknown } | WriterFailure;

export type WriterReply =
  /** `conflicts`: indexes of plain records whose versions existed. */
  | {
      readonly ok: true;
      readonly conflicts: readonly number[];
      readonly results: readonly OpResult[];
      /** Worlds whose event logs grew, and the last position in each. */
      readonly heads: readonly (readonly [world: string, head: number])[];
    }
  /** The result of the whole batch is unknown. */
  | WriterFailure;
