/**
 * The audit's chain: any change, removal or insertion is detected, also when all hashes are
 * computed again.
 */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import {
  AuditKeyMissing,
  beginKeyed,
  CHAIN_START,
  type ChainedAudit,
  chainAudit,
  followChain,
  hashAudit,
  NOTHING_FOLLOWED,
} from './audit-chain.ts';
import { type AuditKey, deriveAuditKeys, makeMac } from './audit-key.ts';

const TENANT = 'ten_a';
const KEYS = deriveAuditKeys([new Uint8Array(32).fill(1)]);
const [OTHER] = deriveAuditKeys([new Uint8Array(32).fill(2)]);
const START = { n: 0, hash: CHAIN_START, mac: null };

/** `keyedFrom`: the row that makes it keyed; null: no row does. */
function makeChain(count: number, keyedFrom: number | null, keys: readonly AuditKey[] = KEYS) {
  const rows: ChainedAudit[] = [];
  while (rows.length < count) {
    const head = rows.at(-1) ?? START;
    const n = head.n + 1;
    const fact = { tenant: TENANT, actor: 'cli', act: `act.${n}`, object: 'x', at: n };
    rows.push(
      n === keyedFrom ? beginKeyed(head, TENANT, n, keys, 'newest')! : chainAudit(head, fact, keys),
    );
  }
  return rows;
}

/** An attack on the database: another row `i`, with all later hashes recomputed. */
function rewrite(
  rows: readonly ChainedAudit[],
  i: number,
  macOf: (row: ChainedAudit) => string | null,
) {
  let before = rows[i - 1]?.hash ?? CHAIN_START;
  return rows.map((row, at) => {
    if (at < i) return row;
    const changed = at === i ? { ...row, actor: 'key:other' } : row;
    before = hashAudit(before, row.n, changed);
    return { ...changed, hash: before, mac: macOf({ ...changed, hash: before }) };
  });
}

const follow = (rows: readonly ChainedAudit[], keys = KEYS) =>
  followChain(NOTHING_FOLLOWED, rows, keys);

test('[D8] an untouched chain is followed to its end, at once and in parts', () => {
  for (const keyedFrom of [null, 1, 4, 6]) {
    const rows = makeChain(9, keyedFrom);
    const whole = follow(rows);
    const first = follow(rows.slice(0, 4));
    const rest = first.ok ? followChain(first.link, rows.slice(4), KEYS) : first;
    expect(whole).toEqual({ ok: true, link: { n: 9, hash: rows[8]!.hash, keyedFrom } });
    expect(rest).toEqual(whole);
  }
  expect(follow([])).toEqual({ ok: true, link: NOTHING_FOLLOWED });
});

test('[D8] a row that is changed, removed, inserted or moved is found at its place', () => {
  const fields = fc.constantFrom('tenant', 'actor', 'act', 'object', 'at', 'n', 'hash', 'mac');
  const keyed = fc.constantFrom(null, 1);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8 }), fields, keyed, (i, field, keyedFrom) => {
      if (field === 'mac' && keyedFrom === null) return;
      const rows = makeChain(9, keyedFrom);
      const old = rows[i]![field as keyof ChainedAudit];
      const other = typeof old === 'number' ? old + 1 : `${old}x`;
      const changed = follow(rows.with(i, { ...rows[i]!, [field]: other }));
      expect(changed).toMatchObject({ ok: false, n: i + 1 });
      if (i < 8) expect(follow(rows.toSpliced(i, 1))).toMatchObject({ ok: false, n: i + 1 });
      expect(follow(rows.toSpliced(i, 0, rows[i]!)).ok).toBe(false);
    }),
    { seed: TEST_SEED },
  );
});

test('[D8] a chain that is rehashed without the key is detected, whatever replaces a MAC', () => {
  const macs = fc.constantFrom<(row: ChainedAudit) => string | null>(
    (row) => row.mac,
    () => null,
    () => '',
    ({ mac }) => mac!.slice(0, 17),
    ({ hash }) => makeMac(OTHER!, hash),
    ({ hash, mac }) => `${mac!.slice(0, 16)}${makeMac(OTHER!, hash).slice(16)}`,
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 8 }),
      macs,
      (from, i, macOf) => {
        const rows = makeChain(9, from);
        const forged = rewrite(rows, i, (row) => (row.n < from ? null : macOf(row)));
        // If every keyed row has lost its MAC, nothing of the chain is keyed any more.
        const followed = follow(forged);
        if (followed.ok) expect(followed.link.keyedFrom).toBeNull();
        else expect(followed.n).toBe(Math.max(i + 1, from));
        // Later rows of the service do not repair them.
        const after = [...forged, link(forged.at(-1)!)];
        expect(follow(after).ok).toBe(false);
      },
    ),
    { seed: TEST_SEED },
  );
});

/** A keyed row, as a service writes it. */
function link(head: ChainedAudit): ChainedAudit {
  const mac = makeMac(KEYS[0]!, head.hash);
  const fact = { tenant: TENANT, actor: 'cli', act: 'later', object: 'x', at: 99 };
  return chainAudit({ ...head, mac }, fact, KEYS);
}

test('[D8] rows under an older key stay valid while that key is present; without it they are only chained', () => {
  const older = makeChain(3, 1, [OTHER!]);
  const fact = { tenant: TENANT, actor: 'cli', act: 'act', object: 'x', at: 4 };
  const both = [...KEYS, OTHER!];
  const rotated = [...older, chainAudit(older.at(-1)!, fact, both)];
  expect(follow(rotated, both)).toMatchObject({ ok: true, link: { keyedFrom: 1 } });
  // The older key is gone: a row says from where on the chain is keyed again.
  expect(() => chainAudit(older.at(-1)!, fact, KEYS)).toThrow(AuditKeyMissing);
  const begun = beginKeyed(older.at(-1)!, TENANT, 4, KEYS, 'any')!;
  const rows = [...older, begun, chainAudit(begun, fact, KEYS)];
  expect(follow(rows)).toMatchObject({ ok: true, link: { keyedFrom: 4 } });
  expect(follow(rows.toSpliced(3, 1))).toMatchObject({ ok: false, n: 4 });
  // With both keys the chain stays with its key until it is told to change.
  expect(beginKeyed(rotated.at(-1)!, TENANT, 5, both, 'any')).toBeNull();
  const changed = [...rotated, beginKeyed(rotated.at(-1)!, TENANT, 5, both, 'newest')!];
  expect(follow(changed, both)).toMatchObject({ ok: true, link: { keyedFrom: 1 } });
  expect(follow(changed)).toMatchObject({ ok: true, link: { keyedFrom: 5 } });
  expect(follow(rows.toSpliced(3, 1, link(older.at(-1)!)))).toMatchObject({
    ok: false,
    n: 4,
    fault: 'keyed_unannounced',
  });
  expect(beginKeyed(rows.at(-1)!, TENANT, 5, KEYS, 'newest')).toBeNull();
  expect(beginKeyed(START, TENANT, 5, [], 'newest')).toBeNull();
});
