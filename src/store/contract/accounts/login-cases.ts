/** Sessions of accounts: bound to the current credentials, and limited in number. */

import { expect } from 'bun:test';
import type { Account } from '../../../accounts/account.ts';
import { FORGET_MS } from '../../../accounts/login-brake.ts';
import type { Store } from '../../whole-store.ts';
import type { AreaCase } from '../area.ts';
import { auditOf, T0 } from '../stage.ts';
import { accountOf, actsOf, HOUR_MS, inviteOf, join, linkOf, loginOf } from './account-stage.ts';

const ANN = { name: 'ann', free: 5 } as const;
const HOME = { name: 'home', free: 20 } as const;

export const loginCases: readonly AreaCase[] = [
  {
    title: "[D3] a session starts for the account's current password and second factor",
    async run({ store }) {
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      const begin = (id: string, proven: Account, instead: string | null = null) =>
        store.beginLogin(loginOf(id, proven), instead, [auditOf(`in ${id}`)]);
      expect(await begin('log_1', ann)).toBe(true);
      expect(await begin('log_x', { ...ann, passwordHash: 'other' })).toBe(false);
      expect(await begin('log_x', { ...ann, totpSecret: 's' })).toBe(false);
      expect(await begin('log_x', { ...ann, id: 'acc_none' })).toBe(false);
      expect(await store.findLogin('hash-log_1')).toEqual(loginOf('log_1', ann).session);
      expect(await store.findLogin('hash-log_x')).toBeNull();
      await store.setTotp(ann.id, ann, { secret: 's', step: 1 }, [], []);
      expect(await begin('log_x', ann)).toBe(false);
      expect(await begin('log_2', { ...ann, totpSecret: 's' }, 'log_1')).toBe(true);
      expect((await store.listLogins(ann.id)).map(({ id }) => id)).toEqual(['log_2']);
      const held = { ...ann, totpSecret: 's' };
      await store.setPassword(ann.id, held, 'new', [auditOf('password')]);
      expect(await store.listLogins(ann.id)).toEqual([]);
      expect(await begin('log_x', { ...ann, totpSecret: 's' })).toBe(false);
      const now = { ...ann, passwordHash: 'new', totpSecret: 's' };
      expect(await begin('log_3', now)).toBe(true);
      await store.setTotp(ann.id, now, null, [], [auditOf('totp')]);
      expect(await store.listLogins(ann.id)).toEqual([]);
      const acts = ['member.joined', 'in log_1', 'in log_2', 'password', 'in log_3', 'totp'];
      expect(await actsOf(store)).toEqual(acts);
    },
  },
  {
    title:
      '[D3] a new password and an added or removed second factor end all sessions in one commit',
    async run({ store }) {
      const [ann, ben] = [accountOf('ann'), accountOf('ben')];
      await join(store, ann, 'owner');
      await join(store, ben, 'owner');
      await store.beginLogin(loginOf('log_b', ben), null, []);
      const totp = { secret: 's', step: 1 };
      const changes: readonly (readonly [Account, (of: Account) => Promise<boolean>])[] = [
        [ann, (of) => store.setPassword(ann.id, of, 'new', [])],
        [{ ...ann, passwordHash: 'new' }, (of) => store.setTotp(ann.id, of, totp, [], [])],
        [
          { ...ann, passwordHash: 'new', totpSecret: 's' },
          (of) => store.setTotp(ann.id, of, null, [], []),
        ],
      ];
      for (const [i, [proven, change]] of changes.entries()) {
        for (const n of [1, 2]) {
          expect(await store.beginLogin(loginOf(`log_${i}${n}`, proven), null, [])).toBe(true);
        }
        expect(await change(proven)).toBe(true);
        expect(await store.listLogins(ann.id)).toEqual([]);
      }
      expect(await store.listLogins(ben.id)).toHaveLength(1);
    },
  },
  {
    title: '[D3] a session that starts while the password is reset does not outlive it',
    async run({ store, another }) {
      const other = await another();
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      for (let round = 0; round < 20; round++) {
        const before = (await store.findAccount(ann.id))!;
        const link = linkOf(`lnk_${round}`, { kind: 'reset', email: ann.email });
        await store.putLink(link, `h${round}`, null);
        await Promise.all([
          store.useReset(`h${round}`, `pw-${round}`, auditOf('reset')),
          other.beginLogin(loginOf(`log_${round}`, before), null, []),
        ]);
        expect(await store.listLogins(ann.id)).toEqual([]);
      }
    },
  },
  {
    title: '[D1][D3] a password or second factor change based on old credentials changes nothing',
    async run({ store, another }) {
      const other = await another();
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      const totp = { secret: 's', step: 1 };
      const stale = { ...ann, passwordHash: 'other' };
      const rows = [auditOf('x')];
      await store.beginLogin(loginOf('log_1', ann), null, []);
      expect(await store.setPassword(ann.id, stale, 'new', rows)).toBe(false);
      expect(await store.setTotp(ann.id, stale, totp, ['r1'], rows)).toBe(false);
      expect(await store.setTotp(ann.id, { ...ann, totpSecret: 's' }, null, [], rows)).toBe(false);
      expect(await store.setPassword('acc_none', ann, 'new', rows)).toBe(false);
      expect(await store.findAccount(ann.id)).toEqual(ann);
      expect(await store.listLogins(ann.id)).toHaveLength(1);
      expect(await store.countRecoveryCodes(ann.id)).toBe(0);
      expect(await actsOf(store)).toEqual(['member.joined']);
      // Whichever comes first, what the reset has set stays.
      for (let round = 0; round < 20; round++) {
        const before = (await store.findAccount(ann.id))!;
        const link = linkOf(`lnk_${round}`, { kind: 'reset', email: ann.email });
        await store.putLink(link, `h${round}`, null);
        await Promise.all([
          other.setPassword(ann.id, before, `thief-${round}`, []),
          store.useReset(`h${round}`, `pw-${round}`, auditOf('reset')),
          other.setTotp(ann.id, before, totp, ['r1'], []),
        ]);
        const kept = { ...ann, passwordHash: `pw-${round}` };
        expect(await store.findAccount(ann.id)).toEqual(kept);
        expect(await store.countRecoveryCodes(ann.id)).toBe(0);
      }
    },
  },
  {
    title: '[D3] an account has at most 100 sessions: one more ends the oldest',
    async run({ store }) {
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      const id = (n: number) => `log_${String(n).padStart(3, '0')}`;
      for (let n = 0; n < 102; n++) await store.beginLogin(loginOf(id(n), ann), null, []);
      const kept = await store.listLogins(ann.id);
      expect([kept.length, kept[0]!.id, kept[99]!.id]).toEqual([100, id(101), id(2)]);
    },
  },
  {
    title: '[D3] sessions are ended one by one or all but one, and audited if there were any',
    async run({ store }) {
      const [ann, ben] = [accountOf('ann'), accountOf('ben')];
      await join(store, ann, 'owner');
      await join(store, ben, 'owner');
      for (const n of [1, 2, 3, 4]) await store.beginLogin(loginOf(`log_${n}`, ann), null, []);
      await store.beginLogin(loginOf('log_9', ben), null, []);
      const end = (which: Parameters<Store['endLogins']>[1]) =>
        store.endLogins(ann.id, which, [auditOf('ended')]);
      expect(await end({ id: 'log_9' })).toBe(0);
      expect(await end({ id: 'log_1' })).toBe(1);
      expect(await end({ except: 'log_3' })).toBe(2);
      expect((await store.listLogins(ann.id)).map(({ id }) => id)).toEqual(['log_3']);
      expect(await end({ except: null })).toBe(1);
      expect(await end({ except: null })).toBe(0);
      expect(await store.listLogins(ben.id)).toHaveLength(1);
      expect((await actsOf(store)).filter((act) => act === 'ended')).toHaveLength(3);
    },
  },
  {
    title: '[D3] use is recorded forward only, and stale sessions and links are swept',
    async run({ store }) {
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      for (const n of [1, 2, 3]) await store.beginLogin(loginOf(`log_${n}`, ann), null, []);
      await store.touchLogin('log_1', T0 + 50);
      await store.touchLogin('log_1', T0 + 20);
      await store.touchLogin('log_2', T0 + 9);
      expect((await store.findLogin('hash-log_1'))?.seenAt).toBe(T0 + 50);
      await store.putLink(inviteOf('lnk_1', 'ben', { expiresAt: T0 + 60 }), 'h1', null);
      expect(await store.removeStaleLogins(T0, T0 + 59)).toBe(0);
      expect(await store.removeStaleLogins(T0 + 10, T0 + 60)).toBe(3);
      expect((await store.listLogins(ann.id)).map(({ id }) => id)).toEqual(['log_1']);
      expect(await store.removeStaleLogins(T0, T0 + HOUR_MS)).toBe(1);
    },
  },
  {
    title:
      '[D2] after the free failures each further one costs a wait that doubles, up to 15 minutes',
    async run({ store }) {
      let now = T0;
      for (let i = 0; i < 5; i++) expect(await store.beginTry([ANN], now)).toBe(0);
      const waits: number[] = [];
      for (let i = 0; i < 8; i++) {
        const wait = await store.beginTry([ANN], now);
        waits.push(wait / 1_000);
        expect(await store.beginTry([ANN], now + wait - 1)).toBe(1);
        now += wait;
        expect(await store.beginTry([ANN], now)).toBe(0);
      }
      expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
      expect(await store.beginTry([{ name: 'ben', free: 5 }], now)).toBe(0);
      // A day without a failure clears them.
      now += FORGET_MS;
      for (let i = 0; i < 5; i++) expect(await store.beginTry([ANN], now)).toBe(0);
      expect(await store.beginTry([ANN], now)).toBe(30_000);
    },
  },
  {
    title: '[D2] parallel attempts all count, on any node',
    async run({ store, another }) {
      const nodes = [store, await another()];
      const tries = Array.from({ length: 40 }, (_, n) => nodes[n % 2]!.beginTry([ANN, HOME], T0));
      expect((await Promise.all(tries)).filter((wait) => wait === 0)).toHaveLength(5);
      // Blocked attempts count against nobody.
      for (let i = 5; i < 20; i++) expect(await store.beginTry([HOME], T0)).toBe(0);
      expect(await store.beginTry([HOME], T0)).toBe(30_000);
      const other = { name: 'ben', free: 5 };
      expect(await store.beginTry([other, HOME], T0)).toBe(30_000);
      for (let i = 0; i < 5; i++) expect(await store.beginTry([other], T0)).toBe(0);
    },
  },
  {
    title: '[D2] success clears the failures of an account, and one attempt of an address',
    async run({ store }) {
      for (let i = 0; i < 5; i++) await store.beginTry([ANN], T0);
      await store.endTry([ANN.name], []);
      for (let i = 0; i < 5; i++) expect(await store.beginTry([ANN], T0)).toBe(0);
      for (let i = 0; i < 20; i++) await store.beginTry([HOME], T0);
      await store.endTry([], [HOME.name]);
      expect(await store.beginTry([HOME], T0)).toBe(0);
      expect(await store.beginTry([HOME], T0)).toBe(30_000);
      await store.endTry(['nobody'], ['nobody']);
    },
  },
  {
    title: '[D2] expired counts are removed, and the oldest if there are too many',
    async run({ store }) {
      const nameOf = (n: number) => ({ name: `name ${n}`, free: 1 });
      for (let n = 0; n < 5; n++) await store.beginTry([nameOf(n)], T0 + n);
      // A name whose only attempt was taken back has no row.
      await store.beginTry([nameOf(5)], T0 + 5);
      await store.endTry([], [nameOf(5).name]);
      const removed = (now: number, namesMax: number) => store.removeStaleLogins(T0, now, namesMax);
      expect(await removed(T0 + FORGET_MS - 1, 5)).toBe(0);
      expect(await removed(T0 + FORGET_MS + 1, 5)).toBe(2);
      expect(await removed(T0, 2)).toBe(1);
      expect(await removed(T0, 2)).toBe(0);
    },
  },
];
