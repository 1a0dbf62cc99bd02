/** Accounts: single-use links, a tenant always has an owner, second factors. */

import { expect } from 'bun:test';
import type { AccountLink } from '../../../accounts/account.ts';
import { type AreaCase, times } from '../area.ts';
import { auditFilter, auditOf, T0, TENANT, tenantOf } from '../stage.ts';
import {
  accountOf,
  actsOf,
  HOUR_MS,
  inviteOf,
  join,
  linkOf,
  loginOf,
  ownersOf,
} from './account-stage.ts';
import { loginCases } from './login-cases.ts';
import { passkeyCases } from './passkey-cases.ts';

const LINK_CASES: readonly AreaCase[] = [
  {
    title: '[D1] a setup link creates one account, however often it is used at once, and no second',
    async run({ store, another }) {
      const stores = [store, await another()];
      expect(await store.hasAccount()).toBe(false);
      await store.putLink(linkOf('lnk_1'), 'h1', null);
      await store.putLink(linkOf('lnk_2'), 'h2', auditOf('setup'));
      // One link of the kind at a time.
      expect(await store.findLink('h1', T0)).toBeNull();
      expect(await store.findLink('h2', T0)).toEqual(linkOf('lnk_2'));
      const outcomes = await times(6, (i) =>
        stores[i % 2]!.useSetupLink(
          'h2',
          accountOf(`a${i}`, { isOperator: true }),
          auditOf('made'),
        ),
      );
      expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
      expect(await store.hasAccount()).toBe(true);
      const operators = await store.listOperators();
      expect(operators).toHaveLength(1);
      const { id, email, name } = (await store.findAccount(operators[0]!.id))!;
      expect(operators).toEqual([{ id, email, name }]);
      expect(await store.findLink('h2', T0)).toBeNull();
      await store.putLink(linkOf('lnk_3'), 'h3', null);
      expect(await store.useSetupLink('h3', accountOf('late'), auditOf('made'))).toBe('link_gone');
      expect(await actsOf(store)).toEqual(['setup', 'made']);
    },
  },
  {
    title: '[D1] of setup links created at once one is left',
    async run({ store, another }) {
      const stores = [store, await another()];
      await times(6, (i) => stores[i % 2]!.putLink(linkOf(`lnk_${i}`), `h${i}`, null));
      const found = await times(6, (i) => store.findLink(`h${i}`, T0));
      expect(found.filter((each) => each !== null)).toHaveLength(1);
    },
  },
  {
    title: '[D1] every kind of link expires',
    async run({ store }) {
      await store.putLink(linkOf('lnk_1'), 'h1', null);
      await store.putLink(inviteOf('lnk_2', 'ann'), 'h2', null);
      const late = { ...auditOf('late'), at: T0 + HOUR_MS };
      expect(await store.findLink('h1', T0 + HOUR_MS - 1)).not.toBeNull();
      expect(await store.findLink('h1', T0 + HOUR_MS)).toBeNull();
      expect(await store.useSetupLink('h1', accountOf('ann'), late)).toBe('link_gone');
      expect(await store.useInvitation('h2', accountOf('ann'), late)).toBe('link_gone');
      expect(await store.hasAccount()).toBe(false);
      expect(await store.useInvitation('none', accountOf('ann'), late)).toBe('link_gone');
      // A link works only for its own purpose.
      expect(await store.useSetupLink('h2', accountOf('ann'), auditOf('x'))).toBe('link_gone');
      expect(await store.useReset('h2', 'new', auditOf('x'))).toBe('link_gone');
      expect(await actsOf(store)).toEqual([]);
    },
  },
  {
    title: '[D1] of invitations created at once, each tenant has at most as many as its cap',
    async run({ store, another }) {
      const stores = [store, await another()];
      const put = (i: number, fields: Partial<AccountLink> = {}, max: number | null = 3) => {
        const link = inviteOf(`lnk_${i}`, `n${i}`, fields);
        return stores[i % 2]!.putLink(link, `h${i}`, auditOf(`put ${i}`), max);
      };
      // Neither expired ones count, nor other kinds.
      await put(90, { createdAt: T0 - 9, expiresAt: T0 }, null);
      await put(91, { kind: 'reset' }, null);
      const outcomes = await times(8, (i) => put(i));
      expect(outcomes.filter((each) => each === 'put')).toHaveLength(3);
      expect(outcomes.filter((each) => each === 'full')).toHaveLength(5);
      const waiting = await store.listLinks(TENANT, T0);
      expect(waiting.filter(({ kind }) => kind === 'invitation')).toHaveLength(3);
      expect(await actsOf(store)).toHaveLength(5);
      expect(await put(10, { tenant: 'ten_b' })).toBe('put');
      await store.removeLink(TENANT, `lnk_${outcomes.indexOf('put')}`, auditOf('taken'));
      expect(await put(11)).toBe('put');
      expect(await put(12)).toBe('full');
      expect(await put(13, {}, null)).toBe('put');
    },
  },
  {
    title: '[D6] an invitation to a suspended tenant cannot be accepted, and stays pending',
    async run({ store }) {
      const [ann, ben] = [accountOf('ann'), accountOf('ben')];
      await join(store, ben, 'support');
      await store.createTenant(tenantOf(TENANT, { active: false }), auditOf('tenant.created'));
      await store.putLink(inviteOf('lnk_1', 'ann'), 'h1', null);
      await store.putLink(inviteOf('lnk_2', 'ben'), 'h2', null);
      const x = auditOf('x');
      expect(await store.useInvitation('h1', ann, x)).toBe('tenant_suspended');
      expect(await store.useInvitation('h2', { id: ben.id }, x)).toBe('tenant_suspended');
      expect(await store.findAccount(ann.id)).toBeNull();
      expect(await ownersOf(store)).toEqual([]);
      expect(await store.findLink('h1', T0)).not.toBeNull();
      await store.updateTenant(TENANT, { active: true }, auditOf('tenant.updated'));
      expect(await store.useInvitation('h1', ann, x)).toBe('done');
      expect(await store.useInvitation('h2', { id: ben.id }, x)).toBe('done');
    },
  },
  {
    title: '[D1] an invitation creates the account and the member, once',
    async run({ store, another }) {
      const stores = [store, await another()];
      const ann = accountOf('ann');
      await store.putLink(inviteOf('lnk_1', 'ann'), 'h1', auditOf('invited'));
      const outcomes = await times(6, (i) =>
        stores[i % 2]!.useInvitation('h1', ann, auditOf('joined')),
      );
      expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
      expect(await store.findAccount(ann.id)).toEqual(ann);
      expect(await store.findAccountByEmail(ann.email)).toEqual(ann);
      expect(await store.findAccountByEmail('nobody@example.test')).toBeNull();
      const membership = { account: ann.id, tenant: TENANT, role: 'owner', since: T0 } as const;
      expect(await store.listMemberships(ann.id)).toEqual([membership]);
      const { email, name } = ann;
      expect(await store.listMembers(TENANT)).toEqual([
        { ...membership, email, name, hasSecondFactor: false },
      ]);
      expect(await store.listMembers('ten_b')).toEqual([]);
      // A different account with the same address.
      await store.putLink(inviteOf('lnk_2', 'ann', { role: 'support' }), 'h2', null);
      const twin = { ...ann, id: 'acc_twin' };
      expect(await store.useInvitation('h2', twin, auditOf('x'))).toBe('email_taken');
      expect(await store.findLink('h2', T0)).not.toBeNull();
      expect(await actsOf(store)).toEqual(['invited', 'joined']);
    },
  },
  {
    title: "[D1] a tenant's links are listed newest first, and can be revoked once",
    async run({ store }) {
      await store.putLink(inviteOf('lnk_1', 'ann'), 'h1', null);
      await store.putLink(inviteOf('lnk_2', 'ben', { expiresAt: T0 + 5 }), 'h2', null);
      await store.putLink(inviteOf('lnk_3', 'cem', { tenant: 'ten_b' }), 'h3', null);
      const ids = async (now: number) =>
        (await store.listLinks(TENANT, now)).map((link) => link.id);
      expect(await ids(T0)).toEqual(['lnk_2', 'lnk_1']);
      expect(await ids(T0 + 5)).toEqual(['lnk_1']);
      expect(await store.removeLink('ten_b', 'lnk_1', auditOf('taken'))).toBe(false);
      expect(await store.removeLink(TENANT, 'lnk_1', auditOf('taken'))).toBe(true);
      expect(await store.removeLink(TENANT, 'lnk_1', auditOf('taken'))).toBe(false);
      expect(await actsOf(store)).toEqual(['taken']);
    },
  },
  {
    title:
      '[D1][D3] a reset link sets a new password, and ends sessions, second factor and other reset links',
    async run({ store, another }) {
      const stores = [store, await another()];
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      await store.setTotp(ann.id, ann, { secret: 's', step: 7 }, ['r1', 'r2'], []);
      expect(await store.beginLogin(loginOf('log_1', { ...ann, totpSecret: 's' }), null, [])).toBe(
        true,
      );
      const reset = (id: string) => linkOf(id, { kind: 'reset', email: ann.email });
      await store.putLink(reset('lnk_1'), 'h1', null);
      await store.putLink(reset('lnk_2'), 'h2', null);
      const outcomes = await times(6, (i) =>
        stores[i % 2]!.useReset(`h${1 + (i % 2)}`, `new-${i}`, auditOf('reset')),
      );
      expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
      const kept = await store.findAccount(ann.id);
      const passwordHash = `new-${outcomes.indexOf('done')}`;
      expect(kept).toEqual({ ...ann, passwordHash, totpSecret: null, totpStep: 0 });
      expect(await store.listLogins(ann.id)).toEqual([]);
      expect(await store.countRecoveryCodes(ann.id)).toBe(0);
      expect(await store.findLink('h1', T0)).toBeNull();
      expect(await store.findLink('h2', T0)).toBeNull();
      const last = (await store.listAudit(auditFilter({ limit: 1 })))[0];
      expect(last).toMatchObject({ act: 'reset', actor: `member:${ann.id}`, object: ann.id });
      const nobody = linkOf('lnk_9', { kind: 'reset', email: 'nobody@example.test' });
      await store.putLink(nobody, 'h9', null);
      expect(await store.useReset('h9', 'new', auditOf('x'))).toBe('link_gone');
    },
  },
];

const MEMBER_CASES: readonly AreaCase[] = [
  {
    title: '[D1][D3] changing or removing a role ends the sessions and the pending invitations',
    async run({ store }) {
      const [ann, ben] = [accountOf('ann'), accountOf('ben')];
      await join(store, ann, 'owner');
      await join(store, ben, 'owner');
      await store.beginLogin(loginOf('log_1', ben), null, []);
      await store.putLink(inviteOf('lnk_1', 'ben'), 'h1', null);
      const set = (account: string, role: 'developer' | null) =>
        store.setRole(TENANT, account, role, auditOf('role'));
      expect(await set('acc_none', 'developer')).toBe('not_found');
      expect(await set(ben.id, 'developer')).toBe('done');
      expect(await store.listLogins(ben.id)).toEqual([]);
      expect(await store.findLink('h1', T0)).toBeNull();
      expect(await store.listMemberships(ben.id)).toMatchObject([{ role: 'developer' }]);
      expect(await set(ben.id, null)).toBe('done');
      expect(await set(ben.id, null)).toBe('not_found');
      expect(await store.listMemberships(ben.id)).toEqual([]);
      const acts = await actsOf(store);
      expect(acts.filter((act) => act === 'role')).toHaveLength(2);
    },
  },
  {
    title:
      '[D1][D3] accepting an invitation ends the sessions and the other pending invitations there',
    async run({ store }) {
      const [ann, ben, cleo] = [accountOf('ann'), accountOf('ben'), accountOf('cleo')];
      await join(store, ann, 'owner');
      await join(store, ben, 'developer');
      for (const each of [ann, ben]) {
        await store.beginLogin(loginOf(`log_${each.name}`, each), null, []);
      }
      await store.putLink(inviteOf('lnk_1', 'ben'), 'h1', null);
      await store.putLink(inviteOf('lnk_2', 'ben', { role: 'support' }), 'h2', null);
      await store.putLink(inviteOf('lnk_3', 'ben', { tenant: 'ten_else' }), 'h3', null);
      await store.putLink(inviteOf('lnk_4', 'cleo'), 'h4', null);
      await store.putLink(inviteOf('lnk_5', 'cleo', { role: 'support' }), 'h5', null);
      await store.putLink(linkOf('lnk_6', { kind: 'reset', email: ben.email }), 'h6', null);
      expect(await store.useInvitation('h2', { id: ben.id }, auditOf('joined'))).toBe('done');
      expect(await store.listLogins(ben.id)).toEqual([]);
      expect(await store.listLogins(ann.id)).toHaveLength(1);
      expect(await store.useInvitation('h1', { id: ben.id }, auditOf('x'))).toBe('link_gone');
      // A new account loses its other invitations in the same way.
      expect(await store.useInvitation('h5', cleo, auditOf('joined'))).toBe('done');
      expect(await store.useInvitation('h4', { id: cleo.id }, auditOf('x'))).toBe('link_gone');
      expect(await ownersOf(store)).toEqual([ann.id]);
      for (const kept of ['h3', 'h6']) expect(await store.findLink(kept, T0)).not.toBeNull();
    },
  },
  {
    title: '[D1] of invitations for one address accepted at once one counts',
    async run({ store, another }) {
      const stores = [store, await another()];
      for (let round = 0; round < 5; round++) {
        const ann = accountOf(`ann${round}`);
        if (round % 2 === 1) await join(store, ann, 'support');
        const hashes = [0, 1, 2, 3].map((i) => `h${round}${i}`);
        for (const hash of hashes) await store.putLink(inviteOf(hash, ann.name), hash, null);
        const outcomes = await Promise.all(
          hashes.map((hash, i) => {
            const guest = round % 2 === 1 ? { id: ann.id } : { ...ann, id: `${ann.id}_${i}` };
            return stores[i % 2]!.useInvitation(hash, guest, auditOf('joined'));
          }),
        );
        expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
        expect(outcomes.filter((each) => each === 'last_owner')).toEqual([]);
      }
    },
  },
  {
    title: '[D1] the last owner stays an owner, by a role change as by an invitation',
    async run({ store }) {
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      expect(await store.setRole(TENANT, ann.id, 'support', auditOf('x'))).toBe('last_owner');
      expect(await store.setRole(TENANT, ann.id, null, auditOf('x'))).toBe('last_owner');
      await store.putLink(inviteOf('lnk_1', 'ann', { role: 'support' }), 'h1', null);
      expect(await store.useInvitation('h1', { id: ann.id }, auditOf('x'))).toBe('last_owner');
      expect(await store.findLink('h1', T0)).not.toBeNull();
      expect(await ownersOf(store)).toEqual([ann.id]);
    },
  },
  {
    title: '[D1] of owners who all step down at once one stays',
    async run({ store, another }) {
      const stores = [store, await another()];
      for (let round = 0; round < 5; round++) {
        const owners = ['a', 'b', 'c', 'd'].map((name) => accountOf(`${name}${round}`));
        for (const each of owners) await join(store, each, 'owner');
        const all = await ownersOf(store);
        const outcomes = await Promise.all(
          all.map((id, i) => stores[i % 2]!.setRole(TENANT, id, 'support', auditOf('down'))),
        );
        expect(outcomes.filter((each) => each === 'last_owner')).toHaveLength(1);
        expect(await ownersOf(store)).toHaveLength(1);
      }
    },
  },
];

const FACTOR_CASES: readonly AreaCase[] = [
  {
    title: '[D5] a time step of the second factor counts once, and no earlier one afterwards',
    async run({ store, another }) {
      const stores = [store, await another()];
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      const totp = { secret: 's', step: 10 };
      expect(await store.setTotp(ann.id, ann, totp, ['r1'], [auditOf('totp')])).toBe(true);
      const used = await times(10, (i) => stores[i % 2]!.useTotpStep(ann.id, 11));
      expect(used.filter(Boolean)).toHaveLength(1);
      expect(await store.useTotpStep(ann.id, 10)).toBe(false);
      expect(await store.useTotpStep(ann.id, 12)).toBe(true);
      expect(await store.findAccount(ann.id)).toMatchObject({ totpSecret: 's', totpStep: 12 });
      expect(await store.listMembers(TENANT)).toMatchObject([{ hasSecondFactor: true }]);
      await store.setTotp(ann.id, { ...ann, totpSecret: 's' }, null, [], []);
      expect(await store.findAccount(ann.id)).toMatchObject({ totpSecret: null, totpStep: 0 });
      expect(await actsOf(store)).toEqual(['member.joined', 'totp']);
    },
  },
  {
    title: '[D5] a recovery code works once; new codes replace the old ones',
    async run({ store, another }) {
      const stores = [store, await another()];
      const ann = accountOf('ann');
      await join(store, ann, 'owner');
      await store.setTotp(ann.id, ann, { secret: 's', step: 1 }, ['r1', 'r2'], []);
      const used = await times(8, (i) => stores[i % 2]!.useRecoveryCode(ann.id, 'r1'));
      expect(used.filter(Boolean)).toHaveLength(1);
      expect(await store.countRecoveryCodes(ann.id)).toBe(1);
      expect(await store.useRecoveryCode('acc_other', 'r2')).toBe(false);
      const proven = { ...ann, totpSecret: 's' };
      await store.setTotp(ann.id, proven, { secret: 's', step: 1 }, ['r3', 'r4', 'r5'], []);
      expect(await store.useRecoveryCode(ann.id, 'r2')).toBe(false);
      expect(await store.countRecoveryCodes(ann.id)).toBe(3);
    },
  },
];

export const accountCases: readonly AreaCase[] = [
  ...LINK_CASES,
  ...MEMBER_CASES,
  ...FACTOR_CASES,
  ...loginCases,
  ...passkeyCases,
];
