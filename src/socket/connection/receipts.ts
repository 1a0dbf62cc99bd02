/** Unanswered commands of a socket: how long each waits for its answer. */

import type { CommandId } from '../../match/record.ts';
import type { TokenClaims } from '../../runtime/access/tokens.ts';
import type { PlayerCommand } from '../../runtime/host/player-work.ts';
import type { Answer } from '../../runtime/host/work.ts';
import type { TenantMetrics } from '../../runtime/measures/tenant-metrics.ts';
import type { Timing } from '../../runtime/measures/timings.ts';
import type { OpenSpan, Tracing } from '../../runtime/measures/tracing.ts';

/** The socket's player. */
export type ReceiptOwner = Pick<TokenClaims, 'tenant' | 'mode'>;

/** The measurements of one command. */
export interface Receipt {
  readonly session: string;
  readonly id: CommandId;
  /** Its span, as a `traceparent`; absent when it is not traced. */
  readonly trace?: string | undefined;
  /** Null: the socket closed, or too many commands wait. */
  answered(answer: 'ack' | 'reject' | null): void;
}

/** Measured commands of one socket: a mailbox takes no more. */
const RECEIPTS_MAX = 64;

/** `moveAck` counts acknowledged commands. `tracing` is null without traces. */
export function makeReceiptOf(
  moveAck: Timing,
  tracing: Tracing | null = null,
  tenants: Pick<TenantMetrics, 'observe'> | null = null,
): (session: string, command: PlayerCommand, claims: ReceiptOwner) => Receipt {
  return (session, { id, kind }, { tenant, mode }) => {
    const from = performance.now();
    const span = tracing === null ? null : beginMove(tracing, session, kind);
    return {
      session,
      id,
      trace: span?.trace,
      answered(answer) {
        if (answer === 'ack') {
          const ms = performance.now() - from;
          moveAck.observe(ms / 1_000);
          if (mode !== 'training') tenants?.observe(tenant, mode, 'moves', ms);
        }
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

export function follow(receipts: Receipt[], receipt: Receipt): void {
  if (receipts.length >= RECEIPTS_MAX) receipts.shift()!.answered(null);
  receipts.push(receipt);
}

export function noteAnswer(receipts: Receipt[], { s, id, told }: Answer): void {
  const at = receipts.findIndex((receipt) => receipt.session === s && receipt.id === id);
  if (at < 0) return;
  receipts.splice(at, 1)[0]!.answered(told.kind === 'done' ? 'ack' : 'reject');
}

/** The socket is gone. */
export function dropReceipts(receipts: Receipt[]): void {
  for (const receipt of receipts.splice(0)) receipt.answered(null);
}
