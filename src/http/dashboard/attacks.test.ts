/** Attacks on the dashboard's accounts by strangers, guests and former members. */

import { afterAll, expect, test } from 'bun:test';
import { makeTotpCode, totpStepAt } from '../../accounts/totp.ts';
import { fromBase32 } from '../../testing/devices/base32.ts';
import {
  type DashboardBrowser,
  makeBrowser,
  makeMember,
  OWNER,
  openDashboard,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';

const WRONG = 'wrong and wrong';

const { world, owner } = await openDashboard();
afterAll(() => world.close());

const login = async (address: string, email: string, password: string): Promise<number> =>
  (await makeBrowser(world, address).ask('/login', { body: { email, password } })).status;

test('[D2] a blocked address locks no account and uses no memory', async () => {
  for (let i = 0; i < 20; i++) await login('192.0.2.1', `a${i}@b.example`, WRONG);
  for (let i = 0; i < 10; i++) {
    expect(await login('192.0.2.1', OWNER.email, WRONG)).toBe(429);
  }
  expect(await login('198.51.100.1', OWNER.email, OWNER.password)).toBe(200);
}, 60_000);

test('[D2] attempts on a locked account do not block the address they come from', async () => {
  for (let i = 0; i < 5; i++) await login('192.0.2.2', 'tom@example.test', WRONG);
  for (let i = 0; i < 25; i++) {
    expect(await login('198.51.100.2', 'tom@example.test', WRONG)).toBe(429);
  }
  expect(await login('198.51.100.2', OWNER.email, OWNER.password)).toBe(200);
}, 60_000);

test("[D2] strangers who share a member's address do not lock out the signed-in member", async () => {
  const office = '2001:db8:1:1::1';
  expect(await login(office, OWNER.email, OWNER.password)).toBe(200);
  for (let i = 0; i < 21; i++) await login(office, `c${i}@b.example`, WRONG);
  for (let i = 0; i < 6; i++) await login(`192.0.2.${20 + i}`, OWNER.email, WRONG);
  expect(await login(office, OWNER.email, OWNER.password)).toBe(200);
  // The attacker changes the second half of its IPv6 address each day.
  expect(await login('2001:db8:1:1:abc::2', OWNER.email, OWNER.password)).toBe(200);
  expect(await login('2001:db8:1:2::1', OWNER.email, OWNER.password)).toBe(429);
  // Guessing is still limited.
  const guesses: number[] = [];
  for (let i = 0; i < 6; i++) guesses.push(await login(office, OWNER.email, WRONG));
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
}, 60_000);

test('[D3] a sign-in with the old password during a password change gets no session', async () => {
  const email = 'rob@example.test';
  await makeMember(world, owner, 'acme', 'developer', email);
  const token = await world.accounts.makeResetLink(email);
  const rescue = makeBrowser(world).ask('/reset', { body: { token, password: 'a fresh new one' } });
  // The account is read with the old password and checked after the change: the reset is first in
  // the queue.
  await new Promise(setImmediate);
  const thief = makeBrowser(world, '192.0.2.50');
  const entered = await thief.ask('/login', { body: { email, password: PASSWORD } });
  expect((await rescue).status).toBe(200);
  expect([entered.status, (await thief.ask('/me')).status]).toEqual([401, 401]);
}, 60_000);

test('[D1][D3] a password change in progress does not undo a reset that completes meanwhile', async () => {
  const email = 'ron@example.test';
  const thief = await makeMember(world, owner, 'acme', 'developer', email);
  const token = await world.accounts.makeResetLink(email);
  const rescue = makeBrowser(world).ask('/reset', { body: { token, password: 'a fresh new one' } });
  const next = 'the thief has it now';
  const change = thief.ask('/me/password', { body: { current: PASSWORD, next } });
  expect((await rescue).status).toBe(200);
  expect((await change).status).toBe(401);
  expect(await login('198.51.100.9', email, next)).toBe(401);
  expect(await login('198.51.100.9', email, 'a fresh new one')).toBe(200);
}, 60_000);

test('[D1][D5] a second factor confirmed by a request from before a reset is not added after the reset', async () => {
  const email = 'tess@example.test';
  const thief = await makeMember(world, owner, 'acme', 'developer', email);
  const visitor = { address: '203.0.113.20', agent: 'x', device: null };
  const offer = await thief.ask('/me/totp/offer', { body: { password: PASSWORD } });
  const { sealed, secret } = offer.json as { sealed: string; secret: string };
  const code = makeTotpCode(fromBase32(secret), totpStepAt(world.clock.now()));
  // The request is authorized before the reset commits, and continues afterwards.
  const before = (await world.accounts.find(thief.cookie().split('=')[1]!))!;
  const token = (await world.accounts.makeResetLink(email))!;
  const reset = await thief.ask('/reset', { body: { token, password: 'a fresh new one' } });
  expect(reset.status).toBe(200);
  const late = await world.accounts.confirmTotp(before, sealed, code, visitor);
  expect(late).toEqual({ refusal: 'wrong_login' });
  expect(await login('198.51.100.9', email, 'a fresh new one')).toBe(200);
  expect((await world.accounts.find(thief.cookie().split('=')[1]!))?.account.totpSecret).toBeNull();
}, 60_000);

test('[D1] a removed member cannot return with an older invitation', async () => {
  const email = 'rex@example.test';
  const body = { email, role: 'owner' };
  const spare = await owner.ask('/t/acme/invitations', { body });
  const rex = await makeMember(world, owner, 'acme', 'developer', email);
  const team = (await owner.ask('/t/acme/team')).json['members'] as Record<string, string>[];
  const { id } = team.find((each) => each['email'] === email)!;
  const removed = await owner.ask(`/t/acme/members/${id}/remove`, { method: 'POST' });
  expect(removed.status).toBe(200);
  await rex.ask('/login', { body: { email, password: PASSWORD } });
  const token = String(spare.json['url']).split('#')[1]!;
  expect((await rex.ask('/me/join', { body: { token } })).status).toBe(404);
  expect((await rex.ask('/me')).json).toMatchObject({ tenants: [] });
}, 60_000);

test("[D1][D3] accepting an invitation with a new role ends the member's earlier sessions there", async () => {
  const email = 'dan@example.test';
  const dan = await makeMember(world, owner, 'acme', 'developer', email);
  const other = makeBrowser(world);
  await other.ask('/login', { body: { email, password: PASSWORD } });
  const invite = async (role: string): Promise<string> => {
    const made = await owner.ask('/t/acme/invitations', { body: { email, role } });
    return String(made.json['url']).split('#')[1]!;
  };
  const [asOwner, asSupport] = [await invite('owner'), await invite('support')];
  const before = dan.cookie();
  expect((await dan.ask('/me/join', { body: { token: asSupport } })).status).toBe(200);
  // The browser that accepted the invitation continues with a session of its own.
  expect(dan.cookie()).not.toBe(before);
  expect((await dan.ask('/me')).json).toMatchObject({ tenants: [{ role: 'support' }] });
  expect((await other.ask('/me')).status).toBe(401);
  const thief = makeBrowser(world);
  thief.takeCookie(before);
  expect((await thief.ask('/me')).status).toBe(401);
  expect((await dan.ask('/me/join', { body: { token: asOwner } })).status).toBe(404);
}, 60_000);

test('[D1] an invitation cannot change the role of the last owner', async () => {
  await world.makeTenant({ slug: 'lonely' });
  const email = 'ann@example.test';
  const ann = await makeMember(world, owner, 'lonely', 'owner', email);
  const invited = await ann.ask('/t/lonely/invitations', { body: { email, role: 'support' } });
  const token = String(invited.json['url']).split('#')[1]!;
  const joined = await ann.ask('/me/join', { body: { token } });
  expect([joined.status, joined.json]).toEqual([
    409,
    { error: 'A tenant keeps at least one owner' },
  ]);
  expect((await ann.ask('/me')).json).toMatchObject({ tenants: [{ role: 'owner' }] });
}, 60_000);

test('[D1] a used reset link invalidates all other reset links of its account', async () => {
  const email = 'una@example.test';
  await makeMember(world, owner, 'acme', 'support', email);
  const [older, newer] = [
    await world.accounts.makeResetLink(email),
    await world.accounts.makeResetLink(email),
  ];
  const reset = async (token: string | null) =>
    (await makeBrowser(world).ask('/reset', { body: { token, password: 'a fresh new one' } }))
      .status;
  expect(await reset(newer)).toBe(200);
  expect(await reset(older)).toBe(404);
}, 60_000);

test('[D3] an account has at most 100 open sessions: one more ends the oldest', async () => {
  const email = 'zoe@example.test';
  const zoe = await makeMember(world, owner, 'acme', 'support', email);
  const { id, ...proven } = (await world.store.findAccountByEmail(email))!;
  const [first] = await world.store.listLogins(id);
  for (let i = 0; i < 100; i++) {
    const session = { ...first!, id: `lgn_z${String(i).padStart(3, '0')}` };
    const login = { session, tokenHash: `hash ${i}`, proven, signed: null };
    expect(await world.store.beginLogin(login, null, [])).toBe(true);
  }
  expect(await world.store.listLogins(id)).toHaveLength(100);
  expect((await zoe.ask('/me')).status).toBe(401);
});

test("[D1][K2] a tenant's pending invitations and its keys are limited in number", async () => {
  const many = await world.makeTenant({ slug: 'many' });
  const tenant = many.id;
  const audit = { tenant, actor: 'test', act: 'test', object: 'x', at: world.clock.now() };
  const link = {
    ...({ kind: 'invitation', tenant, role: 'support', createdAt: world.clock.now() } as const),
    expiresAt: world.clock.now() + 1_000,
  };
  for (let i = 0; i < 100; i++) {
    const each = { ...link, id: `lnk_${i}`, email: `e${i}@b.example` };
    await world.store.putLink(each, `hash of ${i}`, audit);
  }
  const body = { email: 'one.more@b.example', role: 'support' };
  const refused = await owner.ask('/t/many/invitations', { body });
  expect([refused.status, refused.json]).toEqual([
    409,
    { error: 'Too many invitations wait: withdraw some' },
  ]);
  for (let i = 0; i < 200; i++) await world.makeKey(many, i % 2 ? 'live' : 'test');
  const key = await owner.ask('/t/many/test/keys', { body: { name: 'one more' } });
  expect([key.status, key.json]).toEqual([409, { error: 'Too many keys: revoke some' }]);
}, 60_000);

test('[D1] concurrent requests for invitations and keys cannot exceed the limits', async () => {
  await world.makeTenant({ slug: 'rush' });
  await Promise.all(
    Array.from({ length: 130 }, (_, i) =>
      owner.ask('/t/rush/invitations', { body: { email: `x${i}@b.example`, role: 'support' } }),
    ),
  );
  expect((await owner.ask('/t/rush/team')).json['invitations']).toHaveLength(100);
  const rich = await world.makeTenant({ slug: 'rich' });
  for (let i = 0; i < 190; i++) await world.makeKey(rich, i % 2 ? 'live' : 'test');
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      owner.ask('/t/rich/test/keys', { body: { name: `k${i}` } }),
    ),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(made.filter(({ status }) => status === 409)).toHaveLength(10);
  expect(await world.store.listKeys(rich.id)).toHaveLength(200);
}, 60_000);

test('[D8] the installation has an audit chain of its own, which only its owner can verify', async () => {
  const ask = (browser: DashboardBrowser) =>
    browser.ask('/operator/audit/verify', { method: 'POST' });
  const before = (await ask(owner)).json;
  expect(before).toMatchObject({ ok: true, firstWrong: null });
  expect(Number(before['rows'])).toBeGreaterThan(0);
  const member = await makeMember(world, owner, 'acme', 'owner', 'vic@example.test');
  expect((await ask(member)).status).toBe(403);
}, 60_000);

test('[D8][D9][R2] a player id that looks like a session id is in neither audit nor request log', async () => {
  const sly = await world.makeTenant({ slug: 'sly' });
  const key = await world.makeKey(sly, 'live');
  const player = 'ses_00000000000000000000000000';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const url = `https://play.example.test/v1/players/${player}/token`;
  const body = JSON.stringify({ displayName: 'Sly' });
  const made = await world.app.fetch(new Request(url, { method: 'POST', headers, body }), {
    address: '192.0.2.90',
  });
  expect(made.status).toBe(201);
  expect((await owner.ask(`/t/sly/live/v1/players/${player}/export`)).status).toBe(200);
  const audit = (await owner.ask('/t/sly/audit')).json['data'] as Record<string, unknown>[];
  expect(audit.find(({ act }) => act === 'player.exported')).toMatchObject({ object: 'player' });
  await world.requests.flush();
  const asked = (await owner.ask('/t/sly/live/requests')).json['data'] as object[];
  expect(asked).toMatchObject([{ route: 'makeLobbyToken', sessionId: null }]);
});

test('[D8][D9] a session id is in audit and request log, however its path is encoded', async () => {
  const odd = await world.makeTenant({ slug: 'odd' });
  const players = [{ id: 'ann' }, { id: 'ben' }];
  const made = await owner.ask('/t/odd/test/v1/sessions', {
    body: { game: 'connect4', players },
  });
  const id = String(made.json['sessionId']);
  const path = `/v1/sessions/%73${id.slice(1)}`;
  const watched = await owner.ask(`/t/odd/test${path}/watch`, { body: {} });
  expect(watched.status).toBe(201);
  const audit = (await owner.ask('/t/odd/audit')).json['data'] as Record<string, unknown>[];
  expect(audit[0]).toMatchObject({ act: 'session.watched', object: id });
  const headers = { authorization: `Bearer ${await world.makeKey(odd, 'test')}` };
  const request = new Request(`https://play.example.test${path}`, { headers });
  expect((await world.app.fetch(request, { address: '192.0.2.90' })).status).toBe(200);
  await world.requests.flush();
  const asked = (await owner.ask('/t/odd/test/requests')).json['data'] as object[];
  expect(asked).toMatchObject([{ route: 'getSession', sessionId: id }]);
});

test("[D6] another tenant's objects do not exist under one’s own tenant, even by their real ids", async () => {
  await world.makeTenant({ slug: 'mine' });
  await world.makeTenant({ slug: 'theirs' });
  const eve = await makeMember(world, owner, 'mine', 'owner', 'eve@example.test');
  const bob = await makeMember(world, owner, 'theirs', 'owner', 'bob@example.test');
  const made = async (path: string, body: object): Promise<string> => {
    const { status, json } = await bob.ask(`/t/theirs/${path}`, { body });
    expect([path, status]).toEqual([path, 201]);
    return String(json['id'] ?? json['sessionId']);
  };
  const key = await made('test/keys', { name: 'backend' });
  const invitation = await made('invitations', { email: 'carl@b.example', role: 'support' });
  const players = [{ id: 'ann' }];
  const session = await made('test/v1/sessions', { game: 'tictactoe', players });
  const bot = await made('test/v1/bots', { game: 'ludo', name: 'robot', kind: 'external' });
  const hook = await made('test/v1/webhooks', { url: 'https://hooks.example.com/x' });
  const member = String((await bob.ask('/me')).json['id']);
  const [{ id: entered }] = (await bob.ask('/me/logins')).json['data'] as [{ id: string }];
  const paths: readonly (readonly [string, string, object?])[] = [
    ['POST', `test/keys/${key}`, { name: 'x' }],
    ['POST', `test/keys/${key}/rotate`, {}],
    ['POST', `test/keys/${key}/revoke`],
    ['POST', `invitations/${invitation}/withdraw`],
    ['POST', `members/${member}/role`, { role: 'support' }],
    ['POST', `members/${member}/remove`],
    ['GET', `test/sessions/${session}/timeline`],
    ['GET', `test/v1/sessions/${session}`],
    ['GET', `test/v1/sessions/${session}/replay`],
    ['POST', `test/v1/sessions/${session}/end`],
    ['POST', `test/v1/sessions/${session}/watch`],
    ['POST', `test/v1/sessions/${session}/players/ann/token`],
    ['GET', 'test/v1/players/ann/export'],
    ['PATCH', `test/v1/bots/${bot}`, { name: 'x' }],
    ['POST', `test/v1/bots/${bot}/token`],
    ['DELETE', `test/v1/webhooks/${hook}`],
    ['POST', `test/v1/webhooks/${hook}/rotate`],
    ['POST', `test/v1/webhooks/${hook}/deliveries/evt_${'0'.repeat(26)}/resend`],
  ];
  for (const [method, path, body] of paths) {
    const { status } = await eve.ask(`/t/mine/${path}`, { method, ...(body && { body }) });
    expect([method, path, status]).toEqual([method, path, 404]);
    expect((await eve.ask(`/t/theirs/${path}`, { method, ...(body && { body }) })).status).toBe(
      404,
    );
  }
  expect((await eve.ask(`/me/logins/${entered}/end`, { method: 'POST' })).status).toBe(404);
  expect((await bob.ask('/me')).status).toBe(200);
}, 60_000);

test('[D1][D2] a member locked out by guesses signs in with a reset link', async () => {
  const email = 'lea@example.test';
  const lea = await makeMember(world, owner, 'acme', 'owner', email);
  await lea.ask('/me'); // The member's browser has its device mark.
  for (let i = 0; i < 9; i++) {
    await login(`198.18.9.${i}`, email, WRONG);
    world.clock.skip(i < 5 || i === 8 ? 0 : 15 * 60_000);
  }
  const token = await world.accounts.makeResetLink(email);
  const password = 'a fresh new one';
  expect((await lea.ask('/reset', { body: { token, password } })).status).toBe(200);
  expect((await lea.ask('/me')).status).toBe(200);
  expect((await lea.ask('/login', { body: { email, password } })).status).toBe(200);
  expect(await login('198.18.9.99', email, password)).toBe(429);
}, 60_000);

test('[D2] guesses that lock an account for strangers do not lock out its known browsers', async () => {
  const email = 'kim@example.test';
  await makeMember(world, owner, 'acme', 'developer', email);
  const own = makeBrowser(world, '192.0.2.60');
  const enter = async (browser: DashboardBrowser, password: string): Promise<number> =>
    (await browser.ask('/login', { body: { email, password } })).status;
  expect(await enter(own, PASSWORD)).toBe(200);
  await own.ask('/me');
  await own.ask('/logout', { method: 'POST' });
  world.clock.skip(13 * 3_600_000);
  // An attacker tries whenever a retry is allowed.
  for (let i = 0; i < 12; i++) {
    await login(`198.18.7.${i}`, email, WRONG);
    world.clock.skip(i < 5 ? 0 : 15 * 60_000);
  }
  await login('198.18.7.99', email, WRONG);
  expect(await enter(makeBrowser(world, '192.0.2.60'), PASSWORD)).toBe(429);
  expect(await enter(own, PASSWORD)).toBe(200);
  // A stolen device mark allows no extra guesses, for this account or another.
  const guesses: number[] = [];
  for (let i = 0; i < 6; i++) guesses.push(await enter(own, WRONG));
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
  for (let i = 0; i < 6; i++) await login(`198.18.8.${i}`, OWNER.email, WRONG);
  const other = { body: { email: OWNER.email, password: WRONG } };
  expect((await own.ask('/login', other)).status).toBe(429);
}, 60_000);
