/** What every store guarantees for limits that nodes share (rule H6). */

import { expect } from 'bun:test';
import { grantOf, type LimitStore } from '../../limits.ts';
import { T0 } from '../stage.ts';

export interface LimitStage {
  readonly store: LimitStore;
  /** Another node's store on the same database. */
  readonly other: LimitStore;
  /** Makes a node's lease valid, or expired. */
  setAlive(node: string, isAlive: boolean): Promise<void>;
}

export interface LimitCase {
  /** Begins with the rule it proves. */
  readonly title: string;
  run(stage: LimitStage): Promise<void>;
}

const WINDOW = { key: 'ten_a:live', endsAt: T0 + 60_000 } as const;
const PLACES = { key: 'sockets:live ten_a', max: 10 } as const;

export const limitCases: readonly LimitCase[] = [
  {
    title:
      '[H6][N20] a window grants at most a share of what is left, at least one, and all in the end',
    async run({ store, other }) {
      const given: number[] = [];
      let used = 0;
      for (let turn = 0; turn < 40; turn++) {
        const ask = { ...WINDOW, limit: 100, wanted: 1 + (turn % 9) * 5, part: 8 };
        const { granted, left } = await (turn % 2 === 0 ? store : other).takeTokens(ask);
        expect(granted).toBe(grantOf(ask, used));
        used += granted;
        expect(left).toBe(100 - used);
        given.push(granted);
      }
      expect(used).toBe(100);
      expect(given.at(-1)).toBe(0);
      expect(Math.max(...given)).toBeLessThanOrEqual(12);
    },
  },
  {
    title: '[H6][N20] windows of another key or another end are separate',
    async run({ store }) {
      const ask = { limit: 1, wanted: 1, part: 1 };
      const one = await store.takeTokens({ ...WINDOW, ...ask });
      const two = await store.takeTokens({ ...WINDOW, key: 'ten_a:test', ...ask });
      const three = await store.takeTokens({ ...WINDOW, endsAt: WINDOW.endsAt + 1, ...ask });
      const again = await store.takeTokens({ ...WINDOW, ...ask });
      expect([one, two, three, again].map(({ granted }) => granted)).toEqual([1, 1, 1, 0]);
    },
  },
  {
    title: '[H6][N20] returned tokens are available again, and a lowered limit grants nothing',
    async run({ store, other }) {
      const ask = { ...WINDOW, wanted: 64, part: 1 };
      expect(await store.takeTokens({ ...ask, limit: 50 })).toEqual({ granted: 50, left: 0 });
      await store.returnTokens(WINDOW, 20);
      expect(await other.takeTokens({ ...ask, limit: 20 })).toEqual({ granted: 0, left: 0 });
      expect(await other.takeTokens({ ...ask, limit: 50 })).toEqual({ granted: 20, left: 0 });
      // An unknown window has nothing to return to.
      await store.returnTokens({ ...WINDOW, key: 'nobody' }, 5);
      const fresh = await store.takeTokens({ ...ask, key: 'nobody', limit: 3 });
      expect(fresh).toEqual({ granted: 3, left: 0 });
    },
  },
  {
    title: '[H6][N20] 1,200 parallel calls of two nodes get exactly the limit of 500',
    async run({ store, other }) {
      const grants = await Promise.all(
        Array.from({ length: 1_200 }, (_, n) =>
          (n % 2 === 0 ? store : other).takeTokens({
            ...WINDOW,
            limit: 500,
            wanted: 1 + (n % 7),
            part: 8,
          }),
        ),
      );
      expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(500);
      expect(Math.min(...grants.map(({ left }) => left))).toBe(0);
    },
  },
  {
    title: '[H6][N20] the slots of live nodes never exceed the limit',
    async run({ store, other, setAlive }) {
      await setAlive('nod_a', true);
      await setAlive('nod_b', true);
      const a = (taken: number, wanted: number) =>
        store.holdPlaces({ ...PLACES, node: 'nod_a', taken, wanted });
      const b = (taken: number, wanted: number) =>
        other.holdPlaces({ ...PLACES, node: 'nod_b', taken, wanted });
      expect(await a(0, 6)).toBe(6);
      expect(await b(0, 6)).toBe(4);
      expect(await b(0, 6)).toBe(4);
      expect(await a(5, 5)).toBe(5);
      expect(await b(4, 9)).toBe(5);
      expect(await a(0, 0)).toBe(0);
      expect(await b(5, 99)).toBe(10);
      // Slots in use stay, even when the limit was lowered since.
      expect(
        await other.holdPlaces({ ...PLACES, max: 3, node: 'nod_b', taken: 7, wanted: 8 }),
      ).toBe(7);
    },
  },
  {
    title: '[H6][N20] slots of a node with an expired lease are free, until it is alive again',
    async run({ store, setAlive }) {
      await setAlive('nod_a', true);
      await setAlive('nod_b', true);
      const hold = (node: string, wanted: number) =>
        store.holdPlaces({ ...PLACES, node, taken: 0, wanted });
      expect(await hold('nod_a', 10)).toBe(10);
      expect(await hold('nod_b', 3)).toBe(0);
      await setAlive('nod_a', false);
      expect(await hold('nod_b', 3)).toBe(3);
      // A grant without a lease would count for nobody.
      expect(await hold('nod_a', 10)).toBeNull();
      expect(await hold('nod_unknown', 1)).toBeNull();
      await setAlive('nod_a', true);
      expect(await hold('nod_a', 10)).toBe(7);
    },
  },
  {
    title: '[H6][N20] nodes in a race never get more slots than there are',
    async run({ store, other, setAlive }) {
      const nodes = ['nod_a', 'nod_b', 'nod_c', 'nod_d'];
      for (const node of nodes) await setAlive(node, true);
      for (let round = 0; round < 5; round++) {
        const held = await Promise.all(
          nodes.map((node, n) =>
            (n % 2 === 0 ? store : other).holdPlaces({
              ...PLACES,
              node,
              taken: 0,
              wanted: 4 + round,
            }),
          ),
        );
        expect(held.reduce<number>((sum, each) => sum + each!, 0)).toBe(10);
        for (const node of nodes) await store.holdPlaces({ ...PLACES, node, taken: 0, wanted: 0 });
      }
    },
  },
  {
    title: '[H6][N20] windows that have ended are removed, the others stay',
    async run({ store }) {
      const ask = { limit: 5, wanted: 5, part: 1 };
      for (let n = 0; n < 3; n++) {
        await store.takeTokens({ ...WINDOW, endsAt: WINDOW.endsAt + n, ...ask });
      }
      expect(await store.removeLeftovers(WINDOW.endsAt + 2)).toBe(2);
      expect(await store.removeLeftovers(WINDOW.endsAt + 2)).toBe(0);
      const kept = await store.takeTokens({ ...WINDOW, endsAt: WINDOW.endsAt + 2, ...ask });
      expect(kept.granted).toBe(0);
    },
  },
];
