/**
 * Searches for event ids that were never delivered: how many may run at once, over HTTP (rule E2).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import { makeMember, makeOwner } from '../../../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';
import { wrapCalls } from '../../../testing/wrapped-calls.ts';

/** One runs, the others wait. */
const LINE = 17;

let world: HttpService;
let tenant: Tenant;
let ask: Asking;
/** Running searches, by the world's mode, each with its end. */
const underWay: { readonly mode: string; readonly end: () => void }[] = [];

beforeAll(async () => {
  const policy = { allowLocal: true };
  world = await openHttpService({}, {}, { policy, resolve: async () => ['127.0.0.1'] });
  tenant = await world.makeTenant({ slug: 'acme' });
  ask = makeAsking(world.app, await world.makeKey(tenant, 'test'));
  wrapCalls(world.store, ['findEventSeq'], async ({ args, go }) => {
    const { mode } = args[0] as { readonly mode: string };
    await new Promise<void>((end) => underWay.push({ mode, end }));
    return go();
  });
});
afterAll(() => world.close());

const idOf = (n: number): string => `evt_${String(n).padStart(26, '0')}`;
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
};

test('[E2][H6] when the queue is full a page, a stream and a repeat are 503 with Retry-After, and none waits', async () => {
  const owner = await makeOwner(world);
  const developer = await makeMember(world, owner, 'acme', 'developer');
  const made = await developer.ask('/t/acme/test/v1/webhooks', {
    body: { url: 'http://127.0.0.1:9/hook' },
  });
  const deliveries = `/t/acme/test/v1/webhooks/${made.json['id']}/deliveries`;
  const resend = () => developer.ask(`${deliveries}/${idOf(50)}/resend`, { method: 'POST' });

  const held = Array.from({ length: LINE }, (_, n) => ask(`/v1/events?after=${idOf(n)}`));
  await until(() => underWay.length > 0);
  // All of them run in this process, so the others are queued by then.
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const path of [`/v1/events?after=${idOf(50)}`, `/v1/events/stream?after=${idOf(50)}`]) {
    const { status, headers } = await ask(path);
    expect([status, headers.get('x-error-code')]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const again = await resend();
  expect([again.status, underWay.length]).toEqual([503, 1]);

  // Other worlds do not share that queue.
  const live = makeAsking(world.app, await world.makeKey(tenant, 'live'));
  const other = live(`/v1/events?after=${idOf(50)}`);
  await until(() => underWay.length === 2);
  expect(underWay.map(({ mode }) => mode)).toEqual(['test', 'live']);
  for (let ended = 0; ended < LINE + 1; ended += 1) {
    await until(() => underWay.length > 0);
    underWay.shift()!.end();
  }
  const answers = await Promise.all([...held, other]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // The queue is empty again.
  const gone = resend();
  await until(() => underWay.length > 0);
  underWay.shift()!.end();
  expect((await gone).status).toBe(404);
});

test('[D11][E2] the event that a reader received last is resent without a search', async () => {
  const body = { type: 'ticket.created' };
  for (let n = 0; n < 2; n += 1) await ask('/v1/events/trigger', { body });
  const { data, nextCursor } = (await ask('/v1/events?limit=1')).json;
  expect(nextCursor).toBe(data[0].id);
  const mine = await world.webhooks.service.list({
    tenant: tenant.id,
    mode: 'test',
    before: null,
    limit: 1,
  });
  const sent = await world.webhooks.service.resend(mine[0]!, nextCursor);
  expect([sent, underWay.length]).toMatchObject([{ eventId: nextCursor }, 0]);
});
