/**
 * Fair sharing of the password queue: known accounts and link holders take no more than their
 * share, so others can sign in.
 */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import {
  type DashboardBrowser,
  makeBrowser,
  makeMember,
  makeOwner,
  OWNER,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';

const MINUTE = 60_000;

let world: HttpService;
let owner: DashboardBrowser;

beforeAll(async () => {
  world = await openHttpService();
  await world.makeTenant({ slug: 'acme' });
  await world.makeTenant({ slug: 'mal' });
  owner = await makeOwner(world);
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.skip(MINUTE);
  // The member's browser gets its device mark, if it has none.
  await owner.ask('/me');
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The responses to a number of sign-ins from the owner's own browser. */
async function enterOften(times: number): Promise<number[]> {
  const { email, password } = OWNER;
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) {
    statuses.push((await owner.ask('/login', { body: { email, password } })).status);
    await pause(50);
  }
  return statuses;
}

/** Signs in a number of times, each time with a new browser; returns their device marks. */
async function collectMarks(email: string, count: number): Promise<string[]> {
  const marks: string[] = [];
  for (let i = 0; i < count; i++) {
    const at = `198.51.100.${i}`;
    const browser = makeBrowser(world, at);
    await browser.ask('/login', { body: { email, password: PASSWORD } });
    const me = await makeBrowser(world, at).ask('/me', { headers: { cookie: browser.cookie() } });
    marks.push(/__Host-matchd-device=[\w-]+/.exec(me.headers.get('set-cookie') ?? '')![0]);
  }
  world.clock.skip(MINUTE);
  return marks;
}

/**
 * Tries wrong passwords with one mark after the other until each is used up; returns the count of
 * each status.
 */
async function guessWith(email: string, marks: readonly string[]): Promise<Record<number, number>> {
  const left = [...marks];
  const counts: Record<number, number> = {};
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    while (left.length > 0) {
      const mark = left[0]!;
      const browser = makeBrowser(world, `2001:db8:5:${lane}::1`);
      const body = { email, password: 'wrong but long enough' };
      const { status } = await browser.ask('/login', { body, headers: { cookie: mark } });
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === 429 && left[0] === mark) left.shift();
      if (status === 503) await pause(1);
    }
  });
  await Promise.all(lanes);
  return counts;
}

test('[D2] an account with many device marks gets 20 password checks a minute, wrong ones included', async () => {
  const email = 'many@example.test';
  await makeMember(world, owner, 'acme', 'support', email);
  const guessed = guessWith(email, await collectMarks(email, 8));
  const counts = await guessed;
  expect(counts[401]).toBe(20);
}, 60_000);

test('[D2] three queued guesses by strangers do not block a known account', async () => {
  const { email } = OWNER;
  const password = 'a wrong but long one';
  const guesses = Array.from({ length: 4 }, (_, i) =>
    makeBrowser(world, `192.0.2.${i}`).ask('/login', { body: { email, password } }),
  );
  // Sent at the same time, so that none of the others is done when it arrives.
  const entered = owner.ask('/login', { body: { email, password: OWNER.password } });
  expect((await entered).status).toBe(200);
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([401, 401, 401, 503]);
}, 60_000);

/** The token of an invitation. */
async function invite(by: DashboardBrowser, slug: string, email: string): Promise<string | null> {
  const made = await by.ask(`/t/${slug}/invitations`, { body: { email, role: 'support' } });
  return made.status === 201 ? String(made.json['url']).split('#')[1]! : null;
}

test('[D1][D2] one invitation or reset link costs one hash, however many concurrent requests use it', async () => {
  const token = await invite(owner, 'acme', 'once@example.test');
  const useAtOnce = async (path: string, body: object): Promise<number[]> => {
    const uses = Array.from({ length: 4 }, (_, i) =>
      makeBrowser(world, `198.18.4.${i}`).ask(path, { body }),
    );
    return (await Promise.all(uses)).map(({ status }) => status).sort();
  };
  const accept = { token, name: 'x', password: PASSWORD };
  expect(await useAtOnce('/invitations/accept', accept)).toEqual([200, 503, 503, 503]);
  const resetToken = await world.accounts.makeResetLink('once@example.test');
  const reset = { token: resetToken, password: 'a wholly different one' };
  expect(await useAtOnce('/reset', reset)).toEqual([200, 503, 503, 503]);
}, 60_000);

test('[D1][D2] links of one tenant, however many it creates, do not keep known accounts from signing in', async () => {
  const mal = await makeMember(world, owner, 'mal', 'owner', 'mal@example.test');
  let going = true;
  let links = 0;
  const counts: Record<number, number> = {};
  const accept = async (site: number, body: object): Promise<void> => {
    const browser = makeBrowser(world, `2001:db8:1:${site.toString(16)}::1`);
    const { status } = await browser.ask('/invitations/accept', { body });
    counts[status] = (counts[status] ?? 0) + 1;
    await pause(2);
    if (status === 503 && going) await accept(site, body);
  };
  // From addresses of one IPv6 /48, each link three times concurrently.
  const lanes = Array.from({ length: 16 }, async () => {
    while (going) {
      links += 1;
      const site = links;
      const token = await invite(mal, 'mal', `x${site}@example.test`);
      if (token === null) await pause(100);
      else {
        const body = { token, name: 'x', password: PASSWORD };
        await Promise.all([0, 1, 2].map(() => accept(site, body)));
      }
    }
  });
  await pause(500);
  const statuses = await enterOften(6);
  going = false;
  await Promise.all(lanes);
  expect(statuses).toEqual(Array.from({ length: 6 }, () => 200));
  expect(counts[200]).toBeGreaterThan(0);
  expect(counts[503]).toBeGreaterThan(0);
}, 60_000);
