/** Alerts on unusual use of keys as the dashboard shows them (rule K6). */

import { afterAll, expect, test } from 'bun:test';
import { makeAsking } from '../../testing/service/asking.ts';
import { makeMember, openDashboard } from '../../testing/service/dashboard-browser.ts';

const { world, owner } = await openDashboard();
const developer = await makeMember(world, owner, 'acme', 'developer');
const support = await makeMember(world, owner, 'acme', 'support');
afterAll(() => world.close());

test('[K6] an alert is shown to its world until a member acknowledges it', async () => {
  const path = '/t/acme/test/keys';
  const made = await developer.ask(path, { body: { name: 'watched' } });
  const { id, key } = made.json as Record<string, string>;
  const ask = makeAsking(world.app, key!);
  for (let i = 0; i < 100; i++) await ask('/v1/sessions/ses_none');
  await world.keyWatch.look();
  const list = async (mode = 'test') =>
    (await developer.ask(`/t/acme/${mode}/key-alerts`)).json['data'] as Record<string, unknown>[];
  const open = await list();
  expect(open).toEqual([
    {
      id: expect.any(String),
      at: expect.any(String),
      keyId: id,
      keyName: 'watched',
      kind: 'refusals',
      details: { refused: 100, requests: 100 },
    },
  ]);
  expect(await list('live')).toEqual([]);
  const alert = String(open[0]!['id']);
  const acknowledge = (mode: string, id = alert, browser = developer) =>
    browser.ask(`/t/acme/${mode}/key-alerts/${id}/acknowledge`, { method: 'POST' });
  expect((await acknowledge('live')).status).toBe(404);
  expect((await acknowledge('test', 'evt_none')).status).toBe(404);
  expect((await support.ask('/t/acme/test/key-alerts')).json['data']).toEqual(open);
  expect((await acknowledge('test', alert, support)).status).toBe(403);
  expect((await acknowledge('test')).status).toBe(200);
  expect((await acknowledge('test')).status).toBe(404);
  expect(await list()).toEqual([]);
  const acts = (await world.audit()).map(({ act, object }) => [act, object]);
  expect(acts).toContainEqual(['key.alert_acknowledged', alert]);
});
