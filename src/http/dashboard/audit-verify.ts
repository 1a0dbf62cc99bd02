/** Whether the audit's chain is what was written (rule D8): long ones too, while all else goes on. */

import { setImmediate } from 'node:timers/promises';
import { CHAIN_START, followChain } from '../../accounts/audit-chain.ts';
import type { JournalStore } from '../../store/journal.ts';

/** Rows checked between two looks at everything else: a few milliseconds. */
const STEP = 500;

export interface Verified {
  readonly ok: boolean;
  /** Rows that are as they were written. */
  readonly rows: number;
  readonly firstWrong: number | null;
  /** The last one; kept elsewhere, it shows what was cut off later. */
  readonly hash: string | null;
}

/** By tenant; whoever asks while a chain is being followed gets the same answer. */
export function makeAuditVerifier(
  journal: Pick<JournalStore, 'readAudit'>,
): (tenant: string) => Promise<Verified> {
  const underWay = new Map<string, Promise<Verified>>();
  return (tenant) => {
    const found = underWay.get(tenant);
    if (found !== undefined) return found;
    const verifying = verify(journal, tenant).finally(() => underWay.delete(tenant));
    underWay.set(tenant, verifying);
    return verifying;
  };
}

/** Follows the chain from its beginning. */
async function verify(journal: Pick<JournalStore, 'readAudit'>, tenant: string): Promise<Verified> {
  let link = { n: 0, hash: CHAIN_START };
  for (;;) {
    const rows = await journal.readAudit(tenant, link.n, STEP);
    const followed = followChain(link, rows);
    if (!followed.ok) return { ok: false, rows: link.n, firstWrong: followed.n, hash: null };
    link = followed.link;
    if (rows.length < STEP) return { ok: true, rows: link.n, firstWrong: null, hash: link.hash };
    // Reads of the store are done at once: without this nobody else would have a turn.
    await setImmediate();
  }
}
