/** The key watch: counts and networks over all openers, one alert per kind and day (rule K6). */

import { expect } from 'bun:test';
import type { NewEvent } from '../../../events/event.ts';
import type { KeyAlertRow, NotedKeyUse } from '../../key-watch.ts';
import type { Store } from '../../whole-store.ts';
import type { AreaCase } from '../area.ts';
import { auditFilter, auditOf, T0, TENANT, tenantOf } from '../stage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The beginning of an hour, at noon. */
const NOON = Math.ceil(T0 / DAY_MS) * DAY_MS + 12 * HOUR_MS;

const useOf = (fields: Partial<NotedKeyUse> = {}): NotedKeyUse => ({
  tenant: TENANT,
  key: 'key_a',
  requests: 1,
  refused: 0,
  networks: [],
  ...fields,
});
const alertOf = (fields: Partial<KeyAlertRow> = {}): KeyAlertRow => ({
  id: 'evt_1',
  tenant: TENANT,
  mode: 'live',
  key: 'key_a',
  kind: 'refusals',
  day: '2026-11-25',
  at: T0,
  details: '{"refused":100}',
  ...fields,
});
const eventOf = ({ id, tenant, mode, at }: KeyAlertRow): NewEvent => ({
  id,
  tenant,
  mode,
  type: 'key.alert',
  session: null,
  at,
  data: '{}',
});

const makeTenant = (store: Store) => store.createTenant(tenantOf(), auditOf('tenant.created'));

export const keyWatchCases: readonly AreaCase[] = [
  {
    title: '[K6] requests are counted by hour, and the busiest hour of 7 days is known',
    async run({ store }) {
      await makeTenant(store);
      const note = async (at: number, use: Partial<NotedKeyUse>) =>
        (await store.noteKeyUses([useOf(use)], at, 50))[0]!;
      await note(NOON - 169 * HOUR_MS, { requests: 900, refused: 900 });
      await note(NOON - 168 * HOUR_MS, { requests: 30, refused: 3 });
      await note(NOON - 25 * HOUR_MS, { requests: 20, refused: 9 });
      await note(NOON - 24 * HOUR_MS, { requests: 10 });
      await note(NOON, { key: 'key_b', requests: 7_000 });
      await note(NOON + 1, { requests: 5, refused: 1 });
      expect(await note(NOON + HOUR_MS - 1, { requests: 6, refused: 2 })).toEqual({
        key: 'key_a',
        requests: 11,
        refused: 3,
        busiestRequests: 30,
        busiestRefused: 9,
        daysUsed: 2,
        newNetworks: 0,
        networksKnown: 0,
        firstNetworkAt: null,
      });
    },
  },
  {
    title: '[K6] a network is new to a key once, and only a limited number is stored',
    async run({ store }) {
      await makeTenant(store);
      const note = async (at: number, networks: string[], key = 'key_a') => {
        const [facts] = await store.noteKeyUses([useOf({ networks, key })], at, 3);
        return [facts!.newNetworks, facts!.networksKnown, facts!.firstNetworkAt];
      };
      expect(await note(T0, ['n1', 'n2'])).toEqual([2, 0, null]);
      expect(await note(T0 + 1, ['n2'])).toEqual([0, 2, T0]);
      expect(await note(T0 + 2, ['n1'], 'key_b')).toEqual([1, 0, null]);
      expect(await note(T0 + 3, ['n3'])).toEqual([1, 2, T0]);
      expect(await note(T0 + 4, ['n4', 'n5'])).toEqual([0, 3, T0]);
      // A network that was not seen for long is removed, and is new again.
      const gone = await store.removeKeyWatch({ hours: 0, rest: T0 + 2 });
      expect(gone).toBe(2);
      expect(await note(T0 + 5, ['n1'])).toEqual([1, 1, T0 + 3]);
    },
  },
  {
    title: '[K6] of several openers that note the same network and hour one finds it new',
    async run({ store, another }) {
      const other = await another();
      await makeTenant(store);
      const noted = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          (n % 2 === 0 ? store : other).noteKeyUses(
            [useOf({ key: 'key_b', networks: ['n1'] }), useOf({ networks: ['n1'] })],
            NOON,
            50,
          ),
        ),
      );
      for (const i of [0, 1]) {
        expect(noted.map((facts) => facts[i]!.newNetworks).sort()).toEqual([
          0, 0, 0, 0, 0, 0, 0, 1,
        ]);
        expect(Math.max(...noted.map((facts) => facts[i]!.requests))).toBe(8);
      }
      expect(noted[0]!.map(({ key }) => key)).toEqual(['key_b', 'key_a']);
    },
  },
  {
    title: '[K6] an alert of a kind is raised once a day, with its event, by one of all openers',
    async run({ store, another }) {
      const other = await another();
      await makeTenant(store);
      const alerts = Array.from({ length: 6 }, (_, n) => alertOf({ id: `evt_${n}` }));
      const raised = await Promise.all(
        alerts.map((alert, n) =>
          (n % 2 === 0 ? store : other).raiseKeyAlert(alert, eventOf(alert)),
        ),
      );
      expect(raised.filter(Boolean)).toHaveLength(1);
      const world = { tenant: TENANT, mode: 'live' } as const;
      const events = await store.readEvents(world, 0, 10);
      const open = await store.listKeyAlerts(TENANT, 'live', 10);
      expect(events.map(({ id, type }) => [id, type])).toEqual([[open[0]!.id, 'key.alert']]);
      expect(open).toEqual([alertOf({ id: open[0]!.id })]);
      const later = alertOf({ id: 'evt_7', day: '2026-11-26' });
      expect(await store.raiseKeyAlert(later, eventOf(later))).toBe(true);
      const old = alertOf({ id: 'evt_8', kind: 'old_secret' });
      expect(await store.raiseKeyAlert(old, eventOf(old))).toBe(true);
      expect((await store.listKeyAlerts(TENANT, 'live', 2)).map(({ id }) => id)).toEqual([
        'evt_8',
        'evt_7',
      ]);
    },
  },
  {
    title: '[K6] an alert is acknowledged once, in its own mode, and that is audited',
    async run({ store }) {
      await makeTenant(store);
      const alert = alertOf();
      await store.raiseKeyAlert(alert, eventOf(alert));
      const close = (tenant: string, mode: 'live' | 'test') =>
        store.acknowledgeKeyAlert(tenant, mode, alert.id, T0 + 1, auditOf('acknowledged'));
      expect(await close(TENANT, 'test')).toBe(false);
      expect(await close('ten_b', 'live')).toBe(false);
      expect(await store.listKeyAlerts(TENANT, 'live', 10)).toHaveLength(1);
      expect(await close(TENANT, 'live')).toBe(true);
      expect(await close(TENANT, 'live')).toBe(false);
      expect(await store.listKeyAlerts(TENANT, 'live', 10)).toEqual([]);
      expect((await store.listAudit(auditFilter())).map(({ act }) => act)).toEqual([
        'acknowledged',
        'tenant.created',
      ]);
      // It still counts for its day.
      expect(await store.raiseKeyAlert(alertOf({ id: 'evt_2' }), eventOf(alert))).toBe(false);
    },
  },
  {
    title: '[K6] for a tenant whose removal has begun nothing is noted and no alert is raised',
    async run({ store }) {
      await makeTenant(store);
      await store.noteKeyUses([useOf({ networks: ['n1'] })], NOON, 50);
      await store.beginRemoval(TENANT, NOON, auditOf('tenant.removed'));
      const [facts] = await store.noteKeyUses([useOf({ networks: ['n2'] })], NOON, 50);
      expect(facts).toMatchObject({ requests: 1, networksKnown: 1, newNetworks: 0 });
      expect(await store.raiseKeyAlert(alertOf(), eventOf(alertOf()))).toBe(false);
      expect(await store.readEvents({ tenant: TENANT, mode: 'live' }, 0, 10)).toEqual([]);
    },
  },
];
