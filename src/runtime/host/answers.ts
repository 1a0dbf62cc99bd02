/** Answers to commands, as their senders get them: `ack`, `reject`, or an update that includes the answer (rule P4). */

import type { Wire } from '../../match/frames/compact.ts';
import { acknowledging } from '../../match/frames/compact.ts';
import type { Answer, PlacedAnswer } from './work.ts';

/** A separate answer: an `ack` with the version of the command's record, or a `reject`. */
export function answerText({ s, id, told }: Answer): string {
  if (told.kind === 'done') {
    const { v } = told;
    // One of the two texts of every move; only the id is the client's.
    return `{"t":"ack","s":"${s}","id":${JSON.stringify(id)},"v":${v},"prev":${v - 1}}`;
  }
  const { code, error } =
    told.kind === 'rejected'
      ? told
      : { code: 'unknown_session', error: 'There is no such session' };
  return JSON.stringify({ t: 'reject', s, id, code, error });
}

/** An answer that none of the accompanying frames includes. */
export function separately(answer: Answer): PlacedAnswer {
  return { ...answer, update: -1 };
}

/** What a command's sender gets: the answer first, or within its own update. */
export function withAnswer(
  wire: Wire,
  texts: readonly string[],
  answer: PlacedAnswer | undefined,
): readonly string[] {
  if (answer === undefined) return texts;
  const { update, id } = answer;
  if (wire === 1 || update < 0 || id === null) return [answerText(answer), ...texts];
  return texts.with(update, acknowledging(texts[update]!, id));
}
