/** The contract of `cluster.ts`: leases, session owners, mail. */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { ClusterStore } from '../cluster.ts';

export interface ClusterStage {
  readonly store: ClusterStore;
  /** Advances the store's clock. */
  pass(ms: number): Promise<void>;
  /** A session that a node owns; returns its id. */
  makeHeld(node: string): Promise<string>;
  /** A sleeping session that is due then, ms since 1970. */
  makeAsleep(wakeAt: number): Promise<string>;
  makeEnded(): Promise<string>;
  close(): Promise<void>;
}

/** A lease longer than any case, and one that expires soon. Ms. */
const LONG_MS = 60_000;
const SHORT_MS = 60;

interface Case {
  readonly title: string;
  run(stage: ClusterStage): Promise<void>;
}

const LEASES: readonly Case[] = [
  {
    title: 'a node that joins has kept its lease, and is listed',
    async run({ store }) {
      expect(await store.renewLease('b', LONG_MS, false)).toBe('kept');
      expect(await store.renewLease('a', LONG_MS, true)).toBe('kept');
      expect(await store.renewLease('b', LONG_MS, false)).toBe('kept');
      const rows = await store.listLeases();
      const valid = { isValid: true };
      expect(rows).toMatchObject([
        { node: 'a', isDraining: true, ...valid },
        { node: 'b', isDraining: false, ...valid },
      ]);
      for (const row of rows) expect(row.leaseUntil - row.aliveAt).toBe(LONG_MS);
    },
  },
  {
    title: 'a heartbeat of a node that owes time renews the lease and is no sign of life',
    async run({ store, pass }) {
      await store.renewLease('a', SHORT_MS, false);
      const { aliveAt, leaseUntil } = (await store.listLeases())[0]!;
      await pass(20);
      await store.renewLease('a', LONG_MS, false, true);
      const later = (await store.listLeases())[0]!;
      expect([later.aliveAt, later.isValid]).toEqual([aliveAt, true]);
      expect(later.leaseUntil).toBeGreaterThan(leaseUntil);
    },
  },
  {
    title: 'a lease that was over is lost, and a new one has begun',
    async run({ store, pass }) {
      await store.renewLease('a', SHORT_MS, false);
      await pass(SHORT_MS + 20);
      expect((await store.listLeases())[0]!.isValid).toBe(false);
      expect(await store.renewLease('a', LONG_MS, false)).toBe('lost');
      expect((await store.listLeases())[0]!.isValid).toBe(true);
      expect(await store.renewLease('a', LONG_MS, false)).toBe('kept');
    },
  },
  {
    title: 'a lease is ended early when it has not been renewed lately, once',
    async run({ store }) {
      await store.renewLease('a', LONG_MS, false);
      expect(await store.endLease('a', LONG_MS - 1_000)).toBe(false);
      expect(await store.endLease('nobody', LONG_MS)).toBe(false);
      const ended = await Promise.all([1, 2, 3].map(() => store.endLease('a', LONG_MS)));
      expect(ended.filter((each) => each)).toEqual([true]);
      expect((await store.listLeases())[0]!.isValid).toBe(false);
      expect(await store.renewLease('a', LONG_MS, false)).toBe('lost');
    },
  },
  {
    title: 'who leaves has no lease any more',
    async run({ store }) {
      await store.renewLease('a', LONG_MS, false);
      await store.removeNode('a');
      await store.removeNode('nobody');
      expect((await store.listLeases()).filter(({ isValid }) => isValid)).toEqual([]);
    },
  },
  {
    title: 'a session is held by the node in its row, as long as that node has a valid lease',
    async run({ store, pass, makeHeld }) {
      await store.renewLease('a', LONG_MS, false);
      await store.renewLease('b', LONG_MS, false);
      const [ofA, ofB, ofNobody] = [
        await makeHeld('a'),
        await makeHeld('b'),
        await makeHeld('gone'),
      ];
      expect([await store.holderOf(ofA), await store.holderOf(ofB)]).toEqual(['a', 'b']);
      expect([await store.holderOf(ofNobody), await store.holderOf('ses_none')]).toEqual([
        null,
        null,
      ]);
      await store.renewLease('b', SHORT_MS, false);
      await pass(SHORT_MS + 20);
      expect([await store.holderOf(ofA), await store.holderOf(ofB)]).toEqual(['a', null]);
    },
  },
  {
    title:
      'a session that sleeps is held by the first who claims it; one that is held stays where it is',
    async run({ store, makeHeld, makeAsleep }) {
      for (const node of ['a', 'b', 'c']) await store.renewLease(node, LONG_MS, false);
      const [asleep, ofA, ofNobody] = [
        await makeAsleep(7),
        await makeHeld('a'),
        await makeHeld('gone'),
      ];
      const claims = await Promise.all(['a', 'b', 'c'].map((node) => store.claim(node, asleep)));
      const holder = (await store.holderOf(asleep))!;
      // A late caller gets the owner, or null.
      expect(['a', 'b', 'c'].filter((_, index) => claims[index]!.isNew)).toEqual([holder]);
      for (const claim of claims) expect([holder, null]).toContain(claim.holder);
      expect(await store.claim(holder, asleep)).toEqual({ holder, isNew: false });
      expect(await store.claim('b', ofA)).toEqual({ holder: 'a', isNew: false });
      // Reading its log shows that its owner is not alive.
      expect(await store.claim('b', ofNobody)).toEqual({ holder: null, isNew: false });
      expect(await store.claim('b', 'ses_none')).toEqual({ holder: null, isNew: false });
    },
  },
  {
    title: 'a node learns what it holds, page by page, and what it has in memory in vain',
    async run({ store, makeHeld, makeAsleep, makeEnded }) {
      const held = [
        await makeHeld('keeper'),
        await makeHeld('keeper'),
        await makeHeld('keeper'),
      ].sort();
      const ofOther = await makeHeld('other');
      const [asleep, ended] = [await makeAsleep(7), await makeEnded()];
      expect(await store.listHeld('keeper', '', 2)).toEqual(held.slice(0, 2));
      expect(await store.listHeld('keeper', held[1]!, 2)).toEqual(held.slice(2));
      expect(await store.listHeld('nobody', '', 2)).toEqual([]);
      const toRelease = await store.listToRelease('keeper', [
        ...held,
        ofOther,
        asleep,
        ended,
        'ses_none',
      ]);
      expect([...toRelease].sort()).toEqual([ofOther, ended].sort());
    },
  },
];

const MAIL: readonly Case[] = [
  {
    title: 'mail is taken once, in the order of each sender',
    async run({ store }) {
      await store.renewLease('a', LONG_MS, false);
      await store.putMail('a', 'b', ['b1', 'b2']);
      await store.putMail('a', 'c', ['c1']);
      await store.putMail('a', 'b', ['b3 "\\ é\u{1F600}']);
      expect(await store.takeMail('b', 10)).toEqual([]);
      const first = await store.takeMail('a', 2);
      const rest = await store.takeMail('a', 10);
      const all = [...first, ...rest];
      expect(first.length).toBe(2);
      expect(all.filter(({ from }) => from === 'b').map(({ text }) => text)).toEqual([
        'b1',
        'b2',
        'b3 "\\ é\u{1F600}',
      ]);
      expect(all.filter(({ from }) => from === 'c')).toEqual([{ from: 'c', text: 'c1' }]);
      expect(await store.takeMail('a', 10)).toEqual([]);
    },
  },
  {
    title: 'of many that look at once each text goes to one',
    async run({ store }) {
      await store.renewLease('a', LONG_MS, false);
      const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`);
      await store.putMail('a', 'b', texts);
      const taken = await Promise.all([1, 2, 3, 4].map(() => store.takeMail('a', 100)));
      const left = await store.takeMail('a', 1_000);
      const all = [...taken.flat(), ...left].map(({ text }) => text);
      expect(all.length).toBe(200);
      expect(new Set(all)).toEqual(new Set(texts));
    },
  },
  {
    title: 'mail for a node without a lease is thrown away, also what was there when it left',
    async run({ store }) {
      await store.putMail('a', 'b', ['early']);
      await store.renewLease('a', LONG_MS, false);
      await store.putMail('a', 'b', ['in time']);
      await store.removeNode('a');
      await store.putMail('a', 'b', ['late']);
      expect(await store.takeMail('a', 10)).toEqual([]);
    },
  },
];

/** Registers the suite. Each case gets its own store. */
export function clusterContractSuite(name: string, open: () => Promise<ClusterStage>): void {
  let stage: ClusterStage;
  beforeEach(async () => {
    stage = await open();
  });
  afterEach(() => stage.close());
  for (const { title, run } of [...LEASES, ...MAIL]) {
    test(`[STORE-cluster] ${name}: ${title}`, () => run(stage));
  }
}
