/** Requests whose bodies are delayed while the sender's rights end, over the real server. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { bunPlatform } from '../../platform/bun/bun-platform.ts';
import { NO_SOCKETS, type PlatformServer } from '../../platform/platform.ts';
import {
  API,
  type DashboardBrowser,
  makeBrowser,
  makeMember,
  makeOwner,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';
import { BODY_BYTES_MAX } from '../request/body.ts';

const NEW_PASSWORD = 'a fresh new one';
const STOLEN = 'the thief has it now';

let world: HttpService;
let owner: DashboardBrowser;
let server: PlatformServer;

beforeAll(async () => {
  world = await openHttpService();
  owner = await makeOwner(world);
  server = await bunPlatform.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: world.app.fetch,
    upgrade: () => ({ accept: false, response: new Response(null, { status: 404 }) }),
    sockets: NO_SOCKETS,
    limits: { frameBytesMax: 1, bodyBytesMax: BODY_BYTES_MAX, idleTimeoutS: 10 },
  });
});
afterAll(async () => {
  await server.close();
  await world.close();
});

/** Sends a head and one byte. `finish` sends the rest and returns the status. */
async function hold(path: string, headers: Readonly<Record<string, string>>, body: object) {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    'content-length': String(text.length),
    'content-type': 'application/json',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(server.port, '127.0.0.1');
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('data', (chunk) => resolve(chunk.toString()));
    socket.once('error', reject);
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: play.example.test\r\n${lines.join('')}\r\n${text[0]}`,
  );
  // Time for the server to process the head.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    async finish(): Promise<number> {
      socket.write(text.slice(1));
      const status = Number((await answer).split(' ')[1]);
      socket.destroy();
      return status;
    },
  };
}

const ofPage = (browser: DashboardBrowser) => ({
  'sec-fetch-site': 'same-origin',
  'x-matchd-dashboard': '1',
  cookie: browser.cookie(),
});

test('[D3][D6] a removed owner cannot re-invite themselves with a request held open', async () => {
  await world.makeTenant({ slug: 'firm' });
  await makeMember(world, owner, 'firm', 'owner', 'boss@example.test');
  const ex = await makeMember(world, owner, 'firm', 'owner', 'ex@example.test');
  const invitation = { email: 'ex2@example.test', role: 'owner' };
  const held = await hold(`${API}/t/firm/invitations`, ofPage(ex), invitation);
  const { id } = (await ex.ask('/me')).json as { id: string };
  const removed = await owner.ask(`/t/firm/members/${id}/remove`, { method: 'POST' });
  expect(removed.status).toBe(200);
  expect(await held.finish()).toBe(401);
}, 60_000);

test('[D1][D3] a password change with a delayed body does not undo the reset', async () => {
  await world.makeTenant({ slug: 'acme' });
  const email = 'rob@example.test';
  const thief = await makeMember(world, owner, 'acme', 'developer', email);
  const change = { current: PASSWORD, next: STOLEN };
  const held = await hold(`${API}/me/password`, ofPage(thief), change);
  const token = await world.accounts.makeResetLink(email);
  const body = { token, password: NEW_PASSWORD };
  expect((await makeBrowser(world).ask('/reset', { body })).status).toBe(200);
  const login = async (password: string) =>
    (await makeBrowser(world, '198.51.100.9').ask('/login', { body: { email, password } })).status;
  expect([await held.finish(), await login(STOLEN), await login(NEW_PASSWORD)]).toEqual([
    401, 401, 200,
  ]);
}, 60_000);

test('[K2] a revoked key has no effect any more, even in a request that began before', async () => {
  const tenant = await world.makeTenant({ slug: 'keyed' });
  const key = await world.makeKey(tenant, 'live');
  const bearer = { authorization: `Bearer ${key}` };
  const session = { game: 'connect4', players: [{ id: 'a' }, { id: 'b' }] };
  const held = await hold('/v1/sessions', bearer, session);
  const at = world.clock.now();
  const [row] = await world.store.listKeys(tenant.id);
  const audit = { tenant: tenant.id, actor: 'cli', act: 'key.revoked', object: row!.id, at };
  await world.store.updateKey(row!.id, { revokedAt: at }, audit);
  await world.refreshKeys();
  expect(await held.finish()).toBe(401);
}, 60_000);
