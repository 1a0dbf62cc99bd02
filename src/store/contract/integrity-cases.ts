/** What device checks store: each step is atomic under parallel calls. */

import { expect } from 'bun:test';
import { sweepIntegrity } from '../../runtime/integrity/sweep.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import type { AttestedKey, ChallengeRow, CredentialRow, TokenUse } from '../integrity.ts';
import type { Store } from '../whole-store.ts';
import { type AreaCase, times } from './area.ts';
import { answerOf, auditOf, T0, TENANT } from './stage.ts';

const IOS: CredentialRow = {
  tenant: TENANT,
  mode: 'live',
  platform: 'ios',
  credential: { bundleId: 'com.example', teamId: 'A1B2C3D4E5' },
  updatedAt: T0,
};
const ANDROID: CredentialRow = {
  tenant: TENANT,
  mode: 'live',
  platform: 'android',
  credential: { packageName: 'com.example', googleCloudProjectNumber: '1' },
  updatedAt: T0 + 1,
};
const KEY: AttestedKey = {
  tenant: TENANT,
  mode: 'live',
  appId: 'A1B2C3D4E5.com.example',
  keyId: 'key',
  publicKey: 'point',
  environment: 'production',
  attestedAt: T0,
};
const challengeOf = (digest: string, change: Partial<ChallengeRow> = {}): ChallengeRow => ({
  digest,
  tenant: TENANT,
  mode: 'live',
  platform: 'ios',
  expiresAt: T0 + 300_000,
  ...change,
});
const IOS_ID = { tenant: TENANT, mode: 'live', platform: 'ios' } as const;
const use = (store: Store, digest: string, now = T0, change: object = {}) =>
  store.useChallenge({ ...IOS_ID, digest, now, ...change });

const noteOf = (digest: string, change: Partial<TokenUse> = {}): TokenUse => ({
  digest,
  claim: 'mine',
  now: T0,
  heldSince: 0,
  ...change,
});
const isNew = async (store: Store, use: TokenUse) => (await store.noteToken(use)).kind === 'new';

export const integrityCases: readonly AreaCase[] = [
  {
    title: '[I1] one credential per platform and tenant: a second replaces the first',
    async run({ store }) {
      await store.putCredential(IOS, auditOf('integrity.put'), null);
      await store.putCredential(ANDROID, auditOf('integrity.put'), null);
      expect(await store.findCredential(IOS_ID)).toEqual(IOS);
      expect(await store.listCredentials(TENANT, 'live')).toEqual([ANDROID, IOS]);
      const next = { ...IOS, updatedAt: T0 + 2 };
      await store.putCredential(next, auditOf('integrity.put'), null);
      expect(await store.listCredentials(TENANT, 'live')).toEqual([next, ANDROID]);
      expect(await store.findCredential({ ...IOS_ID, tenant: 'ten_b' })).toBeNull();
      expect(await store.listCredentials('ten_b', 'live')).toEqual([]);
      expect((await store.readAudit(TENANT, 0, 9)).map(({ act }) => act)).toEqual(
        Array(3).fill('integrity.put'),
      );
    },
  },
  {
    title: '[I1][H8] removing a missing one writes nothing; otherwise the response is stored',
    async run({ store }) {
      const answer = answerOf('k');
      const find = () => store.findIdempotent(answer, T0);
      expect(await store.removeCredential(IOS_ID, auditOf('integrity.delete'), answer)).toBe(false);
      expect(await find()).toBeNull();
      expect(await store.readAudit(TENANT, 0, 9)).toEqual([]);
      await store.putCredential(IOS, auditOf('integrity.put'), null);
      expect(await store.removeCredential(IOS_ID, auditOf('integrity.delete'), answer)).toBe(true);
      expect((await find())?.body).toBe(answer.body);
      expect(await store.findCredential(IOS_ID)).toBeNull();
    },
  },
  {
    title: '[K3][I1] test mode reads the live credential if it has none, and changes only its own',
    async run({ store }) {
      const audit = () => auditOf('integrity.put');
      const own = { ...IOS_ID, mode: 'test' } as const;
      await store.putCredential(IOS, audit(), null);
      expect(await store.findCredential(own)).toEqual(IOS);
      expect(await store.listCredentials(TENANT, 'test')).toEqual([]);
      expect(await store.removeCredential(own, audit(), null)).toBe(false);
      const beta = { ...IOS, mode: 'test', updatedAt: T0 + 9 } as const;
      await store.putCredential(beta, audit(), null);
      expect(await store.findCredential(own)).toEqual(beta);
      expect(await store.findCredential(IOS_ID)).toEqual(IOS);
      expect(await store.removeCredential(IOS_ID, audit(), null)).toBe(true);
      expect(await store.findCredential(IOS_ID)).toBeNull();
      expect(await store.listCredentials(TENANT, 'test')).toEqual([beta]);
    },
  },
  {
    title: '[I4] of any number of uses of a challenge one counts',
    async run({ store, another }) {
      const stores = [store, await another()];
      await store.addChallenge(challengeOf('a'), null);
      const outcomes = await times(20, (i) => use(stores[i % 2]!, 'a'));
      expect(outcomes.filter((each) => each === 'used')).toHaveLength(1);
      expect(outcomes.filter((each) => each === 'reused')).toHaveLength(19);
    },
  },
  {
    title: '[I4][K3] another tenant’s, mode’s or platform’s challenge is unknown, and stays unused',
    async run({ store }) {
      await store.addChallenge(challengeOf('a'), null);
      expect(await use(store, 'b')).toBe('unknown');
      expect(await use(store, 'a', T0, { tenant: 'ten_b' })).toBe('unknown');
      expect(await use(store, 'a', T0, { platform: 'android' })).toBe('unknown');
      expect(await use(store, 'a', T0, { mode: 'test' })).toBe('unknown');
      expect(await use(store, 'a', T0 + 299_999)).toBe('used');
    },
  },
  {
    title: '[I4] an expired challenge stays expired',
    async run({ store }) {
      await store.addChallenge(challengeOf('a'), null);
      expect(await use(store, 'a', T0 + 300_000)).toBe('expired');
      expect(await use(store, 'a', T0 + 300_001)).toBe('expired');
    },
  },
  {
    title: '[H8] the response to a request for a challenge is stored with it',
    async run({ store }) {
      const answer = answerOf('k');
      await store.addChallenge(challengeOf('a'), answer);
      expect((await store.findIdempotent(answer, T0))?.body).toBe(answer.body);
    },
  },
  {
    title: '[I3] a token’s digest is new once, also for another store and after a restart',
    async run(stage) {
      let { store } = stage;
      const other = await stage.another();
      const both = await Promise.all([
        times(10, () => isNew(store, noteOf('d'))),
        times(10, () => isNew(other, noteOf('d'))),
      ]);
      expect(both.flat().filter(Boolean)).toHaveLength(1);
      store = await stage.reopen();
      expect(await store.noteToken(noteOf('d', { now: T0 + 1 }))).toEqual({ kind: 'spent' });
      expect(await isNew(store, noteOf('e', { now: T0 + 1 }))).toBe(true);
    },
  },
  {
    title: '[I4] the finding of a token goes to one of many calls with its claim, and to no other',
    async run(stage) {
      const { store } = stage;
      const stores = [store, await stage.another()];
      await store.noteToken(noteOf('d'));
      await store.holdFinding(noteOf('d', { claim: 'other' }), 'not theirs to say');
      expect(await store.noteToken(noteOf('d'))).toEqual({ kind: 'spent' });
      await store.holdFinding(noteOf('d'), 'found');
      expect(await stores[1]!.noteToken(noteOf('d', { claim: 'other' }))).toEqual({
        kind: 'spent',
      });
      const all = await times(10, (i) => stores[i % 2]!.noteToken(noteOf('d')));
      expect(all.filter(({ kind }) => kind === 'held')).toEqual([{ kind: 'held', held: 'found' }]);
      expect(all.filter(({ kind }) => kind === 'spent')).toHaveLength(9);
    },
  },
  {
    title:
      '[I4] a stored finding survives a restart, and its age counts from the note of the token',
    async run(stage) {
      await stage.store.noteToken(noteOf('d'));
      await stage.store.holdFinding(noteOf('d'), 'found');
      const store = await stage.reopen();
      expect(await store.noteToken(noteOf('d', { heldSince: T0 + 1 }))).toEqual({ kind: 'spent' });
      const held = { kind: 'held', held: 'found' } as const;
      expect(await store.noteToken(noteOf('d', { heldSince: T0 }))).toEqual(held);
      await store.holdFinding(noteOf('e'), 'of a token that nobody noted');
      expect(await isNew(store, noteOf('e'))).toBe(true);
    },
  },
  {
    title: '[I3] an attested key is stored once per tenant and app',
    async run({ store }) {
      expect((await times(5, () => store.addAttestedKey(KEY))).filter(Boolean)).toHaveLength(1);
      expect(await store.findAttestedKey(KEY)).toEqual(KEY);
      expect(await store.findAttestedKey({ ...KEY, tenant: 'ten_b' })).toBeNull();
      expect(await store.findAttestedKey({ ...KEY, appId: 'x' })).toBeNull();
      expect(await store.addAttestedKey({ ...KEY, tenant: 'ten_b' })).toBe(true);
    },
  },
  {
    title: '[I3] a key’s counter only rises, and of equal ones at once one counts',
    async run({ store, another }) {
      const stores = [store, await another()];
      await store.addAttestedKey(KEY);
      expect(await store.raiseCounter(KEY, 0)).toBe(false);
      const raised = await times(10, (i) => stores[i % 2]!.raiseCounter(KEY, 1));
      expect(raised.filter(Boolean)).toHaveLength(1);
      expect(await store.raiseCounter(KEY, 4_294_967_295)).toBe(true);
      expect(await store.raiseCounter(KEY, 2)).toBe(false);
      expect(await store.raiseCounter({ ...KEY, keyId: 'other' }, 1)).toBe(false);
    },
  },
  {
    title: '[K3][I3] test mode reads live keys, attests none again, and raises no live counter',
    async run({ store, another }) {
      const stores = [store, await another()];
      const own = { ...KEY, mode: 'test' } as const;
      await store.addAttestedKey(KEY);
      await store.raiseCounter(KEY, 5);
      expect(await store.addAttestedKey(own)).toBe(false);
      expect(await store.findAttestedKey(own)).toEqual(KEY);
      expect(await store.raiseCounter(own, 5)).toBe(false);
      const raised = await times(10, (i) => stores[i % 2]!.raiseCounter(own, 9));
      expect(raised.filter(Boolean)).toHaveLength(1);
      expect(await store.findAttestedKey(own)).toEqual(own);
      expect(await store.raiseCounter(KEY, 6)).toBe(true);
      expect(await store.raiseCounter(own, 8)).toBe(false);
      const other = { ...KEY, keyId: 'other' };
      expect(await store.addAttestedKey({ ...other, mode: 'test' })).toBe(true);
      expect(await store.findAttestedKey(other)).toBeNull();
      expect(await store.raiseCounter(other, 1)).toBe(false);
      expect(await store.addAttestedKey(other)).toBe(true);
    },
  },
  {
    title:
      '[I3][I4] in many parallel checks, in any order, each challenge, token and counter counts once',
    async run({ store, another }) {
      const stores = [store, await another()];
      const names = Array.from({ length: 12 }, (_, i) => `n${i}`);
      // Each store gets all of them twice, the second time in reverse order.
      const asks = [...names, ...names].flatMap((name, i) => [
        { name, from: stores[0]! },
        { name: names[names.length - 1 - (i % names.length)]!, from: stores[1]! },
      ]);
      const countEach = (counted: readonly boolean[]) =>
        names.map((name) => asks.filter((ask, i) => ask.name === name && counted[i]).length);
      const once = names.map(() => 1);
      await Promise.all(names.map((name) => store.addChallenge(challengeOf(name), null)));
      await Promise.all(names.map((keyId) => store.addAttestedKey({ ...KEY, keyId })));
      const used = await Promise.all(asks.map(({ name, from }) => use(from, name)));
      expect(countEach(used.map((each) => each === 'used'))).toEqual(once);
      const noted = asks.map(({ name, from }, i) => isNew(from, noteOf(name, { claim: `${i}` })));
      expect(countEach(await Promise.all(noted))).toEqual(once);
      for (const [i, isFirst] of (await Promise.all(noted)).entries()) {
        if (isFirst) await store.holdFinding({ digest: asks[i]!.name, claim: `${i}` }, `of ${i}`);
      }
      const again = await Promise.all(
        asks.map(({ name, from }, i) => from.noteToken(noteOf(name, { claim: `${i}` }))),
      );
      expect(countEach(again.map(({ kind }) => kind === 'held'))).toEqual(once);
      for (const [i, each] of again.entries()) {
        if (each.kind === 'held') expect(each.held).toBe(`of ${i}`);
      }
      const raised = asks.map(({ name, from }) => from.raiseCounter({ ...KEY, keyId: name }, 7));
      expect(countEach(await Promise.all(raised))).toEqual(once);
    },
  },
  {
    title: '[R1] challenges go an hour after they expired, tokens after a day',
    async run({ store }) {
      const clock = makeManualClock(T0);
      const HOUR_MS = 3_600_000;
      await times(600, (n) => store.addChallenge(challengeOf(`c${n}`), null));
      await store.noteToken(noteOf('t'));
      expect(await sweepIntegrity(store, clock)).toBe(0);
      clock.advance(300_000 + HOUR_MS);
      expect(await sweepIntegrity(store, clock)).toBe(0);
      clock.advance(1);
      expect(await sweepIntegrity(store, clock)).toBe(600);
      expect(await use(store, 'c1', clock.now())).toBe('unknown');
      clock.advance(23 * HOUR_MS - 300_001);
      expect(await isNew(store, noteOf('t', { now: clock.now() }))).toBe(false);
      clock.advance(1);
      expect(await sweepIntegrity(store, clock)).toBe(1);
      expect(await isNew(store, noteOf('t', { now: clock.now() }))).toBe(true);
    },
  },
];
