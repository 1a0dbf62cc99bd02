/** The audit's chain: whatever is changed, taken out or put in is noticed. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import { CHAIN_START, type ChainedAudit, followChain, hashAudit } from './audit-chain.ts';

const START = { n: 0, hash: CHAIN_START };

function makeChain(count: number): ChainedAudit[] {
  const rows: ChainedAudit[] = [];
  for (let n = 1; n <= count; n++) {
    const fact = { tenant: 'ten_a', actor: 'cli', act: `act.${n}`, object: 'x', at: n };
    rows.push({ ...fact, n, hash: hashAudit(rows.at(-1)?.hash ?? CHAIN_START, n, fact) });
  }
  return rows;
}

test('[D8] an untouched chain is followed to its end, at once and in pieces', () => {
  const rows = makeChain(9);
  const whole = followChain(START, rows);
  const first = followChain(START, rows.slice(0, 4));
  const rest = first.ok ? followChain(first.link, rows.slice(4)) : first;
  expect(whole).toEqual({ ok: true, link: { n: 9, hash: rows[8]!.hash } });
  expect(rest).toEqual(whole);
  expect(followChain(START, [])).toEqual({ ok: true, link: START });
});

test('[D8] a row that is changed, taken out, put in or moved is found where it happened', () => {
  const fields = fc.constantFrom('tenant', 'actor', 'act', 'object', 'at', 'n', 'hash' as const);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8 }), fields, (i, field) => {
      const rows = makeChain(9);
      const old = rows[i]![field as keyof ChainedAudit];
      const other = typeof old === 'number' ? old + 1 : `${old}x`;
      expect(followChain(START, rows.with(i, { ...rows[i]!, [field]: other }))).toEqual({
        ok: false,
        n: i + 1,
      });
      if (i < 8) expect(followChain(START, rows.toSpliced(i, 1))).toEqual({ ok: false, n: i + 1 });
      expect(followChain(START, rows.toSpliced(i, 0, rows[i]!)).ok).toBe(false);
    }),
    { seed: TEST_SEED },
  );
});
