/** Fair sharing of password hashing: no account and no link keeps others from signing in. */

import { afterAll, expect, test } from 'bun:test';
import {
  makeBrowser,
  makeMember,
  OWNER,
  openDashboard,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';

const { world, owner } = await openDashboard();
afterAll(() => world.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Far shorter than the admitted work takes: there are always more requests waiting. */
const FLOOD_PAUSE_MS = 10;

/**
 * Sends a number of concurrent requests, again and again until stopped; returns the count of each
 * status.
 */
function flood(count: number, ask: (i: number) => Promise<{ readonly status: number }>) {
  const counts: Record<number, number> = {};
  let going = true;
  const lanes = Array.from({ length: count }, async (_, i) => {
    while (going) {
      const { status } = await ask(i);
      counts[status] = (counts[status] ?? 0) + 1;
      await pause(FLOOD_PAUSE_MS);
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(lanes);
      return counts;
    },
  };
}

/** Addresses from which no account has signed in before. */
let fresh = 0;

/** The responses to strangers to the flood who sign in one after the other. */
async function enterOften(times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) {
    fresh += 1;
    const browser = makeBrowser(world, `192.0.2.${fresh}`);
    const { email, password } = OWNER;
    statuses.push((await browser.ask('/login', { body: { email, password } })).status);
    await pause(50);
  }
  return statuses;
}

test('[D2] one account, with any number of device marks, does not keep others from signing in', async () => {
  const email = 'mal@example.test';
  await makeMember(world, owner, 'acme', 'support', email);
  const body = { email, password: PASSWORD };
  const marks: string[] = [];
  for (let i = 0; i < 8; i++) {
    const browser = makeBrowser(world, `198.51.100.${i}`);
    await browser.ask('/login', { body });
    const headers = { cookie: browser.cookie() };
    const me = await makeBrowser(world, `198.51.100.${i}`).ask('/me', { headers });
    marks.push(/__Host-matchd-device=[\w-]+/.exec(me.headers.get('set-cookie') ?? '')![0]);
  }
  // With the right password each time, so that no guess limit applies.
  const going = flood(32, (i) => {
    const headers = { cookie: marks[i % 8]! };
    return makeBrowser(world, `198.51.100.${i % 8}`).ask('/login', { body, headers });
  });
  await pause(200);
  expect(await enterOften(10)).toEqual(Array.from({ length: 10 }, () => 200));
  const counts = await going.stop();
  // The account's own sign-ins are limited in the end.
  expect(counts[200]).toBeLessThanOrEqual(60);
  expect(counts[429]).toBeGreaterThan(0);
  world.clock.skip(60_000);
  const again = makeBrowser(world, '198.51.100.1').ask('/login', { body });
  expect((await again).status).toBe(200);
}, 60_000);

test('[D2] one address, whichever accounts it tries, does not keep others from signing in', async () => {
  const going = flood(40, (i) => {
    const body = { email: `nobody${i}@example.test`, password: PASSWORD };
    return makeBrowser(world, '198.18.3.1').ask('/login', { body });
  });
  expect(await enterOften(5)).toEqual([200, 200, 200, 200, 200]);
  await going.stop();
}, 60_000);

test.each([
  ['one IPv6 /48', (n: number) => `2001:db8:1:${(n >> 3).toString(16)}::1`],
  ['everywhere', (n: number) => `2001:db8:${(n >> 3).toString(16)}:1::1`],
])(
  '[D2] strangers from %s, however many, do not lock out known accounts',
  async (_, addressOf) => {
    // Their browser gets its device mark.
    await owner.ask('/me');
    let tries = 0;
    const going = flood(45, () => {
      tries += 1;
      const body = { email: `stranger${tries}@example.test`, password: PASSWORD };
      // Each /64 stays within its limit of attempts.
      return makeBrowser(world, addressOf(tries)).ask('/login', { body });
    });
    await pause(200);
    const { email, password } = OWNER;
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await owner.ask('/login', { body: { email, password } })).status);
      await pause(100);
    }
    const counts = await going.stop();
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(counts[401]).toBeGreaterThan(0);
    expect(counts[503]).toBeGreaterThan(0);
    world.clock.skip(60_000);
  },
  60_000,
);

test('[D2] strangers from one IPv6 /48 do not lock out strangers from elsewhere', async () => {
  let tries = 0;
  const going = flood(45, () => {
    tries += 1;
    const body = { email: `site${tries}@example.test`, password: PASSWORD };
    const address = `2001:db8:ffff:${(tries >> 3).toString(16)}::1`;
    return makeBrowser(world, address).ask('/login', { body });
  });
  expect(await enterOften(5)).toEqual([200, 200, 200, 200, 200]);
  await going.stop();
}, 60_000);

test('[D2] an invitation for an existing account costs no hash, however often it is tried', async () => {
  const email = 'mo@example.test';
  await makeMember(world, owner, 'acme', 'support', email);
  const invited = await owner.ask('/t/acme/invitations', { body: { email, role: 'support' } });
  const token = String(invited.json['url']).split('#')[1];
  const body = { token, name: 'x', password: PASSWORD };
  const answers = await Promise.all(
    Array.from({ length: 60 }, () =>
      makeBrowser(world, '198.51.100.3').ask('/invitations/accept', { body }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409]));
  expect(await enterOften(1)).toEqual([200]);
}, 60_000);
