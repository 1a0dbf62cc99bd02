/** Links and sessions of the dashboard one second before and one second after they expire. */

import { afterEach, expect, test } from 'bun:test';
import { LINK_LIFE_MS, SESSION_IDLE_MS, SESSION_LIFE_MS } from '../../accounts/account.ts';
import {
  makeBrowser,
  makeOwner,
  OWNER,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';

let world: HttpService;
afterEach(() => world.close());

const SECOND_MS = 1_000;

test('[D1] the setup link works a second before its hour ends, and not a second after', async () => {
  world = await openHttpService();
  for (const [ms, status] of [
    [LINK_LIFE_MS.setup + SECOND_MS, 404],
    [LINK_LIFE_MS.setup - SECOND_MS, 200],
  ] as const) {
    const token = await world.accounts.makeSetupLink();
    world.clock.skip(ms);
    const answer = await makeBrowser(world).ask('/setup', { body: { token, ...OWNER } });
    expect([ms, answer.status]).toEqual([ms, status]);
  }
});

test('[D1] an invitation works a second before its week ends, and not a second after', async () => {
  world = await openHttpService();
  await world.makeTenant({ slug: 'acme' });
  await makeOwner(world);
  for (const [name, ms, status] of [
    ['late', LINK_LIFE_MS.invitation + SECOND_MS, 404],
    ['timely', LINK_LIFE_MS.invitation - SECOND_MS, 200],
  ] as const) {
    const owner = makeBrowser(world);
    await owner.ask('/login', { body: { email: OWNER.email, password: OWNER.password } });
    const invited = await owner.ask('/t/acme/invitations', {
      body: { email: `${name}@example.test`, role: 'developer' },
    });
    expect(invited.status).toBe(201);
    const token = String(invited.json['url']).split('#')[1];
    world.clock.skip(ms);
    const body = { token, name, password: PASSWORD };
    const answer = await makeBrowser(world).ask('/invitations/accept', { body });
    expect([name, answer.status]).toEqual([name, status]);
    const [head = '', ...rest] = token!;
    const altered = [head === 'A' ? 'B' : 'A', ...rest].join('');
    const forged = { ...body, token: altered };
    expect((await makeBrowser(world).ask('/invitations/accept', { body: forged })).status).toBe(
      404,
    );
  }
});

test('[D1] a reset link works a second before its hour ends, not a second after, and not as another kind of link', async () => {
  world = await openHttpService();
  await makeOwner(world);
  for (const [ms, status] of [
    [LINK_LIFE_MS.reset + SECOND_MS, 404],
    [LINK_LIFE_MS.reset - SECOND_MS, 200],
  ] as const) {
    const token = await world.accounts.makeResetLink(OWNER.email);
    world.clock.skip(ms);
    for (const path of ['/setup', '/invitations/accept']) {
      const body = { token, ...OWNER, email: 'eve@example.test' };
      const { email: _, ...bare } = body;
      const asked = path === '/setup' ? body : bare;
      expect([path, (await makeBrowser(world).ask(path, { body: asked })).status]).toEqual([
        path,
        404,
      ]);
    }
    const answer = await makeBrowser(world).ask('/reset', { body: { token, password: PASSWORD } });
    expect([ms, answer.status]).toEqual([ms, status]);
  }
});

test('[D3] a session ends 12 hours after its last use, and 7 days after its start, to the second', async () => {
  world = await openHttpService();
  await makeOwner(world);
  const signIn = async () => {
    const browser = makeBrowser(world);
    const body = { email: OWNER.email, password: OWNER.password };
    expect((await browser.ask('/login', { body })).status).toBe(200);
    return browser;
  };
  const unused = await signIn();
  world.clock.skip(SESSION_IDLE_MS + SECOND_MS);
  expect((await unused.ask('/me')).status).toBe(401);

  const used = await signIn();
  const endsAt = world.clock.now() + SESSION_LIFE_MS;
  while (world.clock.now() + SESSION_IDLE_MS < endsAt) {
    world.clock.skip(SESSION_IDLE_MS - SECOND_MS);
    expect((await used.ask('/me')).status).toBe(200);
  }
  world.clock.skip(endsAt - SECOND_MS - world.clock.now());
  expect((await used.ask('/me')).status).toBe(200);
  world.clock.skip(2 * SECOND_MS);
  expect((await used.ask('/me')).status).toBe(401);
});
