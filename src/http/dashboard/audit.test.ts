/** The audit as the dashboard shows it: who did what, filtered, and verified. */

import { afterAll, expect, test } from 'bun:test';
import { makeAsking } from '../../testing/service/asking.ts';
import { makeMember, openDashboard } from '../../testing/service/dashboard-browser.ts';

const { world, tenant, owner } = await openDashboard();
const developer = await makeMember(world, owner, 'acme', 'developer');
afterAll(() => world.close());

const SESSION = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };

/** Filters of a chain whose rows are all in `rows`. */
async function expectFilters(me: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const actor = `member:${me}`;
  const list = async (query: object) =>
    (await developer.ask(`/t/acme/audit?${new URLSearchParams({ limit: '100', ...query })}`)).json[
      'data'
    ] as Record<string, unknown>[];
  const byNumber = (some: readonly Record<string, unknown>[]) =>
    some.toSorted((a, b) => Number(b['n']) - Number(a['n']));
  const isBot = ({ act }: Record<string, unknown>) => act === 'bot.created';
  const bots = await list({ act: 'bot.created' });
  expect(byNumber(bots)).toEqual(rows.filter(isBot));
  expect(await list({ act: 'bot.created', actor })).toEqual(
    bots.filter((row) => row['actor'] === actor),
  );
  expect(await list({ act: 'bot.create' })).toEqual([]);
  const { at } = rows[2]!;
  const from = String(at);
  expect(byNumber(await list({ from }))).toEqual(rows.filter((row) => String(row['at']) >= from));
  expect(byNumber(await list({ to: from }))).toEqual(
    rows.filter((row) => String(row['at']) < from),
  );
  expect(await list({ from, to: from })).toEqual([]);
  for (const wrong of [
    'from=yesterday',
    'to=2026-11-01',
    `act=${'x'.repeat(65)}`,
    'actor=a&actor=b',
  ]) {
    const refused = await developer.ask(`/t/acme/audit?${wrong}`);
    expect([refused.status, refused.json]).toEqual([
      400,
      { error: `Invalid ${wrong.split('=')[0]}` },
    ]);
  }
  const { json } = await developer.ask('/t/acme/audit/names');
  expect(json['acts']).toEqual([...new Set(rows.map(({ act }) => act))].sort());
  const named = new Map(rows.map((row) => [String(row['actor']), row['name']]));
  expect(json['actors']).toEqual([...named].sort().map(([id, name]) => ({ actor: id, name })));
}

test('[D8] every action is in the audit with its actor, and verification detects manual changes', async () => {
  const me = (await developer.ask('/me')).json as { id: string };
  const made = await developer.ask('/t/acme/test/keys', { body: { name: 'first' } });
  const path = `/t/acme/test/keys/${made.json['id']}`;
  await developer.ask(`${path}/rotate`, { body: {} });
  await developer.ask(path, { body: { name: 'second' } });
  await developer.ask(`${path}/revoke`, { method: 'POST' });
  const key = await world.makeKey(tenant, 'test');
  await makeAsking(world.app, key)('/v1/bots', {
    body: { game: 'ludo', name: 'lu', kind: 'builtin' },
  });
  await developer.ask('/t/acme/test/v1/bots', {
    body: { game: 'ludo', name: 'la', kind: 'builtin' },
  });
  const rows = (await developer.ask('/t/acme/audit?limit=100')).json['data'] as Record<
    string,
    unknown
  >[];
  const acts = rows.map(({ actor, act }) => `${String(actor).split(':')[0]} ${act}`);
  for (const act of ['key.created', 'key.rotated', 'key.updated', 'key.revoked', 'bot.created']) {
    expect(acts).toContain(`member ${act}`);
  }
  expect(acts).toContain('key bot.created');
  expect(rows.find(({ act }) => act === 'key.rotated')).toMatchObject({
    actor: `member:${me.id}`,
    name: 'developer',
  });
  expect(rows.map(({ n }) => n)).toEqual(rows.map((_, i) => rows.length - i));
  const page = await developer.ask('/t/acme/audit?limit=2');
  const rest = await developer.ask(`/t/acme/audit?limit=100&cursor=${page.json['nextCursor']}`);
  expect([...(page.json['data'] as object[]), ...(rest.json['data'] as object[])]).toEqual(rows);

  await expectFilters(me.id, rows);
  const verify = () => developer.ask('/t/acme/audit/verify', { method: 'POST' });
  const whole = await verify();
  expect(whole.json).toMatchObject({
    ok: true,
    rows: rows.length,
    firstWrong: null,
    fault: null,
    keyedFrom: 1,
    hash: rows[0]!['hash'],
    anchor: { tenant: tenant.id, n: rows.length, hash: rows[0]!['hash'] },
  });
  world.db.exec(`UPDATE audit SET actor = 'cli' WHERE tenant = '${tenant.id}' AND n = 3`);
  expect((await verify()).json).toMatchObject({ ok: false, rows: 2, firstWrong: 3 });
  world.db.exec(`DELETE FROM audit WHERE tenant = '${tenant.id}' AND n = 3`);
  expect((await verify()).json).toMatchObject({ ok: false, firstWrong: 3 });
});

test('[D8] verifying a chain returns a signed anchor, which later reveals a truncated end', async () => {
  const verify = (anchor: unknown) => developer.ask('/t/acme/audit/verify', { body: { anchor } });
  const { db } = world;
  const chain = db.prepare('SELECT * FROM audit WHERE tenant = ?').all(tenant.id);
  // An attacker who covers their tracks removes the rows and rewrites the head.
  const setHead = (): void => {
    db.exec(`DELETE FROM audit_head WHERE tenant = '${tenant.id}'`);
    db.exec(`INSERT INTO audit_head (tenant, n, hash, mac) SELECT tenant, n, hash, mac FROM audit
      WHERE tenant = '${tenant.id}' ORDER BY n DESC LIMIT 1`);
  };
  const remove = (from: number): void => {
    db.exec(`DELETE FROM audit WHERE tenant = '${tenant.id}' AND n >= ${from}`);
    setHead();
  };
  remove(1);
  const fact = (act: string) => ({ tenant: tenant.id, actor: 'cli', act, object: 'x', at: 1 });
  for (const act of ['one', 'two', 'three']) await world.store.addAudit(fact(act));
  const { anchor } = (await verify(null)).json as { anchor: Record<string, unknown> };
  expect((await verify(anchor)).json).toMatchObject({ ok: true, anchorSignature: 'valid' });
  remove(3);
  expect((await verify(null)).json).toMatchObject({ ok: true, rows: 2 });
  const cut = { ok: false, rows: 2, firstWrong: 3, fault: 'cut_off', anchor: null };
  expect((await verify(anchor)).json).toMatchObject(cut);
  await world.store.addAudit(fact('other'));
  const other = { ok: false, firstWrong: 1, fault: 'anchor_differs', anchor: null };
  expect((await verify(anchor)).json).toMatchObject(other);
  // Every row without its MAC, and all hashes computed again.
  db.exec(`UPDATE audit SET mac = NULL WHERE tenant = '${tenant.id}'`);
  expect((await verify(null)).json).toMatchObject({ ok: false, fault: 'not_keyed' });
  for (const wrong of [{ ...anchor, n: 2 }, { ...anchor, tenant: '' }, { n: 1 }, 'x']) {
    const refused = await verify(wrong);
    expect([refused.status, String(refused.json['error'])]).toEqual([
      400,
      expect.stringContaining('anchor'),
    ]);
  }
  db.exec(`DELETE FROM audit WHERE tenant = '${tenant.id}'`);
  const put = db.prepare('INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const row of chain) put.run(...(Object.values(row) as string[]));
  setHead();
});

test("[D8][R2] a member's changes to matches and players are in the audit, without player names", async () => {
  const made = await developer.ask('/t/acme/test/v1/sessions', {
    body: { ...SESSION, players: [{ id: 'nameless-one' }, { id: 'ben' }] },
  });
  const id = String(made.json['sessionId']);
  await developer.ask(`/t/acme/test/v1/sessions/${id}/watch`, { body: {} });
  await developer.ask(`/t/acme/test/v1/sessions/${id}/end`, { body: {} });
  await developer.ask('/t/acme/test/v1/players/nameless-one/export');
  await owner.ask('/t/acme/test/v1/players/nameless-one', { method: 'DELETE' });
  await owner.ask('/t/acme/test/v1/players/nameless-one', { method: 'DELETE' });
  const { data } = (await owner.ask('/t/acme/audit?limit=4')).json as {
    data: { act: string; object: string }[];
  };
  expect(data.map(({ act, object }) => [act, object])).toEqual([
    ['player.erased', 'player'],
    ['player.exported', 'player'],
    ['session.ended', id],
    ['session.watched', id],
  ]);
  expect((await world.texts()).filter((text) => text.includes('nameless-one'))).toEqual([]);
});
