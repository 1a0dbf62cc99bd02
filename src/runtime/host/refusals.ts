/** Answers to work, and the refusals of work that cannot be done. */

import { separately } from './answers.ts';
import type { Work, WorkResult } from './work.ts';

type Refused = Extract<WorkResult, { readonly kind: 'rejected' }>;

/** Ends work without frames: an answer goes to its sender alone. */
export function answer(work: Work, result: WorkResult): void {
  const first = work.done(result);
  if (first !== undefined) work.origin?.send([], separately(first));
}

export const NOT_FOUND: WorkResult = { kind: 'not_found' };
export const BUSY: Refused = {
  kind: 'rejected',
  code: 'busy',
  error: 'Too many commands are waiting in this session',
};
export const UNAVAILABLE: Refused = {
  kind: 'rejected',
  code: 'unavailable',
  error: 'It is not known whether this was committed: send it again with the same id',
};
/** Another node owns the session, and nothing was written. */
export const UNDONE: Refused = {
  kind: 'rejected',
  code: 'unavailable',
  error: 'The session has moved: send it again with the same id',
  isUndone: true,
};
export const BROKEN: Refused = {
  kind: 'rejected',
  code: 'session_ended',
  error: 'The match broke and was ended',
};
