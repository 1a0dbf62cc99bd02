/** Verifying a long audit: other requests are served meanwhile, and parallel requests share one run. */

import { expect, test } from 'bun:test';
import { CHAIN_START, type ChainedAudit, hashAudit } from '../../accounts/audit-chain.ts';
import { makeAuditCheck } from './audit-check.ts';

const ROWS = 20_000;

function makeChain(): readonly ChainedAudit[] {
  const rows: ChainedAudit[] = [];
  let before = CHAIN_START;
  for (let n = 1; n <= ROWS; n++) {
    const fact = { tenant: 'ten_a', actor: 'key:k', act: 'bot.created', object: `bot_${n}`, at: n };
    before = hashAudit(before, n, fact);
    rows.push({ ...fact, n, hash: before, mac: null });
  }
  return rows;
}

test('[D8] verifying a long audit does not block other work, and one run serves parallel requests', async () => {
  const chain = makeChain();
  let reads = 0;
  const journal = {
    // As the store does: read at once, without interleaved work.
    async readAudit(_tenant: string, after: number, limit: number) {
      reads += 1;
      return chain.slice(after, after + limit);
    },
  };
  const verify = makeAuditCheck({ journal, keys: [], isKeyed: () => false });
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const answers = await Promise.all([verify('ten_a'), verify('ten_a'), verify('ten_a')]);
  clearImmediate(counting);
  for (const answer of answers) expect(answer).toMatchObject({ ok: true, rows: ROWS });
  const once = reads;
  expect(once).toBe(ROWS / 500 + 1);
  expect(turns).toBeGreaterThanOrEqual(once - 1);
  await verify('ten_a');
  expect(reads).toBe(2 * once);
});
