/** Rematches over real sockets: offered, shown, agreed, created, and opened (rules P13, K9, E1). */

import { afterEach, expect } from 'bun:test';
import { REMATCH_MS } from '../match/agreement.ts';
import { LEAVING_MS } from '../runtime/sessions/agreements.ts';
import { PLANS } from '../tenancy/tenant.ts';
import { makeManualClock } from '../testing/manual-clock.ts';
import { test } from '../testing/sockets/both-protocols.ts';
import type { SocketClient } from '../testing/sockets/socket-client.ts';
import {
  type Issuer,
  openSocketWorld,
  type SessionWish,
  type SocketWorld,
  type WorldWish,
} from '../testing/sockets/socket-world.ts';
import { RATES } from './connection/buckets.ts';

let world: SocketWorld;
afterEach(() => world.close());

async function start(wish: SessionWish = {}, worldWish: WorldWish = {}) {
  world = await openSocketWorld(worldWish);
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer, wish);
  const [ann, bob] = clients;
  return { issuer, id, ann, bob };
}

/** A match that bob has resigned. */
async function over(wish: SessionWish = {}, worldWish: WorldWish = {}) {
  const match = await start(wish, worldWish);
  match.bob.send({ t: 'resign', s: match.id, id: 'end' });
  await Promise.all([match.ann.next('over'), match.bob.next('over')]);
  return match;
}

let asked = 0;
/** Sends one and returns the frames that came back for it. */
async function say(client: SocketClient, s: string, step?: 'offer' | 'withdraw' | 'decline') {
  asked += 1;
  const id = `r${asked}`;
  client.send({ t: 'rematch', s, id, ...(step && { do: step }) });
  for (;;) {
    const frame = await client.next('rematch', 'reject');
    if (frame.id === id) return frame;
  }
}

/** The next frame that matches. */
async function news(
  client: SocketClient,
  fits: (frame: { asked: number[]; here: number[] }) => boolean,
) {
  for (;;) {
    const frame = await client.next('rematch');
    if (frame.id === undefined && fits(frame)) return frame;
  }
}

const create = (issuer: Issuer) =>
  world.store.putSettings(
    issuer.tenant.id,
    'live',
    { rematch: 'create' },
    { tenant: issuer.tenant.id, actor: 'cli', act: 'settings.updated', object: '', at: 0 },
  );

test('[P13] an offer is answered and shown to everybody, and can be taken back or refused', async () => {
  const { issuer, id, ann, bob } = await over();
  const watcher = await world.open({
    token: world.makeToken(issuer, { scope: 'watch', session: id }),
  });
  await watcher.next('state');
  const quiet = { s: id, asked: [], agreed: false, declined: null, next: null, refused: null };
  const first = await say(ann, id);
  expect(first).toMatchObject({ ...quiet, t: 'rematch', here: [0, 1] });
  expect(await say(ann, id, 'offer')).toMatchObject({ ...quiet, asked: [0] });
  const isAsked = (frame: { asked: number[] }) => frame.asked.length === 1;
  for (const client of [bob, watcher]) {
    expect(await news(client, isAsked)).toMatchObject({ ...quiet, asked: [0] });
  }
  expect(await say(ann, id, 'withdraw')).toMatchObject(quiet);
  expect(await news(bob, (frame) => !isAsked(frame))).toMatchObject(quiet);
  expect(await say(bob, id, 'decline')).toMatchObject({ ...quiet, declined: 1 });
  expect(await say(ann, id, 'offer')).toMatchObject({ t: 'reject', code: 'rematch_over' });
  expect(await say(watcher, id)).toMatchObject({ ...quiet, declined: 1 });
  expect(await say(watcher, id, 'offer')).toMatchObject({ t: 'reject', code: 'watch_only' });
});

test('[P13] there is no rematch before the end, nor after ten minutes', async () => {
  const clock = makeManualClock();
  const { id, ann, bob } = await start({}, { clock });
  expect(await say(ann, id)).toMatchObject({ code: 'session_not_ended' });
  expect(await say(ann, id, 'offer')).toMatchObject({ code: 'session_not_ended' });
  expect(await say(ann, 'ses_none', 'offer')).toMatchObject({ code: 'unknown_session' });
  bob.send({ t: 'resign', s: id, id: 'end' });
  await ann.next('over');
  clock.advance(REMATCH_MS + 1);
  expect(await say(ann, id, 'offer')).toMatchObject({ code: 'rematch_over' });
});

test('[P13] offers have a rate limit, so that no player fills the log; the others are refused', async () => {
  const { id, ann } = await over();
  const answers: string[] = [];
  for (let n = 0; n < 2 * RATES.rematch.burst; n++) {
    const answer = await say(ann, id, 'offer');
    answers.push(answer.t === 'reject' ? answer.code : answer.t);
  }
  expect(answers[0]).toBe('rematch');
  expect(answers.at(-1)).toBe('too_fast');
});

test('[P13][S11a][E1] by default the agreement is reported to the tenant, whose rematch is then handed to each player', async () => {
  const { issuer, id, ann, bob } = await over();
  await say(ann, id, 'offer');
  expect(await say(bob, id, 'offer')).toMatchObject({ asked: [0, 1], agreed: true, next: null });
  const { tenant } = issuer;
  const events = await world.store.readEvents({ tenant: tenant.id, mode: 'live' }, 0, 100);
  expect(events.filter(({ type }) => type === 'session.rematch_agreed')).toHaveLength(1);
  ann.take();
  const ref = { tenant: tenant.id, id, modes: ['live'] as const };
  const made = await world.sessions.rematch(ref, PLANS.pro, null);
  if (!made.ok) throw new Error(made.refusal);
  const next = made.value.row.id;
  expect(await news(ann, () => true)).toMatchObject({ agreed: true, next: { session: next } });
  const answer = await say(ann, id);
  if (answer.t !== 'rematch') throw new Error(answer.code);
  const again = await world.open({ token: answer.next!.token! });
  expect(await again.next('state')).toMatchObject({
    s: next,
    seat: 1,
    series: { rematchOf: id, first: id, number: 2, wins: [0, 1], draws: 0 },
  });
});

test('[P13][K9] if the tenant has set it so, the service creates the agreed rematch', async () => {
  const { issuer, id, ann, bob } = await over();
  await create(issuer);
  expect(await say(ann, id, 'offer')).toMatchObject({ next: null });
  const answer = await say(bob, id, 'offer');
  if (answer.t !== 'rematch') throw new Error(answer.code);
  const { session, token } = answer.next!;
  const shown = await news(ann, (frame) => frame.asked.length === 2);
  expect(shown.next).toEqual({ session });
  const own = await say(ann, id);
  if (own.t !== 'rematch') throw new Error(own.code);
  expect(own.next!.session).toBe(session);
  for (const each of [token, own.next!.token]) {
    const socket = await world.open({ token: each! });
    expect(await socket.next('state')).toMatchObject({ s: session });
  }
});

test('[P13][K9] a failure to create the rematch is reported, and it is created on the next request', async () => {
  const { issuer, id, ann, bob } = await over();
  await create(issuer);
  const tenant = issuer.tenant.id;
  const audit = { tenant, actor: 'cli', act: 'test', object: '', at: 0 };
  const limit = (openSessions: number) =>
    world.store.updateTenant(tenant, { plan: 'enterprise', limits: { openSessions } }, audit);
  await limit(0);
  await say(ann, id, 'offer');
  const refused = { agreed: true, next: null, refused: 'open_sessions_exceeded' };
  expect(await say(bob, id, 'offer')).toMatchObject(refused);
  await limit(10);
  expect(await say(ann, id)).toMatchObject({ agreed: true, refused: null });
  expect((await say(bob, id)) as object).toMatchObject({ next: { token: expect.any(String) } });
});

test('[P13] a player who leaves is shown as gone, and the offers stand', async () => {
  const { issuer, id, ann, bob } = await over();
  await say(bob, id, 'offer');
  await bob.close();
  const gone = (frame: object) => (frame as { here: number[] }).here.length === 1;
  expect(await news(ann, gone)).toMatchObject({ asked: [1], here: [0] });
  const back = await world.enter(issuer, id, 'bob');
  expect(await news(ann, (frame) => !gone(frame))).toMatchObject({ asked: [1], here: [0, 1] });
  expect(await say(back, id)).toMatchObject({ asked: [1], here: [0, 1] });
});

test('[P13] a player who connects is shown as present at once, without the delay for a reload', async () => {
  const clock = makeManualClock();
  const { issuer, id, ann, bob } = await over({}, { clock });
  await say(ann, id);
  await bob.close();
  const told = async (client: SocketClient) =>
    (await client.settle()).filter((frame) => frame.t === 'rematch');
  let here: readonly number[] | undefined;
  while (here?.length !== 1) {
    clock.advance(LEAVING_MS);
    here = (await told(ann)).at(-1)?.here;
  }
  // The clock stands still from here on.
  const back = await world.enter(issuer, id, 'bob');
  expect(await say(back, id)).toMatchObject({ here: [0, 1] });
  expect(await news(ann, () => true)).toMatchObject({ here: [0, 1] });
  // A player who is known to be present only asks.
  await say(back, id);
  expect(await told(ann)).toEqual([]);
});

test('[P13] two tabs are one player: an offer in one is seen in the other', async () => {
  const { issuer, id, ann } = await over();
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  lobby.send({ t: 'hello', resume: { [id]: 1 } });
  await lobby.next('state');
  await say(ann, id, 'offer');
  expect(await news(lobby, ({ asked }) => asked.length === 1)).toMatchObject({ asked: [0] });
  expect(await say(lobby, id, 'withdraw')).toMatchObject({ asked: [] });
});

test('[P13] a revoked key gets no token for the rematch', async () => {
  const { issuer, id, ann, bob } = await over();
  await create(issuer);
  await say(ann, id, 'offer');
  await say(bob, id, 'offer');
  const { tenant, key } = issuer;
  const audit = { tenant: tenant.id, actor: 'cli', act: 'key.update', object: key.id, at: 0 };
  await world.store.updateKey(key.id, { revokedAt: 1 }, audit);
  await world.tenancy.look();
  const answer = await say(ann, id);
  expect(answer).toMatchObject({ t: 'rematch', next: { session: expect.any(String) } });
  expect((answer as { next: object }).next).not.toHaveProperty('token');
});
