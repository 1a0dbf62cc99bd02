/** Device marks, which identify a browser that has signed in: what they allow, and for how long. */

import { afterAll, expect, test } from 'bun:test';
import { makeTotpCode, totpStepAt } from '../../accounts/totp.ts';
import { fromBase32 } from '../../testing/devices/base32.ts';
import {
  makeBrowser,
  makeMember,
  openDashboard,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';

const WRONG = 'wrong and wrong';

const { world, owner } = await openDashboard();
afterAll(() => world.close());

/** The mark issued to a browser without one, for a session whose cookie was stolen. */
async function markFor(session: string): Promise<string> {
  const me = await makeBrowser(world, '198.18.9.1').ask('/me', { headers: { cookie: session } });
  return /__Host-matchd-device=[\w-]+/.exec(me.headers.get('set-cookie') ?? '')![0];
}

/** How many of five attempts with each mark were processed, from an address without a sign-in. */
async function countGuesses(marks: readonly string[], body: object): Promise<number> {
  let guesses = 0;
  for (const cookie of marks) {
    for (let i = 0; i < 5; i++) {
      const tried = await makeBrowser(world, '198.18.9.2').ask('/login', {
        body,
        headers: { cookie },
      });
      if (tried.status === 401) guesses += 1;
    }
  }
  return guesses;
}

test('[D2] all marks of one sign-in count as one browser: asking for more allows no extra guesses', async () => {
  const email = 'mia@example.test';
  const mia = await makeMember(world, owner, 'acme', 'developer', email);
  const marks: string[] = [];
  for (let i = 0; i < 4; i++) marks.push(await markFor(mia.cookie()));
  expect(await countGuesses(marks, { email, password: WRONG })).toBe(5);
}, 60_000);

test('[D2] after a password change earlier marks count as strangers', async () => {
  const email = 'ned@example.test';
  const ned = await makeMember(world, owner, 'acme', 'developer', email);
  const elsewhere = makeBrowser(world);
  await elsewhere.ask('/login', { body: { email, password: PASSWORD } });
  const marks = [await markFor(ned.cookie()), await markFor(elsewhere.cookie())];
  const next = 'a wholly different one';
  const changed = await ned.ask('/me/password', { body: { current: PASSWORD, next } });
  expect(changed.status).toBe(200);
  expect(await countGuesses(marks, { email, password: WRONG })).toBe(5);
  // The member's own browser gets a new mark, valid from the next page.
  expect((await ned.ask('/me')).headers.get('set-cookie')).toStartWith('__Host-matchd-device=');
  expect((await ned.ask('/me')).headers.get('set-cookie')).toBeNull();
}, 60_000);

test('[D2][D5] after adding a second factor earlier marks count as strangers', async () => {
  const email = 'pia@example.test';
  const pia = await makeMember(world, owner, 'acme', 'developer', email);
  const elsewhere = makeBrowser(world);
  await elsewhere.ask('/login', { body: { email, password: PASSWORD } });
  const marks = [await markFor(pia.cookie()), await markFor(elsewhere.cookie())];
  const offer = await pia.ask('/me/totp/offer', { body: { password: PASSWORD } });
  const { sealed, secret } = offer.json as Record<string, string>;
  const code = makeTotpCode(fromBase32(secret!), totpStepAt(world.clock.now()));
  expect((await pia.ask('/me/totp/confirm', { body: { sealed, code } })).status).toBe(200);
  const guess = { email, password: PASSWORD, code: '000000' };
  expect(await countGuesses(marks, guess)).toBe(5);
}, 60_000);
