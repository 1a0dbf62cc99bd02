/** Commands of a socket that have no answer yet: how long each waits for it. */

import type { CommandId } from '../match/record.ts';
import type { PlayerCommand } from '../runtime/host/player-work.ts';
import type { Timing } from '../runtime/timings.ts';
import type { OpenSpan, Tracing } from '../runtime/tracing.ts';

/** What is measured of one command. */
export interface Receipt {
  /** Its text in an answer, between the answer's type and its other fields. */
  readonly names: string;
  /** Its span, as a `traceparent`; absent where it is not traced. */
  readonly trace?: string | undefined;
  /** Null: the socket closed, or too many commands wait. */
  answered(answer: 'ack' | 'reject' | null): void;
}

/** Commands of one socket that are followed: a mailbox takes no more. */
const RECEIPTS_MAX = 64;

const ACK = '{"t":"ack",';
const REJECT = '{"t":"reject",';

/** `moveAck` counts the commands that were acknowledged. `tracing` is null where there are no traces. */
export function makeReceiptOf(
  moveAck: Timing,
  tracing: Tracing | null = null,
): (session: string, command: PlayerCommand) => Receipt {
  return (session, { id, kind }) => {
    const from = performance.now();
    const span = tracing === null ? null : beginMove(tracing, session, kind);
    return {
      names: namesOf(session, id),
      trace: span?.trace,
      answered(answer) {
        if (answer === 'ack') moveAck.observe((performance.now() - from) / 1_000);
        span?.end({ attributes: { 'matchd.answer': answer ?? 'none' }, isError: answer === null });
      },
    };
  };
}

function beginMove(
  tracing: Tracing,
  session: string,
  command: PlayerCommand['kind'],
): OpenSpan | null {
  const attributes = { 'matchd.session': session, 'matchd.command': command };
  return tracing.begin({ name: 'move', role: 'server', parent: null, attributes });
}

/** As `answerText` writes it, right after the answer's type. */
function namesOf(session: string, id: CommandId): string {
  return `"s":"${session}","id":${JSON.stringify(id)},`;
}

export function follow(receipts: Receipt[], receipt: Receipt): void {
  if (receipts.length >= RECEIPTS_MAX) receipts.shift()!.answered(null);
  receipts.push(receipt);
}

/** To be called with all that a session shows to the socket. */
export function noteAnswers(receipts: Receipt[], texts: readonly string[]): void {
  for (const text of texts) {
    if (receipts.length === 0) return;
    const answer = text.startsWith(ACK) ? 'ack' : text.startsWith(REJECT) ? 'reject' : null;
    if (answer === null) continue;
    const from = answer === 'ack' ? ACK.length : REJECT.length;
    const at = receipts.findIndex(({ names }) => text.startsWith(names, from));
    if (at >= 0) receipts.splice(at, 1)[0]!.answered(answer);
  }
}

/** The socket is gone. */
export function dropReceipts(receipts: Receipt[]): void {
  for (const receipt of receipts.splice(0)) receipt.answered(null);
}
