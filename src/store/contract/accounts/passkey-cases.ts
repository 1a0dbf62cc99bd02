/** Passkeys: their owners, what ends with them, single-use challenges and counters. */

import { expect } from 'bun:test';
import type { Account, Passkey } from '../../../accounts/account.ts';
import { PASSKEYS_MAX } from '../../../accounts/account.ts';
import type { NewLogin, SignedChallenge } from '../../accounts.ts';
import { type AreaCase, times } from '../area.ts';
import { auditOf, T0, TENANT } from '../stage.ts';
import { accountOf, actsOf, join, linkOf, loginOf } from './account-stage.ts';

const passkeyOf = (n: number, of: Account, fields: Partial<Passkey> = {}): Passkey => ({
  id: `psk_${String(n).padStart(2, '0')}`,
  account: of.id,
  credential: `cred-${n}`,
  name: `Key ${n}`,
  publicKey: 'cose',
  counter: 0,
  createdAt: T0,
  lastUsedAt: null,
  ...fields,
});

const signedBy = (n: number, fields: Partial<SignedChallenge> = {}): SignedChallenge => ({
  passkey: `psk_${String(n).padStart(2, '0')}`,
  counter: 0,
  challengeHash: 'challenge',
  expiresAt: T0 + 300_000,
  ...fields,
});

const loginBy = (id: string, of: Account, signed: SignedChallenge): NewLogin => ({
  ...loginOf(id, of, { passkey: 'Key' }),
  signed,
});

const revised = (of: Account, passkeyRevision: number): Account => ({ ...of, passkeyRevision });

export const passkeyCases: readonly AreaCase[] = [
  {
    title:
      '[D5a] a passkey is found by its credential, in its account’s list, and as a second factor',
    async run({ store, reopen }) {
      const [ann, ben] = [accountOf('ann'), accountOf('ben')];
      await join(store, ann, 'owner');
      await join(store, ben, 'owner');
      const guarded = async () =>
        (await store.listMembers(TENANT)).map(({ hasSecondFactor }) => hasSecondFactor);
      expect(await guarded()).toEqual([false, false]);
      const [first, second] = [passkeyOf(1, ann), passkeyOf(2, ann, { counter: 7 })];
      expect(await store.addPasskey(first, ann, ['r1', 'r2'], [auditOf('added')])).toBe('added');
      expect(await store.addPasskey(second, revised(ann, 1), [], [])).toBe('added');
      const again = await reopen();
      expect(await again.listPasskeys(ann.id)).toEqual([first, second]);
      expect(await again.listPasskeys(ben.id)).toEqual([]);
      expect(await again.findPasskey('cred-2')).toEqual(second);
      expect(await again.findPasskey('cred-3')).toBeNull();
      // The second keeps the codes of the first.
      expect(await again.countRecoveryCodes(ann.id)).toBe(2);
      expect(await again.findAccount(ann.id)).toEqual(revised(ann, 2));
      const members = await again.listMembers(TENANT);
      expect(members.map(({ hasSecondFactor }) => hasSecondFactor)).toEqual([true, false]);
    },
  },
  {
    title: '[D5a] adding and removing end the sessions and pending sign-ins, and are audited',
    async run({ store, another }) {
      const other = await another();
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      await store.beginLogin(loginOf('log_1', ann), null, []);
      const key = passkeyOf(1, ann);
      const outcomes = await times(4, (i) =>
        [store, other][i % 2]!.addPasskey(
          passkeyOf(i, ann),
          ann,
          [`r${i}`],
          [auditOf('passkey.added')],
        ),
      );
      expect(outcomes.toSorted()).toEqual(['added', 'changed', 'changed', 'changed']);
      expect(await store.listLogins(ann.id)).toEqual([]);
      expect(await store.countRecoveryCodes(ann.id)).toBe(1);
      const [{ id }] = (await store.listPasskeys(ann.id)) as [Passkey];
      // A proof from before the passkey was added is void.
      expect(await store.beginLogin(loginOf('log_2', ann), null, [])).toBe(false);
      expect(await store.setPassword(ann.id, ann, 'new', [])).toBe(false);
      expect(await store.setTotp(ann.id, ann, { secret: 's', step: 1 }, [], [])).toBe(false);
      expect(await store.removePasskey(ann.id, id, ann, [])).toBe('changed');
      const now = revised(ann, 1);
      expect(await store.removePasskey(ann.id, 'psk_no', now, [])).toBe('not_found');
      expect(await store.beginLogin(loginOf('log_3', now), null, [])).toBe(true);
      const removal = [auditOf('passkey.removed')];
      expect(await store.removePasskey(ann.id, id, now, removal)).toBe('removed');
      expect(await store.listLogins(ann.id)).toEqual([]);
      expect(await store.listPasskeys(ann.id)).toEqual([]);
      // The last second factor takes its recovery codes with it.
      expect(await store.countRecoveryCodes(ann.id)).toBe(0);
      expect(await store.addPasskey(key, now, [], [])).toBe('changed');
      expect(await actsOf(store)).toEqual(['member.joined', 'passkey.added', 'passkey.removed']);
    },
  },
  {
    title: '[D5a] another account neither removes a passkey nor takes its credential',
    async run({ store, another }) {
      const other = await another();
      const [ann, ben] = [accountOf('ann'), accountOf('ben')];
      await join(store, ann, 'owner');
      await join(store, ben, 'owner');
      expect(await store.addPasskey(passkeyOf(1, ann), ann, [], [])).toBe('added');
      const same = passkeyOf(2, ben, { credential: 'cred-1' });
      expect(await store.addPasskey(same, ben, ['r'], [auditOf('no')])).toBe('taken');
      expect(await store.removePasskey(ben.id, 'psk_01', ben, [auditOf('no')])).toBe('not_found');
      expect(await store.countRecoveryCodes(ben.id)).toBe(0);
      // In parallel, too.
      const both = await Promise.all([
        store.addPasskey(passkeyOf(5, ann, { credential: 'new' }), revised(ann, 1), [], []),
        other.addPasskey(passkeyOf(6, ben, { credential: 'new' }), ben, [], []),
      ]);
      expect(both.toSorted()).toEqual(['added', 'taken']);
      const owner = both[0] === 'added' ? ann.id : ben.id;
      expect((await store.findPasskey('new'))?.account).toBe(owner);
      expect((await actsOf(store)).includes('no')).toBe(false);
    },
  },
  {
    title: `[D5a] an account has at most ${PASSKEYS_MAX} passkeys`,
    async run({ store }) {
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      for (let n = 0; n < PASSKEYS_MAX; n++)
        expect(await store.addPasskey(passkeyOf(n, ann), revised(ann, n), [], [])).toBe('added');
      const now = revised(ann, PASSKEYS_MAX);
      expect(await store.addPasskey(passkeyOf(50, ann), now, [], [])).toBe('full');
      expect(await store.removePasskey(ann.id, 'psk_03', now, [])).toBe('removed');
      const fresh = revised(ann, PASSKEYS_MAX + 1);
      expect(await store.addPasskey(passkeyOf(50, ann), fresh, [], [])).toBe('added');
    },
  },
  {
    title: '[D5a] a challenge starts one session, however often it is used at once',
    async run({ store, another }) {
      const stores = [store, await another()];
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      await store.addPasskey(passkeyOf(1, ann), ann, [], []);
      const now = revised(ann, 1);
      const begun = await times(6, (i) =>
        stores[i % 2]!.beginLogin(loginBy(`log_${i}`, now, signedBy(1)), null, []),
      );
      expect(begun.filter(Boolean)).toHaveLength(1);
      expect(await store.listLogins(ann.id)).toMatchObject([{ passkey: 'Key' }]);
      expect((await store.listPasskeys(ann.id))[0]!.lastUsedAt).toBe(T0);
      // It is remembered until it would have expired anyway.
      expect(await store.removeStaleLogins(T0, T0 + 299_999)).toBe(0);
      expect(await store.removeStaleLogins(T0, T0 + 300_000)).toBe(1);
    },
  },
  {
    title: '[D5a] a signature counter must rise: the same or a lower one starts no session',
    async run({ store, another }) {
      const stores = [store, await another()];
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      await store.addPasskey(passkeyOf(1, ann, { counter: 4 }), ann, [], []);
      const now = revised(ann, 1);
      let used = 0;
      const begin = (counter: number, on = store) => {
        used += 1;
        const signed = signedBy(1, { counter, challengeHash: `c${used}` });
        return on.beginLogin(loginBy(`log_${used}`, now, signed), null, []);
      };
      expect([await begin(4), await begin(3), await begin(0)]).toEqual([false, false, false]);
      expect([await begin(5), await begin(5), await begin(90)]).toEqual([true, false, true]);
      const race = await times(6, (i) => begin(91, stores[i % 2]!));
      expect(race.filter(Boolean)).toHaveLength(1);
      expect((await store.listPasskeys(ann.id))[0]!.counter).toBe(91);
      // Another account's passkey does not count.
      const ben = accountOf('ben');
      await join(store, ben, 'owner');
      const foreign = signedBy(1, { counter: 99, challengeHash: 'foreign' });
      expect(await store.beginLogin(loginBy('log_x', ben, foreign), null, [])).toBe(false);
    },
  },
  {
    title: '[D5a] codes go with the last of one-time codes and passkeys; a reset removes all',
    async run({ store }) {
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      const totp = { secret: 's', step: 1 };
      await store.setTotp(ann.id, ann, totp, ['r1', 'r2'], []);
      const withTotp = { ...ann, totpSecret: 's' };
      await store.addPasskey(passkeyOf(1, ann), withTotp, [], []);
      expect(await store.setTotp(ann.id, revised(withTotp, 1), null, [], [])).toBe(true);
      expect(await store.countRecoveryCodes(ann.id)).toBe(2);
      await store.setTotp(ann.id, revised(ann, 1), totp, ['r1'], []);
      await store.removePasskey(ann.id, 'psk_01', revised(withTotp, 1), []);
      expect(await store.countRecoveryCodes(ann.id)).toBe(1);
      await store.addPasskey(passkeyOf(2, ann), revised(withTotp, 2), [], []);
      const link = linkOf('lnk_r', { kind: 'reset', email: ann.email });
      await store.putLink(link, 'reset', null);
      expect(await store.useReset('reset', 'fresh', auditOf('reset'))).toBe('done');
      expect(await store.listPasskeys(ann.id)).toEqual([]);
      expect(await store.findPasskey('cred-2')).toBeNull();
      expect(await store.countRecoveryCodes(ann.id)).toBe(0);
    },
  },
];
