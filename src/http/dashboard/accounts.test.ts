/** The dashboard's accounts over HTTP: first run, sessions, other sites, guessing, second factor. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeTotpCode, totpStepAt } from '../../accounts/totp.ts';
import { fromBase32 } from '../../testing/devices/base32.ts';
import {
  type DashboardBrowser,
  makeBrowser,
  makeMember,
  makeOwner,
  OWNER,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';
import {
  type HttpService,
  openHttpService,
  PUBLIC_URL,
} from '../../testing/service/http-service.ts';
import { makeSessionCookie } from './request/cookie.ts';

let world: HttpService;
let owner: DashboardBrowser;
let setupToken = '';

beforeAll(async () => {
  world = await openHttpService();
  const stale = await world.accounts.makeSetupLink();
  setupToken = (await world.accounts.makeSetupLink())!;
  const late = await makeBrowser(world).ask('/setup', { body: { token: stale, ...OWNER } });
  if (late.status !== 404) throw new Error('the older link still works');
  await world.makeTenant({ slug: 'acme' });
});
afterAll(() => world.close());

test('[D1] the setup link creates one owner, works once within an hour, and no other owner can follow', async () => {
  const expired = await world.accounts.makeSetupLink();
  world.clock.skip(3_600_000);
  const browser = makeBrowser(world);
  const late = await browser.ask('/setup', { body: { token: expired, ...OWNER } });
  expect([late.status, late.json]).toEqual([404, { error: 'The link is over or was used' }]);
  setupToken = (await world.accounts.makeSetupLink())!;
  expect((await browser.ask('/links/look', { body: { token: setupToken } })).json).toMatchObject({
    kind: 'setup',
    email: null,
  });
  const weak = { token: setupToken, ...OWNER, password: 'short' };
  expect((await browser.ask('/setup', { body: weak })).status).toBe(400);
  const bodies = [OWNER, { ...OWNER, email: 'eve@example.test' }];
  const setUp = (body: object) =>
    makeBrowser(world).ask('/setup', { body: { token: setupToken, ...body } });
  // Only one request per link is processed at a time (D2). The other is told to retry, and then
  // that the link was used.
  const both = await Promise.all(bodies.map(setUp));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 503]);
  for (const body of bodies) expect((await setUp(body)).status).toBe(404);
  const email = both[0]!.status === 200 ? OWNER.email : 'eve@example.test';
  owner = makeBrowser(world);
  const body = { email, password: OWNER.password };
  expect((await owner.ask('/login', { body })).status).toBe(200);
  expect((await owner.ask('/me')).json).toMatchObject({
    email,
    isOperator: true,
    tenants: [{ slug: 'acme', role: 'owner' }],
  });
  expect(await world.accounts.makeSetupLink()).toBeNull();
});

test('[D3] the cookie has the __Host- prefix, scripts cannot read it, and other sites cannot send it', async () => {
  const { email } = (await owner.ask('/me')).json as { email: string };
  const answer = await owner.ask('/login', { body: { email, password: OWNER.password } });
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-matchd=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=604800$/,
  );
  // Browsers refuse the prefix over http, so in development the cookie's name contains the port.
  expect(makeSessionCookie('http://127.0.0.1:8080').set('abc')).toBe(
    'matchd-8080=abc; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800',
  );
});

test("[D3] signing in creates a new session and ends the browser's previous one", async () => {
  const { email } = (await owner.ask('/me')).json as { email: string };
  const before = owner.cookie();
  await owner.ask('/login', { body: { email, password: OWNER.password } });
  expect(owner.cookie()).not.toBe(before);
  const thief = makeBrowser(world);
  thief.takeCookie(before);
  expect((await thief.ask('/me')).status).toBe(401);
  // Session fixation: a session id planted before the sign-in is not the session after it.
  const planted = makeBrowser(world);
  planted.takeCookie(`__Host-matchd=${'a'.repeat(43)}`);
  await planted.ask('/login', { body: { email, password: OWNER.password } });
  expect(planted.cookie()).not.toContain('aaaa');
  expect((await planted.ask('/logout', { method: 'POST' })).status).toBe(200);
});

test('[D3] sessions are listed, and end one by one, all but the current one, or by signing out', async () => {
  const { email } = (await owner.ask('/me')).json as { email: string };
  const body = { email, password: OWNER.password };
  const others = [makeBrowser(world, '198.51.100.1'), makeBrowser(world), makeBrowser(world)];
  await owner.ask('/me/logins/end-others', { method: 'POST' });
  for (const each of others) await each.ask('/login', { body });
  const listed = (await owner.ask('/me/logins')).json['data'] as Record<string, unknown>[];
  expect(listed).toHaveLength(4);
  expect(listed.filter(({ current }) => current)).toHaveLength(1);
  const away = listed.find(({ address }) => address === '198.51.100.1')!;
  expect(away).toMatchObject({ agent: 'Test browser', current: false });
  expect((await owner.ask(`/me/logins/${away['id']}/end`, { method: 'POST' })).status).toBe(200);
  expect((await others[0]!.ask('/me')).status).toBe(401);
  expect((await owner.ask(`/me/logins/${away['id']}/end`, { method: 'POST' })).status).toBe(404);
  const rest = await owner.ask('/me/logins/end-others', { method: 'POST' });
  expect(rest.json).toEqual({ ended: 2 });
  expect((await others[1]!.ask('/me')).status).toBe(401);
  await others[2]!.ask('/login', { body });
  const cookie = others[2]!.cookie();
  await others[2]!.ask('/logout', { method: 'POST' });
  others[2]!.takeCookie(cookie);
  expect((await others[2]!.ask('/me')).status).toBe(401);
  expect((await owner.ask('/me')).status).toBe(200);
});

test('[D3] a session ends when it is idle for 12 hours, and after 7 days in any case', async () => {
  const { email } = (await owner.ask('/me')).json as { email: string };
  const browser = makeBrowser(world);
  const body = { email, password: OWNER.password };
  await browser.ask('/login', { body });
  world.clock.skip(12 * 3_600_000);
  expect((await browser.ask('/me')).status).toBe(401);
  await browser.ask('/login', { body });
  for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
    world.clock.skip(6 * 3_600_000);
    expect((await browser.ask('/me')).status).toBe(200);
  }
  world.clock.skip(6 * 3_600_000);
  expect((await browser.ask('/me')).status).toBe(401);
  expect(await world.accounts.sweep()).toBeGreaterThan(0);
  await owner.ask('/login', { body });
});

test('[D4] other sites can neither read nor change anything, with or without the cookie', async () => {
  const change = { method: 'POST', body: {} };
  const refused = async (headers: Record<string, string>, ask: object = {}) => {
    const answer = await owner.ask('/me/logins/end-others', { ...change, ...ask, headers });
    expect([headers, answer.status]).toEqual([headers, 403]);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.json).toEqual({ error: 'The request comes from another site' });
  };
  await refused({ 'sec-fetch-site': 'cross-site' });
  await refused({ 'sec-fetch-site': 'same-site' });
  await refused({ 'sec-fetch-site': 'none' });
  await refused({ 'x-matchd-dashboard': '' });
  await refused({ 'sec-fetch-site': '', origin: 'https://evil.example' });
  await refused({ 'sec-fetch-site': '', origin: 'null' });
  await refused({ 'sec-fetch-site': '' });
  const read = await owner.ask('/me', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(read.status).toBe(403);
  // Older browsers send only the origin. A typed address shows the user what they may see.
  const old = { 'sec-fetch-site': '', origin: new URL(PUBLIC_URL).origin };
  expect((await owner.ask('/me/logins/end-others', { ...change, headers: old })).status).toBe(200);
  expect((await owner.ask('/me', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
  // A preflight is answered like any other unsupported method and allows nothing.
  const preflight = await owner.ask('/me', {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
});

test('[D2] password guessing is limited by account and by address, also for unknown accounts', async () => {
  const { email } = (await owner.ask('/me')).json as { email: string };
  const statuses = async (name: string, address: string, count: number) => {
    const browser = makeBrowser(world, address);
    const body = { email: name, password: 'wrong and wrong' };
    const all: number[] = [];
    for (let i = 0; i < count; i++) all.push((await browser.ask('/login', { body })).status);
    return all;
  };
  const wanted = [401, 401, 401, 401, 401, 429, 429];
  expect(await statuses(email, '192.0.2.1', 7)).toEqual(wanted);
  expect(await statuses('nobody@example.test', '192.0.2.2', 7)).toEqual(wanted);
  // From another address the account stays locked, even with the right password.
  const elsewhere = makeBrowser(world, '192.0.2.3');
  const right = { email, password: OWNER.password };
  const shut = await elsewhere.ask('/login', { body: right });
  expect([shut.status, Number(shut.headers.get('retry-after'))]).toEqual([429, 30]);
  // Guesses by others do not end or block existing sessions.
  expect((await makeBrowser(world).ask('/login', { body: right })).status).toBe(200);
  world.clock.skip(30_000);
  expect((await elsewhere.ask('/login', { body: right })).status).toBe(200);
  // One address, many accounts.
  const many: number[] = [];
  for (let i = 0; i < 22; i++) many.push(...(await statuses(`a${i}@b.example`, '192.0.2.9', 1)));
  expect(many.filter((status) => status === 401)).toHaveLength(20);
  expect(many.slice(20)).toEqual([429, 429]);
}, 60_000);

test('[D2] no password is hashed for a request without a valid link', async () => {
  const body = { token: 'x'.repeat(43), name: 'Eve', password: 'a long enough one' };
  const browser = makeBrowser(world, '192.0.2.200');
  // Far more than the queue holds: if passwords were hashed, some would be refused as busy.
  const paths = Array.from({ length: 120 }, (_, i) =>
    ['/setup', '/invitations/accept', '/reset'].at(i % 3),
  );
  const asked = { ...body, email: 'eve@example.test' };
  const answers = await Promise.all(paths.map((path) => browser.ask(path!, { body: asked })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
});

test('[D2] a wrong password and an unknown account get the same answer after the same work', async () => {
  const { email } = (await owner.ask('/me')).json as { email: string };
  const time = async (name: string, address: string): Promise<number> => {
    const began = performance.now();
    const body = { email: name, password: 'wrong and wrong' };
    const answer = await makeBrowser(world, address).ask('/login', { body });
    expect([answer.status, answer.json]).toEqual([
      401,
      { error: 'Wrong e-mail address or password' },
    ]);
    return performance.now() - began;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let i = 0; i < 4; i++) {
    known.push(await time(email, `198.18.0.${i}`));
    unknown.push(await time(`nobody${i}@example.test`, `198.18.1.${i}`));
  }
  world.clock.skip(86_400_000 + 1);
  await owner.ask('/login', { body: { email, password: OWNER.password } });
  // Without hashing an answer takes about a millisecond: both requests must hash.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 4);
});

test('[D5] a second factor is offered after a password check, confirmed by a code, and then required', async () => {
  const member = await makeMember(world, owner, 'acme', 'developer', 'tim@example.test');
  const wrong = await member.ask('/me/totp/offer', { body: { password: 'not this one' } });
  expect(wrong.status).toBe(401);
  const offer = await member.ask('/me/totp/offer', { body: { password: PASSWORD } });
  const { sealed, secret, uri } = offer.json as Record<string, string>;
  expect(uri).toBe(`otpauth://totp/matchd%3Atim%40example.test?secret=${secret}&issuer=matchd`);
  const code = (step = 0) =>
    makeTotpCode(fromBase32(secret!), totpStepAt(world.clock.now()) + step);
  expect((await member.ask('/me/totp/confirm', { body: { sealed, code: '000000' } })).status).toBe(
    401,
  );
  const stranger = await owner.ask('/me/totp/confirm', { body: { sealed, code: code() } });
  expect(stranger.status).toBe(404);
  const cookie = member.cookie();
  const confirmed = await member.ask('/me/totp/confirm', { body: { sealed, code: code() } });
  const codes = confirmed.json['recoveryCodes'] as string[];
  expect(new Set(codes).size).toBe(10);
  expect(codes[0]).toMatch(/^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  expect(member.cookie()).not.toBe(cookie);
  expect((await member.ask('/me')).json).toMatchObject({
    hasSecondFactor: true,
    recoveryCodes: 10,
  });

  const other = makeBrowser(world, '198.51.100.7');
  const login = (more: object) =>
    other.ask('/login', { body: { email: 'tim@example.test', password: PASSWORD, ...more } });
  expect((await login({})).json).toEqual({ error: 'The code of the second factor is required' });
  // The code that confirmed the factor is used up and refused. The next code works once.
  expect((await login({ code: code() })).status).toBe(401);
  world.clock.skip(30_000);
  const both = await Promise.all([login({ code: code() }), login({ code: code() })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect((await login({ code: codes[0]!.toLowerCase().replaceAll('-', ' ') })).status).toBe(200);
  expect((await login({ code: codes[0] })).status).toBe(401);
  expect((await other.ask('/me')).json).toMatchObject({ recoveryCodes: 9 });

  world.clock.skip(60_000);
  const drop = { password: PASSWORD, code: code() };
  expect((await other.ask('/me/totp/drop', { body: { ...drop, code: '000000' } })).status).toBe(
    401,
  );
  expect((await other.ask('/me/totp/drop', { body: drop })).status).toBe(200);
  expect((await other.ask('/me')).json).toMatchObject({ hasSecondFactor: false });
}, 60_000);

test('[D5] codes are limited like passwords', async () => {
  const member = await makeMember(world, owner, 'acme', 'support', 'sue@example.test');
  const offer = await member.ask('/me/totp/offer', { body: { password: PASSWORD } });
  const { sealed, secret } = offer.json as Record<string, string>;
  const code = makeTotpCode(fromBase32(secret!), totpStepAt(world.clock.now()));
  await member.ask('/me/totp/confirm', { body: { sealed, code } });
  const thief = makeBrowser(world, '192.0.2.77');
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) {
    const body = { email: 'sue@example.test', password: PASSWORD, code: `00000${i}` };
    statuses.push((await thief.ask('/login', { body })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
}, 60_000);

test('[D3] a new password, a changed role or a removed role ends earlier sessions', async () => {
  const member = await makeMember(world, owner, 'acme', 'developer', 'max@example.test');
  const elsewhere = makeBrowser(world);
  const body = { email: 'max@example.test', password: PASSWORD };
  await elsewhere.ask('/login', { body });
  const before = member.cookie();
  const next = 'a wholly different one';
  const changed = await member.ask('/me/password', { body: { current: PASSWORD, next } });
  expect(changed.status).toBe(200);
  expect((await elsewhere.ask('/me')).status).toBe(401);
  elsewhere.takeCookie(before);
  expect((await elsewhere.ask('/me')).status).toBe(401);
  expect((await member.ask('/me')).status).toBe(200);
  expect((await member.ask('/login', { body })).status).toBe(401);

  const team = (await owner.ask('/t/acme/team')).json['members'] as Record<string, string>[];
  const { id } = team.find(({ email }) => email === 'max@example.test')!;
  const made = await owner.ask(`/t/acme/members/${id}/role`, { body: { role: 'support' } });
  expect(made.status).toBe(200);
  expect((await member.ask('/me')).status).toBe(401);
  await member.ask('/login', { body: { ...body, password: next } });
  expect((await member.ask('/me')).json).toMatchObject({ tenants: [{ role: 'support' }] });
  await owner.ask(`/t/acme/members/${id}/remove`, { method: 'POST' });
  expect((await member.ask('/me')).status).toBe(401);
  await member.ask('/login', { body: { ...body, password: next } });
  expect((await member.ask('/me')).json).toMatchObject({ tenants: [] });
  expect((await member.ask('/t/acme/test/overview')).status).toBe(404);
}, 60_000);

test('[D1] an invitation works once, for its address, and can be withdrawn', async () => {
  await world.makeTenant({ slug: 'other' });
  const invite = async (slug: string, email: string) => {
    const made = await owner.ask(`/t/${slug}/invitations`, { body: { email, role: 'owner' } });
    return { token: String(made.json['url']).split('#')[1]!, id: String(made.json['id']) };
  };
  const withdrawn = await invite('other', 'ivy@example.test');
  const path = `/t/other/invitations/${withdrawn.id}/withdraw`;
  expect((await owner.ask(path, { method: 'POST' })).status).toBe(200);
  const { token } = withdrawn;
  const gone = await makeBrowser(world).ask('/links/look', { body: { token } });
  expect(gone.status).toBe(404);
  const ivy = await makeMember(world, owner, 'other', 'owner', 'ivy@example.test');
  // The invited account joins signed in. Another account and a new one are refused.
  const second = await invite('acme', 'ivy@example.test');
  const looked = await ivy.ask('/links/look', { body: { token: second.token } });
  expect(looked.json).toMatchObject({ kind: 'invitation', hasAccount: true, role: 'owner' });
  const body = { token: second.token };
  expect((await owner.ask('/me/join', { body })).status).toBe(409);
  const anew = { ...body, name: 'Eve', password: PASSWORD };
  expect((await makeBrowser(world).ask('/invitations/accept', { body: anew })).status).toBe(409);
  expect((await ivy.ask('/me/join', { body })).status).toBe(200);
  expect((await ivy.ask('/me/join', { body })).status).toBe(404);
  expect((await ivy.ask('/me')).json).toMatchObject({ isOperator: false });
  // The last owner of a tenant cannot be removed.
  const team = (await ivy.ask('/t/other/team')).json['members'] as Record<string, string>[];
  const alone = await ivy.ask(`/t/other/members/${team[0]!['id']}/remove`, { method: 'POST' });
  expect([alone.status, alone.json]).toEqual([409, { error: 'A tenant keeps at least one owner' }]);
}, 60_000);

test('[D1] a reset link from the command line sets a new password and ends open sessions', async () => {
  const member = await makeMember(world, owner, 'acme', 'developer', 'rita@example.test');
  expect(await world.accounts.makeResetLink('nobody@example.test')).toBeNull();
  const token = await world.accounts.makeResetLink('rita@example.test');
  const browser = makeBrowser(world);
  const body = { token, password: 'remembered from now on' };
  expect((await browser.ask('/reset', { body: { ...body, password: 'weak' } })).status).toBe(400);
  expect((await browser.ask('/reset', { body })).status).toBe(200);
  expect((await browser.ask('/reset', { body })).status).toBe(404);
  expect((await member.ask('/me')).status).toBe(401);
  const login = { email: 'rita@example.test', password: body.password };
  expect((await browser.ask('/login', { body: login })).status).toBe(200);
}, 60_000);

test('[D1][D3] a reset or an invitation ends the session that the browser had, whoever owns it', async () => {
  const isOpen = async (cookie: string): Promise<boolean> => {
    const old = makeBrowser(world);
    old.takeCookie(cookie);
    return (await old.ask('/me')).status === 200;
  };
  await makeMember(world, owner, 'acme', 'developer', 'rob@example.test');
  const browser = await makeMember(world, owner, 'acme', 'developer', 'roy@example.test');
  const cookies = [browser.cookie()];
  const token = await world.accounts.makeResetLink('rob@example.test');
  // A failed attempt ends no session.
  const weak = await browser.ask('/reset', { body: { token, password: 'weak' } });
  expect([weak.status, await isOpen(cookies[0]!)]).toEqual([400, true]);
  const password = 'remembered from now on';
  expect((await browser.ask('/reset', { body: { token, password } })).status).toBe(200);
  cookies.push(browser.cookie());
  const body = { email: 'rena@example.test', role: 'support' };
  const invited = await owner.ask('/t/acme/invitations', { body });
  const invitation = String(invited.json['url']).split('#')[1];
  const accepted = { token: invitation, name: 'Rena', password };
  expect((await browser.ask('/invitations/accept', { body: accepted })).status).toBe(200);
  cookies.push(browser.cookie());
  expect((await browser.ask('/me')).json).toMatchObject({ email: 'rena@example.test' });
  expect(await Promise.all(cookies.map(isOpen))).toEqual([false, false, true]);
}, 60_000);

test('[D10] no secret of an account is in the database or the log in plain text', async () => {
  const lonely = await openHttpService();
  try {
    const first = await makeOwner(lonely);
    const offer = await first.ask('/me/totp/offer', { body: { password: OWNER.password } });
    const { sealed, secret } = offer.json as Record<string, string>;
    const code = makeTotpCode(fromBase32(secret!), totpStepAt(lonely.clock.now()));
    const confirmed = await first.ask('/me/totp/confirm', { body: { sealed, code } });
    await lonely.makeTenant({ slug: 'acme' });
    const invited = await first.ask('/t/acme/invitations', {
      body: { email: 'a@example.test', role: 'support' },
    });
    const made = await first.ask('/t/acme/test/keys', { body: { name: 'backend' } });
    const secrets = [
      OWNER.password,
      secret!,
      Buffer.from(fromBase32(secret!)).toString('base64url'),
      first.cookie().split('=')[1]!,
      ...(confirmed.json['recoveryCodes'] as string[]),
      String(invited.json['url']).split('#')[1]!,
      String(made.json['key']),
    ];
    const texts = [...(await lonely.texts()), JSON.stringify(lonely.lines)].join('\n');
    expect(secrets.filter((each) => texts.includes(each))).toEqual([]);
    // Control: the search finds text that is present.
    expect(texts).toContain(OWNER.email);
  } finally {
    await lonely.close();
  }
}, 60_000);
