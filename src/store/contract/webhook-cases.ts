/** Webhooks in a store: stored, capped, enabled and disabled, and their progress all or nothing. */

import { expect } from 'bun:test';
import type { NewEvent } from '../../events/event.ts';
import type { Outstanding } from '../../webhooks/parcel.ts';
import type { Attempt, DeliveryProgress, NewWebhook, Webhook, WebhookWrite } from '../webhooks.ts';
import type { Store } from '../whole-store.ts';
import type { AreaCase } from './area.ts';
import { answerOf, auditOf, created, seatOf, T0, TENANT } from './stage.ts';

const write = (act = 'webhook.test'): WebhookWrite => ({
  audit: auditOf(act),
  idempotency: null,
});

function webhookOf(id: string, fields: Partial<NewWebhook['webhook']> = {}): NewWebhook {
  const webhook = {
    id,
    tenant: TENANT,
    mode: 'live',
    url: 'https://a.example/hook',
    description: '',
    types: [],
    secrets: [{ text: 'whsec_a', expiresAt: null }],
    createdAt: T0,
    ...fields,
  } as const;
  return { webhook, webhooksMax: 10, ...write('webhook.created') };
}

const asStored = ({ webhook }: NewWebhook, fields: Partial<Webhook> = {}): Webhook => ({
  ...webhook,
  disabled: null,
  failingSince: null,
  cursor: 0,
  epoch: 0,
  ...fields,
});

function progressOf(id: string, fields: Partial<DeliveryProgress> = {}): DeliveryProgress {
  return {
    webhook: id,
    epoch: 0,
    cursor: 0,
    changed: [],
    settled: [],
    attempts: [],
    failingSince: null,
    disable: null,
    ...fields,
  };
}

const rowOf = (seq: number, attempt = 1): Outstanding => ({
  seq,
  id: `evt_${seq}`,
  session: 'ses_a',
  standsFor: 'event',
  attempt,
  nextAt: T0 + seq,
  notBefore: T0 - seq,
});

function attemptOf(event: string): Attempt {
  const fields = { type: 'session.ended', session: null, attempt: 1, at: T0, durationMs: 5 };
  return { event, ...fields, status: 500, error: 'status_not_2xx', nextAt: T0 + 9, response: null };
}

function emit(store: Store, id: string): Promise<void> {
  const fields = { tenant: TENANT, mode: 'live', type: 'session.ended', session: null } as const;
  const event: NewEvent = { id, ...fields, at: T0, data: '{}' };
  return store.triggerEvent(event, write('event.triggered'));
}

export const webhookCases: readonly AreaCase[] = [
  {
    title: '[E2] a webhook is found by its tenant only, and listed by mode, newest first',
    async run({ store }) {
      const made = [
        webhookOf('whk_1'),
        webhookOf('whk_2', { types: ['move.made', 'session.ended'], description: 'ü' }),
        webhookOf('whk_3', { mode: 'test' }),
      ];
      for (const each of made) expect(await store.createWebhook(each)).toBe('created');
      expect(await store.findWebhook(TENANT, 'whk_2')).toEqual(asStored(made[1]!));
      expect(await store.findWebhook('ten_b', 'whk_2')).toBeNull();
      const list = (before: string | null, limit: number) =>
        store.listWebhooks({ tenant: TENANT, mode: 'live', before, limit });
      expect(await list(null, 9)).toEqual([asStored(made[1]!), asStored(made[0]!)]);
      expect(await list('whk_2', 9)).toEqual([asStored(made[0]!)]);
      expect((await list(null, 1)).length).toBe(1);
      expect((await store.listActiveWebhooks('whk_1', 1)).map(({ id }) => id)).toEqual(['whk_2']);
    },
  },
  {
    title:
      '[H6] of webhooks created at once at most as many succeed as the cap allows, both modes together',
    async run({ store }) {
      const many = Array.from({ length: 8 }, (_, i) => ({
        ...webhookOf(`whk_${i}`, { mode: i % 2 === 0 ? 'live' : 'test' }),
        webhooksMax: 3,
      }));
      const outcomes = await Promise.all(many.map((each) => store.createWebhook(each)));
      expect(outcomes.filter((each) => each === 'created').length).toBe(3);
      expect(await store.createWebhook(webhookOf('whk_x', { tenant: 'ten_b' }))).toBe('created');
      await store.removeWebhook(TENANT, `whk_${outcomes.indexOf('created')}`, write());
      expect(await store.createWebhook({ ...webhookOf('whk_y'), webhooksMax: 3 })).toBe('created');
    },
  },
  {
    title: '[E2] secrets are replaced only if they are still the ones that were read',
    async run({ store }) {
      await store.createWebhook(webhookOf('whk_1'));
      const first = (await store.findWebhook(TENANT, 'whk_1'))!.secrets;
      const rotate = (text: string, replaces: Webhook['secrets']) => {
        const secrets = [
          { text, expiresAt: null },
          ...replaces.map(({ text }) => ({ text, expiresAt: T0 })),
        ];
        return store.updateWebhook({
          id: 'whk_1',
          tenant: TENANT,
          secrets,
          replaces,
          ...write('s'),
        });
      };
      const both = await Promise.all([rotate('whsec_b', first), rotate('whsec_c', first)]);
      expect(both.toSorted()).toEqual([false, true]);
      const second = (await store.findWebhook(TENANT, 'whk_1'))!.secrets;
      expect(second[0]!.text).toBe(both[0] ? 'whsec_b' : 'whsec_c');
      expect(await rotate('whsec_d', first)).toBe(false);
      expect(await rotate('whsec_d', second)).toBe(true);
    },
  },
  {
    title: '[K3][H8] every write is audited and stores its response; a refused one does neither',
    async run({ store }) {
      const idempotency = answerOf('k');
      const full = { ...webhookOf('whk_1'), webhooksMax: 0, idempotency };
      expect(await store.createWebhook(full)).toBe('full');
      const strange = { id: 'whk_9', tenant: TENANT, ...write(), idempotency };
      expect(await store.updateWebhook(strange)).toBe(false);
      expect(await store.removeWebhook(TENANT, 'whk_9', strange)).toBe(false);
      expect(await store.readAudit(TENANT, 0, 9)).toEqual([]);
      expect(await store.findIdempotent(idempotency, T0)).toBeNull();
      await store.createWebhook({ ...webhookOf('whk_1'), idempotency });
      const late = { ...strange, id: 'whk_1', replaces: [], idempotency: answerOf('l') };
      expect(await store.updateWebhook(late)).toBe(false);
      expect(await store.findIdempotent(late.idempotency, T0)).toBeNull();
      expect(await store.findIdempotent(idempotency, T0)).not.toBeNull();
      await store.updateWebhook({
        id: 'whk_1',
        tenant: TENANT,
        url: 'https://b.example/',
        ...write('u'),
      });
      await store.removeWebhook(TENANT, 'whk_1', write('r'));
      await emit(store, 'evt_1');
      const acts = (await store.readAudit(TENANT, 0, 9)).map(({ act }) => act);
      expect(acts).toEqual(['webhook.created', 'u', 'r', 'event.triggered']);
    },
  },
  {
    title: '[E2] a webhook is sent events from its creation on, and from when it was enabled again',
    async run({ store }) {
      await emit(store, 'evt_1');
      await store.createWebhook(webhookOf('whk_1'));
      expect((await store.findWebhook(TENANT, 'whk_1'))?.cursor).toBe(1);
      const set = (active: boolean) =>
        store.updateWebhook({ id: 'whk_1', tenant: TENANT, active, ...write() });
      await store.recordProgress(progressOf('whk_1', { cursor: 1, changed: [rowOf(1)] }));
      await set(false);
      expect(await store.listOutstanding('whk_1')).toEqual([]);
      expect(await store.listActiveWebhooks('', 9)).toEqual([]);
      await emit(store, 'evt_2');
      await set(true);
      const again = { cursor: 2, epoch: 2, disabled: null };
      expect(await store.findWebhook(TENANT, 'whk_1')).toMatchObject(again);
      await set(true);
      expect(await store.findWebhook(TENANT, 'whk_1')).toMatchObject(again);
    },
  },
  {
    title: '[E2] progress is written whole: the position, the rows, the attempts',
    async run({ store }) {
      await store.createWebhook(webhookOf('whk_1'));
      const first = { cursor: 5, changed: [rowOf(2), rowOf(4)], attempts: [attemptOf('evt_2')] };
      expect(await store.recordProgress(progressOf('whk_1', { ...first, failingSince: T0 }))).toBe(
        true,
      );
      expect(await store.listOutstanding('whk_1')).toEqual([rowOf(2), rowOf(4)]);
      expect(await store.findWebhook(TENANT, 'whk_1')).toMatchObject({
        cursor: 5,
        failingSince: T0,
      });
      const second = { cursor: 4, changed: [rowOf(4, 2)], settled: [2] };
      await store.recordProgress(progressOf('whk_1', second));
      expect(await store.listOutstanding('whk_1')).toEqual([rowOf(4, 2)]);
      // The position never goes back.
      expect(await store.findWebhook(TENANT, 'whk_1')).toMatchObject({
        cursor: 5,
        failingSince: null,
      });
      expect(await store.listAttempts('whk_1', null, 9)).toEqual([{ n: 1, ...attemptOf('evt_2') }]);
    },
  },
  {
    title: '[E2] progress of a webhook that was disabled, moved or removed since does not count',
    async run({ store }) {
      const late = { cursor: 9, changed: [rowOf(1)], attempts: [attemptOf('evt_1')] };
      expect(await store.recordProgress(progressOf('whk_1', late))).toBe(false);
      await store.createWebhook(webhookOf('whk_1'));
      for (const active of [false, true]) {
        await store.updateWebhook({ id: 'whk_1', tenant: TENANT, active, ...write() });
        expect(await store.recordProgress(progressOf('whk_1', late))).toBe(false);
      }
      expect(await store.listOutstanding('whk_1')).toEqual([]);
      expect(await store.listAttempts('whk_1', null, 9)).toEqual([]);
      expect((await store.findWebhook(TENANT, 'whk_1'))?.cursor).toBe(0);
    },
  },
  {
    title: '[E2] parallel progress of many webhooks is written whole for each, or not at all',
    async run({ store }) {
      const ids = Array.from({ length: 40 }, (_, i) => `whk_${String(i).padStart(2, '0')}`);
      for (const id of ids) await store.createWebhook({ ...webhookOf(id), webhooksMax: 99 });
      for (const seq of [1, 2]) {
        await Promise.all(
          ids.map((id, i) => {
            const attempts = Array.from({ length: i }, () => attemptOf(`evt_${id}`));
            const changed = [rowOf(seq), rowOf(seq + 2)];
            const settled = seq === 2 ? [1] : [];
            return store.recordProgress(
              progressOf(id, { cursor: seq, changed, settled, attempts }),
            );
          }),
        );
      }
      const recorded = await Promise.all([
        ...ids.map((id, i) => {
          const change = { cursor: 3, settled: [2], attempts: [attemptOf('evt_late')] };
          const disable = i % 4 === 1 ? 'failing' : null;
          return store.recordProgress(progressOf(id, { ...change, disable }));
        }),
        ...ids.map((id) => store.recordProgress(progressOf(id, { epoch: 7, settled: [3, 4] }))),
        store.recordProgress(progressOf('whk_none', { attempts: [attemptOf('evt_none')] })),
      ]);
      expect(recorded).toEqual([...ids.map(() => true), ...ids.map(() => false), false]);
      for (const [i, id] of ids.entries()) {
        const isOff = i % 4 === 1;
        expect(await store.findWebhook(TENANT, id)).toMatchObject({
          cursor: 3,
          disabled: isOff ? 'failing' : null,
          epoch: isOff ? 1 : 0,
        });
        expect(await store.listOutstanding(id)).toEqual(isOff ? [] : [rowOf(3), rowOf(4)]);
        const kept = await store.listAttempts(id, null, 99);
        expect(kept.map(({ n }) => n)).toEqual(kept.map((_, at) => 2 * i + 1 - at));
        expect(kept.map(({ event }) => event)).toEqual([
          'evt_late',
          ...Array.from({ length: 2 * i }, () => `evt_${id}`),
        ]);
      }
    },
  },
  {
    title:
      '[E2] of progress in many parts at once the furthest position and the latest attempts stay',
    async run({ store }) {
      await store.createWebhook(webhookOf('whk_1'));
      const parts = Array.from({ length: 30 }, (_, i) =>
        progressOf('whk_1', { cursor: i, attempts: Array(10).fill(attemptOf(`evt_${i}`)) }),
      );
      expect(await Promise.all(parts.map((each) => store.recordProgress(each)))).toEqual(
        parts.map(() => true),
      );
      expect((await store.findWebhook(TENANT, 'whk_1'))?.cursor).toBe(29);
      const kept = await store.listAttempts('whk_1', null, 999);
      expect(kept.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, i) => 300 - i));
    },
  },
  {
    title:
      '[E2] a row says whether it stands for later events of its session, too, or only for those',
    async run({ store }) {
      await store.createWebhook(webhookOf('whk_1'));
      const asRest = (row: Outstanding, standsFor: Outstanding['standsFor']) => ({
        ...row,
        standsFor,
      });
      const record = (changed: DeliveryProgress['changed']) =>
        store.recordProgress(progressOf('whk_1', { cursor: 4, changed }));
      const first = [asRest(rowOf(2), 'event_and_rest'), asRest(rowOf(3), 'rest'), rowOf(4)];
      await record(first);
      expect(await store.listOutstanding('whk_1')).toEqual(first);
      const second = [rowOf(2, 2), rowOf(3, 2), asRest({ ...rowOf(4), notBefore: T0 }, 'rest')];
      await record(second);
      expect(await store.listOutstanding('whk_1')).toEqual(second);
    },
  },
  {
    title: '[E2] a webhook with a new address starts fresh, and earlier deliveries are void',
    async run({ store }) {
      await store.createWebhook(webhookOf('whk_1'));
      const failed = { cursor: 5, changed: [rowOf(2, 4), rowOf(4)], failingSince: T0 };
      await store.recordProgress(progressOf('whk_1', failed));
      const set = (fields: object) =>
        store.updateWebhook({ id: 'whk_1', tenant: TENANT, ...fields, ...write() });
      // The same address, or none, changes nothing.
      await set({ url: 'https://a.example/hook', description: 'x' });
      await set({ description: 'y' });
      const before = { failingSince: T0, epoch: 0, cursor: 5 };
      expect(await store.findWebhook(TENANT, 'whk_1')).toMatchObject(before);
      expect(await store.listOutstanding('whk_1')).toEqual([rowOf(2, 4), rowOf(4)]);
      await set({ url: 'https://b.example/hook' });
      const after = { url: 'https://b.example/hook', failingSince: null, epoch: 1, cursor: 5 };
      expect(await store.findWebhook(TENANT, 'whk_1')).toMatchObject(after);
      const due = { attempt: 0, nextAt: 0, notBefore: 0 };
      expect(await store.listOutstanding('whk_1')).toEqual([
        { ...rowOf(2), ...due },
        { ...rowOf(4), ...due },
      ]);
      const late = { ...failed, attempts: [attemptOf('evt_2')], disable: 'gone' } as const;
      expect(await store.recordProgress(progressOf('whk_1', late))).toBe(false);
      expect(await store.findWebhook(TENANT, 'whk_1')).toMatchObject({ ...after, disabled: null });
    },
  },
  {
    title: '[E2] disabling an endpoint drops outstanding events, and keeps its attempts',
    async run({ store }) {
      await store.createWebhook(webhookOf('whk_1'));
      await store.recordProgress(progressOf('whk_1', { cursor: 1, changed: [rowOf(1)] }));
      const last = { cursor: 2, attempts: [attemptOf('evt_2')], disable: 'gone' } as const;
      expect(await store.recordProgress(progressOf('whk_1', last))).toBe(true);
      expect(await store.findWebhook(TENANT, 'whk_1')).toMatchObject({
        disabled: 'gone',
        epoch: 1,
      });
      expect(await store.listOutstanding('whk_1')).toEqual([]);
      expect((await store.listAttempts('whk_1', null, 9)).length).toBe(1);
    },
  },
  {
    title: '[E2] each webhook keeps its latest 200 attempts, in pages',
    async run({ store }) {
      for (const id of ['whk_1', 'whk_2']) await store.createWebhook(webhookOf(id));
      await store.recordAttempt('whk_2', attemptOf('evt_other'));
      for (let i = 0; i < 5; i++) {
        const attempts = Array.from({ length: 50 }, (_, j) => attemptOf(`evt_${i * 50 + j}`));
        await store.recordProgress(progressOf('whk_1', { cursor: i, attempts }));
      }
      const kept = await store.listAttempts('whk_1', null, 1_000);
      expect(kept.length).toBe(200);
      expect([kept[0]!.event, kept[199]!.event]).toEqual(['evt_249', 'evt_50']);
      const next = await store.listAttempts('whk_1', kept[9]!.n, 2);
      expect(next).toEqual(kept.slice(10, 12));
      expect((await store.listAttempts('whk_2', null, 9)).length).toBe(1);
      await store.removeWebhook(TENANT, 'whk_1', write());
      expect(await store.listAttempts('whk_1', null, 9)).toEqual([]);
    },
  },
  {
    title: '[E2a][R2] response texts are stored with the attempt, and go in time or with a player',
    async run({ store }) {
      for (const id of ['whk_1', 'whk_2']) await store.createWebhook(webhookOf(id));
      await store.createWebhook(webhookOf('whk_test', { mode: 'test' }));
      const said = (event: string, response: string | null, at = T0) => ({
        ...attemptOf(event),
        response,
        at,
      });
      const attempts = [
        said('evt_1', 'no such player', T0 - 2),
        said('evt_2', null),
        said('evt_1', 'bad'),
      ];
      await store.recordProgress(progressOf('whk_1', { cursor: 1, attempts }));
      await store.recordAttempt('whk_2', said('evt_1', 'old', T0 - 1));
      await store.recordAttempt('whk_test', said('evt_t', 'of the test world'));
      const responses = async (id: string) =>
        (await store.listAttempts(id, null, 9)).map(({ response }) => response);
      expect(await responses('whk_1')).toEqual(['bad', null, 'no such player']);
      const ofOne = await store.listAttemptsOf('whk_1', 'evt_1');
      expect(ofOne.map(({ n, response }) => [n, response])).toEqual([
        [3, 'bad'],
        [1, 'no such player'],
      ]);
      expect(await store.listAttemptsOf('whk_1', 'evt_9')).toEqual([]);
      expect(await store.forgetResponses(T0, 1)).toBe(1);
      expect(await store.forgetResponses(T0, 9)).toBe(1);
      expect(await store.forgetResponses(T0, 9)).toBe(0);
      expect([await responses('whk_1'), await responses('whk_2')]).toEqual([
        ['bad', null, null],
        [null],
      ]);
      await created(store, 1, { seats: [seatOf(0, 'zoe')] });
      expect(await store.erasePlayer(TENANT, ['live'], 'zoe', T0)).toBe(true);
      expect(await responses('whk_1')).toEqual([null, null, null]);
      expect(await responses('whk_test')).toEqual(['of the test world']);
    },
  },
  {
    title: '[E2] an attempt that ends after its webhook was removed leaves nothing',
    async run({ store }) {
      await store.createWebhook(webhookOf('whk_1'));
      await store.removeWebhook(TENANT, 'whk_1', write());
      await store.recordAttempt('whk_1', attemptOf('evt_late'));
      expect(await store.listAttempts('whk_1', null, 9)).toEqual([]);
    },
  },
];
