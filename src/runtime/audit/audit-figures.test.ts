/** The audit in metrics: three numbers that a chain can be compared with later. */

import { expect, test } from 'bun:test';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeAuditCheck, parseGauges } from './audit-check.ts';
import { makeAuditFigures } from './audit-figures.ts';

test('[D8][METRICS] numbers from the metrics are a valid anchor of the installation', async () => {
  const store = openMemoryStore();
  const clock = makeManualClock();
  const figures = makeAuditFigures(store, clock);
  expect(await figures.latest()).toEqual({
    installationRows: 0,
    tenantRows: 0,
    installationHash: null,
  });
  for (const at of [1, 2, 3]) {
    await store.addAudit({ tenant: '', actor: 'cli', act: 'act', object: 'x', at });
  }
  clock.advance(15_000);
  const { installationRows, installationHash } = (await figures.latest())!;
  expect(installationRows).toBe(3);
  const verify = makeAuditCheck({ journal: store, keys: [], isKeyed: () => false });
  const number = installationHash!;
  // As Prometheus' API and its command line print them.
  for (const text of [`3:${number}`, `3:${number.toExponential()}`]) {
    expect(await verify('', [parseGauges(text)!])).toMatchObject({ ok: true, rows: 3 });
  }
  const other = parseGauges(`3:${number + 1}`)!;
  expect(await verify('', [other])).toMatchObject({ ok: false, fault: 'anchor_differs' });
  const later = parseGauges(`4:${number}`)!;
  expect(await verify('', [later])).toMatchObject({ ok: false, fault: 'cut_off', firstWrong: 4 });
  await store.close();
});

test('[D8] anything else than such a pair of numbers is refused', () => {
  for (const text of [
    '',
    '3',
    '3:',
    ':3',
    '0:1',
    '1:-1',
    '1:1.5',
    'a:b',
    '1:2:3',
    `1:${2 ** 48}`,
  ]) {
    expect([text, parseGauges(text)]).toEqual([text, null]);
  }
  expect(parseGauges('7:1')).toEqual({ n: 7, hash: '000000000001' });
});
