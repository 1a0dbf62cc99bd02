/** The dashboard's history: requests, usage, the audit chain, players, setup steps. */

import { expect } from 'bun:test';
import { CHAIN_START, followChain, NOTHING_FOLLOWED } from '../../../accounts/audit-chain.ts';
import { deriveAuditKeys } from '../../../accounts/audit-key.ts';
import type { NewEvent } from '../../../events/event.ts';
import type { AuditFilter } from '../../journal.ts';
import type { AuditRow } from '../../store.ts';
import { WORLDS } from '../../world.ts';
import { type AreaCase, times } from '../area.ts';
import {
  append,
  auditFilter,
  auditOf,
  created,
  entryOf,
  failureOf,
  keyOf,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
  tenantOf,
} from '../stage.ts';
import { REQUEST_CASES } from './request-cases.ts';

const keysOf = (...bytes: readonly number[]) =>
  deriveAuditKeys(bytes.map((byte) => new Uint8Array(32).fill(byte)));

const KEYED_CASES: readonly AreaCase[] = [
  {
    title: '[D8] chains become keyed with a row that records it; later tenants begin keyed',
    async run({ store, another }) {
      const keys = keysOf(1);
      const other = await another();
      const follow = async (tenant: string) =>
        followChain(NOTHING_FOLLOWED, await store.readAudit(tenant, 0, 99), keys);
      await store.createTenant(tenantOf(), auditOf('tenant.created'));
      await store.addAudit(auditOf('act.2'));
      await store.useAuditKeys(keys);
      await other.useAuditKeys(keys);
      // Rows that a process writes before are not keyed, so that older versions may still serve.
      await store.addAudit(auditOf('act.3'));
      expect(await store.keyChains(T0, 'any')).toEqual(['', TENANT]);
      expect(await other.keyChains(T0, 'any')).toEqual([]);
      await times<unknown>(40, (i) => {
        const by = i % 2 === 0 ? store : other;
        if (i % 4 < 2) return by.addAudit(auditOf(`act.${i}`));
        const secret = { id: `s${i}`, hash: `h${i}` };
        return by.createKey(keyOf(`key_${i}`), secret, auditOf(`keys.${i}`));
      });
      const later = { ...tenantOf(), id: 'ten_later', slug: 'later' };
      await store.createTenant(later, { ...auditOf('tenant.created'), tenant: later.id });
      await store.beginRemoval(later.id, T0, { ...auditOf('removing'), tenant: later.id });
      expect(await follow(TENANT)).toMatchObject({ ok: true, link: { n: 44, keyedFrom: 4 } });
      expect(await follow(later.id)).toMatchObject({ ok: true, link: { n: 2, keyedFrom: 1 } });
      const heads = await store.auditHeads();
      expect(heads.map(({ tenant, n }) => [tenant, n])).toEqual([
        ['', 1],
        [TENANT, 44],
        [later.id, 2],
      ]);
      expect(heads[1]).toMatchObject(await store.auditHead(TENANT));
    },
  },
  {
    title: '[D8] a keyed chain is not written without its key, and nothing changes',
    async run({ store, reopen }) {
      await store.createTenant(tenantOf(), auditOf('tenant.created'));
      await store.useAuditKeys(keysOf(1));
      await store.keyChains(T0, 'any');
      const without = await reopen();
      const create = () =>
        without.createKey(keyOf('key_1'), { id: 's1', hash: 'h1' }, auditOf('key.created'));
      expect(await failureOf(create())).toContain('sealing key');
      expect(await failureOf(without.addAudit(auditOf('act')))).toContain('sealing key');
      await without.useAuditKeys(keysOf(2));
      expect(await failureOf(create())).toContain('sealing key');
      expect(await without.listKeys(TENANT)).toEqual([]);
      // A newer key in front of it is fine, and signs new rows.
      await without.useAuditKeys(keysOf(2, 1));
      expect(await without.keyChains(T0, 'any')).toEqual([]);
      await create();
      const rows = await without.readAudit(TENANT, 0, 9);
      const follow = (...bytes: readonly number[]) =>
        followChain(NOTHING_FOLLOWED, rows, keysOf(...bytes));
      expect(follow(1)).toMatchObject({ ok: true, link: { n: 3, keyedFrom: 2 } });
      expect(await without.keyChains(T0, 'newest')).toEqual(['', TENANT]);
      // The older key is dropped: the chain is keyed again.
      await without.useAuditKeys(keysOf(3));
      expect(await without.keyChains(T0, 'any')).toEqual(['', TENANT]);
      const after = await without.readAudit(TENANT, 0, 9);
      expect(followChain(NOTHING_FOLLOWED, after, keysOf(3))).toMatchObject({
        ok: true,
        link: { n: 5, keyedFrom: 5 },
      });
    },
  },
  {
    title: '[D8][E1] a log has one event with an anchor since any given time, whoever writes it',
    async run({ store, another }) {
      const stores = [store, await another()];
      const anchored = (i: number, at: number): NewEvent => ({
        id: `evt_${at}_${i}`,
        tenant: TENANT,
        mode: 'live',
        type: 'audit.anchored',
        session: null,
        at,
        data: '{}',
      });
      const write = (at: number, since: number) =>
        times(8, (i) => stores[i % 2]!.addAnchorEvent(anchored(i, at), since));
      const world = { tenant: TENANT, mode: 'live' } as const;
      // An unknown tenant gets none.
      expect(await store.addAnchorEvent(anchored(0, T0), T0)).toBe(false);
      await store.createTenant(tenantOf(), auditOf('tenant.created'));
      expect((await write(T0 + 5, T0)).filter(Boolean)).toHaveLength(1);
      expect((await write(T0 + 9, T0)).filter(Boolean)).toHaveLength(0);
      expect((await write(T0 + 20, T0 + 10)).filter(Boolean)).toHaveLength(1);
      const events = await stores[1]!.readEvents(world, 0, 9);
      expect(events.map(({ seq, at }) => [seq, at])).toEqual([
        [1, T0 + 5],
        [2, T0 + 20],
      ]);
      expect(await store.eventHead({ ...world, mode: 'test' })).toBe(0);
      await store.beginRemoval(TENANT, T0, auditOf('tenant.removed'));
      expect(await store.addAnchorEvent(anchored(1, T0 + 40), T0 + 30)).toBe(false);
      expect(await store.eventHead(world)).toBe(2);
    },
  },
];

function auditFilters(): readonly AuditFilter[] {
  const acts = [null, 'act.1', 'act'];
  const actors = [null, 'key:k', 'key'];
  const times = [null, T0 + 1, T0 + 4];
  return acts.flatMap((act) =>
    actors.flatMap((actor) =>
      times.flatMap((from) => times.map((to) => auditFilter({ act, actor, from, to }))),
    ),
  );
}

/** Expected numbers: by time where anything is filtered. */
function expectedAudit(rows: readonly AuditRow[], { act, actor, from, to }: AuditFilter): number[] {
  const isWhole = act === null && actor === null && from === null && to === null;
  return rows
    .map((row, i) => ({ ...row, n: i + 1 }))
    .filter(
      (row) =>
        (act === null || row.act === act) &&
        (actor === null || row.actor === actor) &&
        (from === null || row.at >= from) &&
        (to === null || row.at < to),
    )
    .sort((a, b) => (isWhole ? b.n - a.n : b.at - a.at || b.n - a.n))
    .map(({ n }) => n);
}

const AUDIT_CASES: readonly AreaCase[] = [
  {
    title: '[D8] the chain continues whoever writes: calls of any area, and another store',
    async run({ store, another }) {
      const other = await another();
      await store.createTenant(tenantOf(), auditOf('tenant.created'));
      await times<unknown>(60, (i) => {
        if (i % 3 === 0) return store.addAudit(auditOf(`writer.${i}`));
        if (i % 3 === 1) return other.addAudit(auditOf(`other.${i}`));
        const secret = { id: `s${i}`, hash: `h${i}` };
        const by = i % 2 === 0 ? store : other;
        return by.createKey(keyOf(`key_${i}`), secret, auditOf(`keys.${i}`));
      });
      const rows = await store.readAudit(TENANT, 0, 100);
      expect(rows).toHaveLength(61);
      const link = { ...(await other.auditHead(TENANT)), keyedFrom: null };
      expect(followChain(NOTHING_FOLLOWED, rows)).toEqual({ ok: true, link });
    },
  },
  {
    title: '[D8] each tenant has its own chain, read forwards and backwards',
    async run({ store }) {
      for (const n of [1, 2, 3, 4, 5]) await store.addAudit(auditOf(`act.${n}`, `ü ${n}`));
      await store.addAudit({ ...auditOf('other'), tenant: 'ten_b' });
      const acts = (rows: readonly { readonly act: string }[]) => rows.map(({ act }) => act);
      expect(acts(await store.readAudit(TENANT, 2, 2))).toEqual(['act.3', 'act.4']);
      expect(acts(await store.listAudit(auditFilter({ limit: 2 })))).toEqual(['act.5', 'act.4']);
      expect(acts(await store.listAudit(auditFilter({ before: 4 })))).toEqual([
        'act.3',
        'act.2',
        'act.1',
      ]);
      expect((await store.auditHead('ten_b')).n).toBe(1);
      expect(await store.auditHead('ten_c')).toEqual({ n: 0, hash: CHAIN_START });
      expect(followChain(NOTHING_FOLLOWED, await store.readAudit(TENANT, 0, 9)).ok).toBe(true);
    },
  },
  {
    title:
      '[D8] every filter of the audit and every combination lists the matching rows, newest first',
    async run({ store }) {
      const actors = ['cli', 'key:k', 'member:m'] as const;
      const rows = Array.from({ length: 24 }, (_, i) => ({
        ...auditOf(`act.${i % 2}`),
        actor: actors[i % 3]!,
        // A clock that is ahead, and times that several rows share.
        at: T0 + (i === 5 ? 99 : Math.floor(i / 4)),
      }));
      for (const row of rows) await store.addAudit(row);
      await store.addAudit({ ...auditOf('act.0'), tenant: 'ten_b', actor: 'cli' });
      for (const filter of auditFilters()) {
        const listed = await store.listAudit(filter);
        const found = listed.map(({ n }) => n);
        expect({ filter, found }).toEqual({ filter, found: expectedAudit(rows, filter) });
        // In pages it is the same.
        const paged: number[] = [];
        for (let before: number | null = null; ; before = paged.at(-1)!) {
          const page: readonly { readonly n: number }[] = await store.listAudit({
            ...filter,
            before,
            limit: 2,
          });
          paged.push(...page.map(({ n }) => n));
          if (page.length < 2) break;
        }
        expect({ filter, paged }).toEqual({ filter, paged: found });
      }
      expect(await store.listAuditNames(TENANT, 9)).toEqual({
        acts: ['act.0', 'act.1'],
        actors: [...actors],
      });
      expect(await store.listAuditNames(TENANT, 2)).toEqual({
        acts: ['act.0', 'act.1'],
        actors: ['cli', 'key:k'],
      });
      expect(await store.listAuditNames('ten_c', 9)).toEqual({ acts: [], actors: [] });
    },
  },
  {
    title: "[D8] a member's act on a match or player is part of its commit, or not written at all",
    async run({ store }) {
      const id = await created(store, 1, { seats: [seatOf(0, 'ann')] });
      const ended = { status: 'ended', endedAt: T0 } as const;
      const audit = auditOf('session.ended', id);
      expect(await append(store, id, [entryOf(0)], { ...ended, audit })).toBe('conflict');
      expect((await store.auditHead(TENANT)).n).toBe(0);
      expect(await append(store, id, [entryOf(1)], { ...ended, audit })).toBe('committed');
      expect(await append(store, id, [entryOf(1)], { ...ended, audit })).toBe('conflict');
      const erase = (player: string) =>
        store.erasePlayer(TENANT, WORLDS, player, T0, {
          audit: auditOf('player.erased', 'player'),
        });
      expect([await erase('ben'), await erase('ann'), await erase('ann')]).toEqual([
        false,
        true,
        false,
      ]);
      const rows = await store.readAudit(TENANT, 0, 9);
      expect(rows.map(({ act, object }) => `${act} ${object}`)).toEqual([
        `session.ended ${id}`,
        'player.erased player',
      ]);
      expect(followChain(NOTHING_FOLLOWED, rows).ok).toBe(true);
    },
  },
];

const WORLD_CASES: readonly AreaCase[] = [
  {
    title: '[D7] players are found by an exact prefix of their ids',
    async run({ store }) {
      const ids = ['ann', 'Ann', 'ann%', 'ann_1', 'annika', 'an', 'änn', 'ann\u{1f600}'];
      const seats = ids.map((id, i) => seatOf(i, id, i === 0 ? 'Ann A.' : null));
      await created(store, 1, { seats });
      const find = async (prefix: string, limit = 9, after = '') =>
        (await store.findPlayers(TENANT, 'live', prefix, limit, after)).map(
          ({ playerId }) => playerId,
        );
      expect(await find('ann')).toEqual(['ann', 'ann%', 'ann_1', 'annika', 'ann\u{1f600}']);
      expect(await find('ann', 2)).toEqual(['ann', 'ann%']);
      expect(await find('ann', 2, 'ann%')).toEqual(['ann_1', 'annika']);
      expect(await find('', 2, 'än')).toEqual(['änn']);
      expect(await find('ann%')).toEqual(['ann%']);
      expect(await find('A')).toEqual(['Ann']);
      expect((await store.findPlayers(TENANT, 'live', 'ann', 1, ''))[0]).toEqual({
        playerId: 'ann',
        displayName: 'Ann A.',
        createdAt: T0,
      });
      expect(await store.findPlayers('ten_b', 'live', 'a', 9, '')).toEqual([]);
      await store.erasePlayer(TENANT, WORLDS, 'annika', T0);
      expect(await find('anni')).toEqual([]);
    },
  },
  {
    title: '[D11] open tickets are listed newest first, with their players',
    async run({ store }) {
      const world = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;
      const write = (n: number) => ({ at: T0 + n, eventId: `evt_${n}`, idempotency: null });
      for (const n of [1, 2, 3]) {
        const ticket = { ...world, ticket: `tkt_${n}`, capacity: 2, openTicketsMax: 9 };
        await store.createTicket({ ...ticket, ...write(n) });
      }
      await store.setPresence({ ...world, playerId: 'ann', node: 'nod_a', isConnected: true });
      const verdict = { status: 'passed' };
      const integrity = JSON.stringify(verdict);
      const player = { playerId: 'ann', newRef: 'ply_a', integrity };
      const add = { ...world, ticket: 'tkt_1', ...player, ...write(4) };
      expect(await store.addToTicket(add)).toEqual({ kind: 'added' });
      await store.promoteTicket({ ...world, ticket: 'tkt_1', group: 'grp_1', ...write(5) });
      await store.cancelTicket({ ...world, ticket: 'tkt_2', ...write(6) });
      const open = await store.listOpenTickets(TENANT, 'live', 9);
      expect(open.map(({ id, status }) => `${id} ${status}`)).toEqual([
        'tkt_3 forming',
        'tkt_1 promoted',
      ]);
      const players: readonly unknown[] = open[1]!.players;
      expect(players).toEqual([{ id: 'ann', displayName: null, integrity: verdict }]);
      expect(await store.listOpenTickets(TENANT, 'live', 1)).toEqual([open[0]!]);
      expect(await store.listOpenTickets(TENANT, 'test', 9)).toEqual([]);
      const found = async (id: string, mode: 'live' | 'test' = 'live', tenant = TENANT) => {
        const ticket = await store.findTicketOrGroup(tenant, mode, id);
        return ticket && `${ticket.id} ${ticket.status}`;
      };
      expect(await found('grp_1')).toBe('tkt_1 promoted');
      expect(await found('tkt_1')).toBe('tkt_1 promoted');
      expect(await found('tkt_2')).toBe('tkt_2 cancelled');
      expect((await store.findTicketOrGroup(TENANT, 'live', 'grp_1'))!.players).toEqual(
        open[1]!.players,
      );
      expect(await found('tkt_1', 'test')).toBeNull();
      expect(await found('tkt_1', 'live', 'ten_b')).toBeNull();
      expect(await found('tkt_9')).toBeNull();
    },
  },
  {
    title: '[I3] sessions with verdicts are listed newest first, from an id on',
    async run({ store }) {
      for (const n of [1, 2, 3]) {
        const { row, ...rest } = sessionOf(n);
        const integrity = n === 2 ? undefined : `[{"seat":${n}}]`;
        const session = { ...rest, row: integrity === undefined ? row : { ...row, integrity } };
        await store.createSession(session);
      }
      const listed = await store.listChecked(TENANT, 'live', '', 9);
      expect(listed).toEqual(
        [3, 1].map((n) => ({
          session: sessionId(n),
          game: 'tictactoe',
          createdAt: T0,
          integrity: `[{"seat":${n}}]`,
        })),
      );
      expect(await store.listChecked(TENANT, 'live', sessionId(2), 9)).toEqual([listed[0]!]);
      expect(await store.listChecked(TENANT, 'test', '', 9)).toEqual([]);
    },
  },
  {
    title: '[D11] setup steps are derived from the sessions, and keep their first time',
    async run({ store }) {
      const steps = () => store.sessionSteps(TENANT, 'live');
      expect(await steps()).toEqual({ made: false, started: false, ended: false });
      await created(store, 1);
      expect(await steps()).toEqual({ made: true, started: false, ended: false });
      // A session that ended before it started is not a played match.
      await append(store, sessionId(1), [entryOf(1)], { status: 'ended', endedAt: T0 });
      expect(await steps()).toEqual({ made: true, started: false, ended: false });
      await created(store, 2);
      await append(store, sessionId(2), [entryOf(1)], { status: 'active', startedAt: T0 });
      expect(await steps()).toEqual({ made: true, started: true, ended: false });
      await append(store, sessionId(2), [entryOf(2)], { status: 'ended', endedAt: T0 + 1 });
      expect(await steps()).toEqual({ made: true, started: true, ended: true });
      await store.addMilestones(TENANT, 'live', [{ name: 'made', at: T0 }]);
      await store.addMilestones(TENANT, 'live', [
        { name: 'made', at: T0 + 9 },
        { name: 'ended', at: T0 + 9 },
      ]);
      const kept = [...(await store.listMilestones(TENANT, 'live'))];
      expect(kept.sort((a, b) => a.at - b.at)).toEqual([
        { name: 'made', at: T0 },
        { name: 'ended', at: T0 + 9 },
      ]);
      expect(await store.listMilestones(TENANT, 'test')).toEqual([]);
    },
  },
  {
    title: '[STORE-J1] processes are listed by their last sign of life',
    async run({ store }) {
      await store.heartbeat('nod_a', T0);
      await store.heartbeat('nod_b', T0 + 1);
      await store.heartbeat('nod_a', T0 + 2);
      expect(await store.listNodes()).toEqual([
        { id: 'nod_a', aliveAt: T0 + 2 },
        { id: 'nod_b', aliveAt: T0 + 1 },
      ]);
    },
  },
];

export const journalCases: readonly AreaCase[] = [
  ...REQUEST_CASES,
  ...AUDIT_CASES,
  ...KEYED_CASES,
  ...WORLD_CASES,
];
