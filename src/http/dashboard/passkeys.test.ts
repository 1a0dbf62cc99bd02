/** Passkeys: added, signed in with alone or after the password, removed. */

import { afterAll, expect, test } from 'bun:test';
import { makeTotpCode, totpStepAt } from '../../accounts/totp.ts';
import { fromBase32 } from '../../testing/devices/base32.ts';
import { createCredential } from '../../testing/devices/software-authenticator.ts';
import {
  type DashboardBrowser,
  makeMember,
  openDashboard,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';
import { PUBLIC_URL } from '../../testing/service/http-service.ts';
import { add, loginBy, offerFor, signIn, stranger } from './passkeys.test-kit.ts';

const { world, owner } = await openDashboard();
afterAll(() => world.close());

const emailOf = (name: string) => `${name}@example.test`;
const member = (name: string) => makeMember(world, owner, 'acme', 'developer', emailOf(name));
const actsOf = async (object: string) =>
  (await world.audit()).filter((row) => row.object === object).map(({ act }) => act);

async function listed(browser: DashboardBrowser): Promise<Record<string, unknown>[]> {
  return (await browser.ask('/me/passkeys')).json['data'] as Record<string, unknown>[];
}

for (const kind of ['ES256', 'Ed25519'] as const) {
  test(`[D5a] a passkey of ${kind} is added, listed, and signs in alone as both factors`, async () => {
    const name = `alone-${kind.toLowerCase()}`;
    const ann = await member(name);
    expect((await ann.ask('/me')).json).toMatchObject({ hasSecondFactor: false });
    const { answer, credential } = await add(ann, { kind, name: 'Laptop' });
    expect(answer.status).toBe(200);
    // The account's first second factor comes with recovery codes.
    expect(answer.json['recoveryCodes']).toHaveLength(10);
    const me = { hasSecondFactor: true, hasTotp: false, recoveryCodes: 10 };
    expect((await ann.ask('/me')).json).toMatchObject(me);
    const [key] = await listed(ann);
    expect(key).toMatchObject({ name: 'Laptop', lastUsedAt: null });
    expect(Object.keys(key!).sort()).toEqual(['createdAt', 'id', 'lastUsedAt', 'name']);
    const browser = stranger(world);
    const entered = await loginBy(browser, credential);
    expect([entered.status, entered.json]).toEqual([200, { done: true }]);
    expect((await browser.ask('/me')).json).toMatchObject({ email: emailOf(name) });
    expect((await listed(browser))[0]!['lastUsedAt']).not.toBeNull();
    const logins = (await browser.ask('/me/logins')).json['data'] as Record<string, unknown>[];
    expect(logins.map(({ passkey }) => passkey).sort()).toEqual(['Laptop', null]);
    const acts = await actsOf(key!['id'] as string);
    expect(acts).toEqual(['passkey.added', 'login.begun_with_passkey']);
  });
}

test('[D5a] after the password a passkey or a recovery code is required, and nothing less is accepted', async () => {
  const bob = await member('bob');
  const { answer, credential } = await add(bob);
  const [code] = answer.json['recoveryCodes'] as string[];
  const right = { email: emailOf('bob'), password: PASSWORD };
  const browser = stranger(world);
  const asked = await browser.ask('/login', { body: right });
  expect([asked.status, asked.json, asked.headers.get('x-error-code')]).toEqual([
    401,
    { error: 'A passkey or a recovery code is required' },
    'passkey_required',
  ]);
  const digits = await browser.ask('/login', { body: { ...right, code: '123456' } });
  expect(digits.status).toBe(401);
  const passkey = await signIn(browser, credential);
  const wrong = { ...right, password: 'not the password', passkey };
  const refused = await browser.ask('/login', { body: wrong });
  expect(refused.headers.get('x-error-code')).toBe('wrong_login');
  expect((await browser.ask('/login', { body: { ...right, passkey } })).status).toBe(200);
  expect((await browser.ask('/me')).status).toBe(200);
  const other = stranger(world);
  expect((await other.ask('/login', { body: { ...right, code } })).status).toBe(200);
  expect((await stranger(world).ask('/login', { body: { ...right, code } })).status).toBe(401);
});

test('[D5][D5a] app codes and passkeys coexist; removing the last of them removes the recovery codes', async () => {
  const cem = await member('cem');
  const offer = (await cem.ask('/me/totp/offer', { body: { password: PASSWORD } })).json;
  const secret = fromBase32(String(offer['secret']));
  const codeNow = () => makeTotpCode(secret, totpStepAt(world.clock.now()));
  const confirm = { sealed: offer['sealed'], code: codeNow() };
  expect((await cem.ask('/me/totp/confirm', { body: confirm })).status).toBe(200);
  const { answer, credential } = await add(cem);
  expect([answer.status, answer.json['recoveryCodes']]).toEqual([200, []]);
  expect((await cem.ask('/me')).json).toMatchObject({ hasTotp: true, recoveryCodes: 10 });
  world.clock.skip(60_000);
  const right = { email: emailOf('cem'), password: PASSWORD };
  const byCode = await stranger(world).ask('/login', { body: { ...right, code: codeNow() } });
  expect(byCode.status).toBe(200);
  expect((await loginBy(stranger(world), credential)).status).toBe(200);
  world.clock.skip(60_000);
  const drop = { password: PASSWORD, code: codeNow() };
  expect((await cem.ask('/me/totp/drop', { body: drop })).status).toBe(200);
  const me = { hasTotp: false, hasSecondFactor: true, recoveryCodes: 10 };
  expect((await cem.ask('/me')).json).toMatchObject(me);
  const [key] = await listed(cem);
  const gone = await cem.ask(`/me/passkeys/${key!['id']}/remove`, { body: {} });
  expect(gone.status).toBe(200);
  const bare = { hasTotp: false, hasSecondFactor: false, recoveryCodes: 0 };
  expect((await cem.ask('/me')).json).toMatchObject(bare);
  expect((await loginBy(stranger(world), credential)).status).toBe(401);
  expect((await stranger(world).ask('/login', { body: right })).status).toBe(200);
  expect(await actsOf(key!['id'] as string)).toEqual([
    'passkey.added',
    'login.begun_with_passkey',
    'passkey.removed',
  ]);
});

test('[D5a] ten minutes after a sign-in the password is required again, and adding does not extend that', async () => {
  const dan = await member('dan');
  world.clock.skip(9 * 60_000);
  expect((await add(dan)).answer.status).toBe(200);
  world.clock.skip(60_000);
  const stale = await dan.ask('/me/passkeys/offer', { body: {} });
  expect([stale.status, stale.headers.get('x-error-code')]).toEqual([403, 'password_required']);
  const [key] = await listed(dan);
  const remove = (body: object) => dan.ask(`/me/passkeys/${key!['id']}/remove`, { body });
  expect((await remove({})).status).toBe(403);
  expect((await remove({ password: 'not the password' })).status).toBe(401);
  expect(await listed(dan)).toHaveLength(1);
  await offerFor(dan, { password: PASSWORD });
  expect((await remove({ password: PASSWORD })).status).toBe(200);
  // The session keeps its original end.
  const [login] = (await dan.ask('/me/logins')).json['data'] as Record<string, string>[];
  const life = Date.parse(login!['expiresAt']!) - Date.parse(login!['createdAt']!);
  expect(life).toBe(7 * 86_400_000);
  expect((await dan.ask('/me/passkeys/offer', { body: {} })).status).toBe(403);
});

test('[D3][D5a] adding and removing a passkey end all other sessions, but not the requesting one', async () => {
  const eve = await member('eve');
  const others = [stranger(world), stranger(world)];
  const body = { email: emailOf('eve'), password: PASSWORD };
  for (const each of others) expect((await each.ask('/login', { body })).status).toBe(200);
  const { credential } = await add(eve);
  for (const each of others) expect((await each.ask('/me')).status).toBe(401);
  expect((await eve.ask('/me')).status).toBe(200);
  const other = stranger(world);
  expect((await loginBy(other, credential)).status).toBe(200);
  const before = eve.cookie();
  const [key] = await listed(eve);
  expect((await eve.ask(`/me/passkeys/${key!['id']}/remove`, { body: {} })).status).toBe(200);
  expect((await other.ask('/me')).status).toBe(401);
  const thief = stranger(world);
  thief.takeCookie(before);
  expect((await thief.ask('/me')).status).toBe(401);
  expect((await eve.ask('/me')).status).toBe(200);
});

test('[D1][D5a] a reset removes passkeys with everything else', async () => {
  const fay = await member('fay');
  const { credential } = await add(fay);
  const token = await world.accounts.makeResetLink(emailOf('fay'));
  const body = { token, password: 'a wholly different one' };
  expect((await stranger(world).ask('/reset', { body })).status).toBe(200);
  expect((await loginBy(stranger(world), credential)).status).toBe(401);
  const again = { email: emailOf('fay'), password: body.password };
  expect((await stranger(world).ask('/login', { body: again })).status).toBe(200);
});

test('[D5a] an account has at most 20 passkeys, each only once, and manages only its own', async () => {
  const gus = await member('gus');
  for (let i = 0; i < 20; i++)
    expect((await add(gus, { name: `Key ${i}` })).answer.status).toBe(200);
  const full = (await add(gus)).answer;
  expect([full.status, full.headers.get('x-error-code')]).toEqual([409, 'too_many_passkeys']);
  const { options } = await offerFor(gus);
  expect((options as { excludeCredentials: unknown[] }).excludeCredentials).toHaveLength(20);
  const [key] = await listed(gus);
  const hal = await member('hal');
  const foreign = await hal.ask(`/me/passkeys/${key!['id']}/remove`, { body: {} });
  expect([foreign.status, foreign.headers.get('x-error-code')]).toEqual([404, 'passkey_not_found']);
  expect(await listed(gus)).toHaveLength(20);
});

test('[D5a] another account cannot take a credential that is in use', async () => {
  const [ida, jim] = [await member('ida'), await member('jim')];
  const offer = await offerFor(ida);
  const made = createCredential(offer.options, PUBLIC_URL);
  const first = { sealed: offer.sealed, name: 'Key', passkey: made.answer };
  expect((await ida.ask('/me/passkeys', { body: first })).status).toBe(200);
  const { sealed, options } = await offerFor(jim);
  const { challenge } = options as { challenge: string };
  const data = { type: 'webauthn.create', challenge, origin: PUBLIC_URL, crossOrigin: false };
  const clientDataJSON = Buffer.from(JSON.stringify(data)).toString('base64url');
  const passkey = { ...made.answer, response: { ...made.answer.response, clientDataJSON } };
  const taken = await jim.ask('/me/passkeys', { body: { sealed, name: 'Key', passkey } });
  expect([taken.status, taken.headers.get('x-error-code')]).toEqual([409, 'passkey_taken']);
  expect((await loginBy(stranger(world), made.credential)).status).toBe(200);
});
