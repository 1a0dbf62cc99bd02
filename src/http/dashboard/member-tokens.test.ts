/** Tokens that a member gets in test mode are valid as long as the member's rights. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeAsking } from '../../testing/service/asking.ts';
import {
  type DashboardBrowser,
  makeMember,
  makeOwner,
} from '../../testing/service/dashboard-browser.ts';
import {
  type HttpService,
  openHttpService,
  PUBLIC_URL,
} from '../../testing/service/http-service.ts';

let world: HttpService;
let owner: DashboardBrowser;
beforeAll(async () => {
  world = await openHttpService();
  owner = await makeOwner(world);
}, 60_000);
afterAll(() => world.close());

/** An external bot, seated in a match. */
async function seatBot(slug: string) {
  const tenant = await world.makeTenant({ slug });
  const ask = makeAsking(world.app, await world.makeKey(tenant, 'test'));
  const { json: bot } = await ask('/v1/bots', {
    body: { game: 'connect4', name: 'P', kind: 'external' },
  });
  const { json: made } = await ask('/v1/sessions', {
    body: { game: 'connect4', matchType: 'private', players: [{ id: 'ann' }] },
  });
  const path = `/v1/sessions/${made.sessionId}`;
  expect((await ask(`${path}/bots`, { body: { botId: bot.id } })).status).toBe(201);
  const act = async (token: string) => {
    const body = { id: 'a', action: { column: 0 } };
    const { status, json } = await makeAsking(world.app, token)(`${path}/actions`, { body });
    return [status, json.error];
  };
  const tokenOf = async (browser: DashboardBrowser): Promise<string> => {
    const answer = await browser.ask(`/t/${slug}/test/v1/bots/${bot.id}/token`, { body: {} });
    expect(answer.status).toBe(201);
    return String(answer.json['token']);
  };
  /** A stream whose beginning was read, and which waits for more. */
  const listen = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = new Request(`${PUBLIC_URL}/v1/bots/${bot.id}/stream`, { headers });
    const { status, body } = await world.app.fetch(request, { address: '203.0.113.7' });
    expect(status).toBe(200);
    const reader = body!.getReader();
    await reader.read();
    return reader;
  };
  const keyed = await ask(`/v1/bots/${bot.id}/token`, { method: 'POST' });
  return { tenant, tokenOf, act, listen, keyed: keyed.json.token as string };
}

test('[B3][D6] a bot token created by a member allows the same as one created by a key', async () => {
  const { tokenOf, act, keyed } = await seatBot('bots');
  const developer = await makeMember(world, owner, 'bots', 'developer', 'dev@example.test');
  const wanted = await act(keyed);
  expect(wanted[0]).toBe(409);
  expect(await act(await tokenOf(developer))).toEqual(wanted);
  // The installation's owner is an owner in every tenant.
  expect(await act(await tokenOf(owner))).toEqual(wanted);
}, 60_000);

test('[D3] every token issued to a member depends on that member', async () => {
  await world.makeTenant({ slug: 'hands' });
  const member = await makeMember(world, owner, 'hands', 'developer', 'hand@example.test');
  const { id } = (await member.ask('/me')).json as { id: string };
  const ask = async (path: string, body: object = {}) => {
    const answer = await member.ask(`/t/hands/test/v1${path}`, { body });
    expect(answer.status).toBe(201);
    return answer.json;
  };
  const players = [{ id: 'ann' }, { id: 'ben' }];
  const made = await ask('/sessions', { game: 'connect4', players });
  const session = `/sessions/${made['sessionId']}`;
  const tokens = [
    made['sessionToken'],
    ...Object.values(made['tokens'] as object),
    (await ask(`${session}/watch`))['token'],
    (await ask('/players/ann/token'))['token'],
    (await ask(`${session}/players/ann/token`))['token'],
  ];
  const keys = tokens.map((token) => world.tokens.parse(String(token), world.clock.now())?.key);
  expect(keys).toEqual(tokens.map(() => id));
}, 60_000);

test('[B3][D3] a bot token ends with the rights of the member who created it', async () => {
  const { tenant, tokenOf, act, listen } = await seatBot('gone');
  await makeMember(world, owner, 'gone', 'owner', 'boss@example.test');
  const member = await makeMember(world, owner, 'gone', 'developer', 'ex@example.test');
  const token = await tokenOf(member);
  expect((await act(token))[0]).toBe(409);
  const stream = await listen(token);
  const { id } = (await member.ask('/me')).json as { id: string };
  const role = `/t/gone/members/${id}`;
  expect((await owner.ask(`${role}/role`, { body: { role: 'support' } })).status).toBe(200);
  expect((await act(token))[0]).toBe(401);
  await world.refreshKeys();
  expect((await stream.read()).done).toBe(true);
  expect((await owner.ask(`${role}/role`, { body: { role: 'owner' } })).status).toBe(200);
  expect((await act(token))[0]).toBe(409);
  expect((await owner.ask(`${role}/remove`, { method: 'POST' })).status).toBe(200);
  expect((await act(token))[0]).toBe(401);
  const own = await tokenOf(owner);
  const suspend = `/operator/tenants/${tenant.id}`;
  expect((await owner.ask(suspend, { body: { active: false } })).status).toBe(200);
  await world.refreshKeys();
  expect((await act(own))[0]).toBe(401);
}, 60_000);
