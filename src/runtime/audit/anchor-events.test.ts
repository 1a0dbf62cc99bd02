/**
 * Anchors as events: a subscriber gets one a day, which later reveals a truncated chain (rules D8
 * and E1).
 */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createPublicKey, verify } from 'node:crypto';
import { EVENT_DATA } from '../../contract/answers/event-answers.ts';
import { type MemoryDatabase, openMemoryDatabase } from '../../store/sqlite/memory-store.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { openReceiver, type Receiver } from '../../testing/webhooks/webhook-receiver.ts';
import {
  eventually,
  openWebhookWorld,
  WEBHOOK_TENANT,
  type WebhookWorld,
} from '../../testing/webhooks/webhook-world.ts';
import { makeIds } from '../ids.ts';
import { makeSigner, signedBytes } from '../signing/signer.ts';
import { systemRandomness } from '../system.ts';
import { makeAnchorEvents } from './anchor-events.ts';
import { type AuditAnchor, parseAnchors } from './audit-anchor.ts';
import { openAudit } from './open-audit.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 10, 25, 12);
const LIVE = { tenant: WEBHOOK_TENANT, mode: 'live' } as const;
const KEY = new Uint8Array(32).fill(7);

let database: MemoryDatabase;
let world: WebhookWorld;
let receiver: Receiver;
beforeEach(async () => {
  database = openMemoryDatabase();
  world = await openWebhookWorld({}, database);
  receiver = await openReceiver();
});
afterEach(async () => {
  await receiver.close();
  await world.close();
});

/** The chore of one node, a number of hours after the noon of a day. */
async function openNode(hours = 0) {
  const clock = makeManualClock(NOON + hours * HOUR_MS);
  const { store } = world;
  const signer = makeSigner([KEY]);
  const log = { info() {} };
  const audit = await openAudit({
    store,
    sealingKeys: [KEY],
    choice: 'newest',
    signer,
    clock,
    log,
  });
  const makeId = makeIds(clock, systemRandomness);
  return { clock, audit, signer, write: makeAnchorEvents({ store, audit, clock, makeId }) };
}

const anchorsInLog = async (): Promise<number> =>
  (await world.store.readEvents(LIVE, 0, 100)).filter(({ type }) => type === 'audit.anchored')
    .length;

test('[D8][E1] a webhook that names the event gets a signed anchor, which reveals a truncated end', async () => {
  const { audit, signer, write } = await openNode();
  const everything = await openReceiver();
  await world.register(everything.url);
  await world.register(receiver.url, { types: ['audit.anchored'] });
  expect(await write()).toBe(1);
  const [last] = await world.emit([null]);
  await eventually(() => receiver.received.length === 1 && everything.received.length === 1);
  // A webhook that did not name it got only the next event.
  expect(everything.received[0]!.id).toBe(last!);
  await everything.close();

  const { body } = receiver.received[0]!;
  const event = JSON.parse(body) as { type: string; data: { anchor: AuditAnchor } };
  expect(event).toMatchObject({ type: 'audit.anchored', mode: 'live' });
  expect(event).not.toHaveProperty('sessionId');
  EVENT_DATA['audit.anchored'].parse(event.data);
  // With the published key only.
  const { tenant, n, hash, at, signature } = event.data.anchor;
  const key = createPublicKey({ key: { ...signer.publicKeys[0]! }, format: 'jwk' });
  const bytes = signedBytes('audit-head', JSON.stringify([tenant, n, hash, at]));
  expect(verify(null, bytes, key, Buffer.from(signature.value, 'base64url'))).toBe(true);
  expect([tenant, at]).toEqual([WEBHOOK_TENANT, '2026-11-25T12:00:00.000Z']);

  // The received body is a valid anchor file.
  const anchors = parseAnchors(body)!;
  expect(await audit.verify(WEBHOOK_TENANT, anchors)).toMatchObject({ ok: true });
  database.db.prepare('DELETE FROM audit WHERE tenant = ? AND n >= ?').run(WEBHOOK_TENANT, n);
  expect(await audit.verify(WEBHOOK_TENANT, [])).toMatchObject({ ok: true });
  expect(await audit.verify(WEBHOOK_TENANT, anchors)).toMatchObject({
    ok: false,
    fault: 'cut_off',
    firstWrong: n,
  });
});

test('[D8][E1] one a day, however many nodes check and how often, also after a restart', async () => {
  await world.register(receiver.url, { types: ['session.ended', 'audit.anchored'] });
  // Midnight is past at 12, and again at 36.
  for (const [hours, anchors] of [
    [0, 1],
    [11, 1],
    [13, 2],
    [35, 2],
    [36, 3],
  ] as const) {
    const nodes = [await openNode(hours), await openNode(hours)];
    for (let i = 0; i < 3; i++) await Promise.all(nodes.map(({ write }) => write()));
    expect([hours, await anchorsInLog()]).toEqual([hours, anchors]);
    // A clock that is behind by a day writes none.
    await (await openNode(hours - 24)).write();
    expect([hours, await anchorsInLog()]).toEqual([hours, anchors]);
    world = await world.restart();
  }
  await eventually(() => receiver.received.length === 3);
});

test('[D8][E1] none is written without an active live webhook that names it, nor while the tenant is suspended', async () => {
  const { write } = await openNode();
  await world.register(receiver.url);
  await world.register(receiver.url, { types: ['session.ended'] });
  await world.register(receiver.url, { types: ['audit.anchored'], mode: 'test' });
  const webhook = await world.register(receiver.url, { types: ['audit.anchored'] });
  const by = { tenant: WEBHOOK_TENANT, actor: 'test' };
  await world.service.update(by, webhook, { active: false }, null);
  expect([await write(), await anchorsInLog()]).toEqual([0, 0]);
  await world.service.update(by, webhook, { active: true }, null);
  const audit = { ...by, act: 'test', object: '', at: NOON };
  await world.store.updateTenant(WEBHOOK_TENANT, { active: false }, audit);
  expect([await write(), await anchorsInLog()]).toEqual([0, 0]);
  await world.store.updateTenant(WEBHOOK_TENANT, { active: true }, audit);
  expect([await write(), await anchorsInLog()]).toEqual([1, 1]);
});
