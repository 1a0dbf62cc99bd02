/**
 * Common passwords: refused wherever a password is set, and a warning at sign-in where one is in
 * use.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makePasswords } from '../../runtime/accounts/passwords.ts';
import { systemRandomness } from '../../runtime/system.ts';
import {
  type DashboardBrowser,
  makeBrowser,
  makeMember,
  makeOwner,
  OWNER,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';

let world: HttpService;
let owner: DashboardBrowser;
beforeAll(async () => {
  world = await openHttpService();
  const token = await world.accounts.makeSetupLink();
  const body = { token, ...OWNER, password: 'Password123456' };
  await expectRefused(await makeBrowser(world).ask('/setup', { body }));
  owner = await makeOwner(world);
  await world.makeTenant({ slug: 'zebrabay', name: 'Zebra Bay Games' });
});
afterAll(() => world.close());

async function expectRefused({ status, json }: { status: number; json: object }): Promise<void> {
  expect([status, json]).toEqual([
    400,
    { error: 'The password is a common one, or little more than a name that others know' },
  ]);
}

test('[D2] a common password is refused at an invitation, a reset and a change; an uncommon one is accepted', async () => {
  const email = 'penelope@example.test';
  const invited = await owner.ask('/t/zebrabay/invitations', { body: { email, role: 'support' } });
  const token = String(invited.json['url']).split('#')[1];
  const accept = (password: string) =>
    makeBrowser(world).ask('/invitations/accept', { body: { token, name: 'Penny', password } });
  for (const password of [
    'qwertyuiop1234',
    'P@ssw0rd-2026!',
    'zebrabay-2026!!',
    'Penelope-9812!',
    'matchd123456!',
  ]) {
    await expectRefused(await accept(password));
  }
  const member = makeBrowser(world);
  const joined = await member.ask('/invitations/accept', {
    body: { token, name: 'Penny', password: PASSWORD },
  });
  expect(joined.status).toBe(200);
  const change = (next: string) =>
    member.ask('/me/password', { body: { current: PASSWORD, next } });
  await expectRefused(await change('Sunshine2024!'));
  await expectRefused(await change('zebra bay games 1'));
  expect((await change('zebra bay and four green hats')).status).toBe(200);
  const reset = await world.accounts.makeResetLink(email);
  const ask = (password: string) =>
    makeBrowser(world).ask('/reset', { body: { token: reset, password } });
  await expectRefused(await ask('trustno1trustno1'));
  expect((await ask('remembered from now on')).status).toBe(200);
}, 60_000);

test('[D2] an older account with a common password signs in and gets a warning', async () => {
  const member = await makeMember(world, owner, 'zebrabay', 'developer', 'otto@example.test');
  const login = { email: 'otto@example.test', password: PASSWORD };
  expect((await member.ask('/login', { body: login })).json).toEqual({ done: true });
  const old = 'Letmein12345!';
  const account = (await world.store.findAccountByEmail(login.email))!;
  const passwords = makePasswords(systemRandomness);
  const hash = (await passwords.hash(old, { kind: 'known', shares: [] }))!;
  expect(await world.store.setPassword(account.id, account, hash, [])).toBe(true);
  const again = await member.ask('/login', { body: { ...login, password: old } });
  expect([again.status, again.json]).toEqual([200, { done: true, isPasswordCommon: true }]);
  const wrong = await member.ask('/login', { body: { ...login, password: 'Letmein1234567' } });
  expect([wrong.status, wrong.json]).toEqual([401, { error: 'Wrong e-mail address or password' }]);
}, 60_000);
