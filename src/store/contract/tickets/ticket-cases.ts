/** What every store guarantees for tickets beyond the rules: written with their effects, and swept in steps. */

import { expect } from 'bun:test';
import { LOBBY_CHECK_MS } from '../../../integrity/checks.ts';
import type { GroupsStart, StartedSession, TicketFilter, TicketWorld } from '../../tickets.ts';
import type { Store } from '../../whole-store.ts';
import { WORLDS } from '../../world.ts';
import { answerOf, entryOf, seatOf, sessionId, sessionOf, T0, TENANT } from '../stage.ts';

export interface TicketCase {
  /** Begins with the rule it proves. */
  readonly title: string;
  /** `again` closes the store and opens it again. */
  run(store: Store, again: () => Promise<Store>): Promise<void>;
}

const WORLD = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;
const OPEN_MAX = 3;

const ANN = { tenant: TENANT, worlds: WORLDS, playerId: 'ann' } as const;
const write = (n: number, key: string | null = null) => ({
  at: T0 + n,
  eventId: `evt_${n}`,
  idempotency: key === null ? null : answerOf(key, { body: '{}' }),
});
const ticketOf = (n: number) => ({ ...WORLD, ticket: `tkt_${n}` });

async function create(store: Store, n: number): Promise<void> {
  const ticket = { ...ticketOf(n), capacity: 2, openTicketsMax: OPEN_MAX, ...write(n) };
  expect(await store.createTicket(ticket)).toEqual({ kind: 'created' });
}

async function add(store: Store, n: number, playerId: string, key: string | null = null) {
  return store.addToTicket({
    ...ticketOf(n),
    playerId,
    newRef: `ply_${playerId}`,
    ...write(n, key),
  });
}

function connect(store: Store, playerId: string): Promise<void> {
  return store.setPresence({ ...WORLD, playerId, node: 'nod_a', isConnected: true });
}

/** A group with these players. */
async function group(store: Store, n: number, ...players: readonly string[]): Promise<string> {
  await create(store, n);
  for (const player of players) {
    await connect(store, player);
    expect(await add(store, n, player)).toEqual({ kind: 'added' });
  }
  await store.promoteTicket({ ...ticketOf(n), group: `grp_${n}`, ...write(n) });
  return `grp_${n}`;
}

function sessionWith(n: number, players: readonly string[]): StartedSession {
  const { row, quota } = sessionOf(n);
  return {
    row: { ...row, matchType: 'hosted', status: 'active', startedAt: T0, endedAt: null },
    seats: players.map((player, seat) => seatOf(seat, player)),
    entries: [entryOf(0), entryOf(1)],
    wakeAt: null,
    quota,
    events: [],
  };
}

function startOf(n: number, groups: readonly string[], players: readonly string[]): GroupsStart {
  const { at, idempotency } = write(n, `start ${n}`);
  return {
    ...WORLD,
    groups,
    seats: { min: 2, max: 2 },
    requireConnected: false,
    session: sessionWith(n, players),
    eventIds: groups.map((_, index) => `evt_${n}_${index}`),
    at,
    idempotency,
  };
}

export const ticketCases: readonly TicketCase[] = [
  {
    title: '[R2][M2] erasing an unknown player leaves a connected player of that id alone',
    async run(store) {
      await create(store, 1);
      // A lobby token without a name creates no player.
      await connect(store, 'ann');
      expect(await store.erasePlayer(TENANT, WORLDS, 'ann', T0)).toBe(false);
      expect(await add(store, 1, 'ann')).toEqual({ kind: 'added' });
    },
  },
  {
    title: '[H8] a response is stored with its effect, and not without one',
    async run(store) {
      await create(store, 1);
      expect(await add(store, 1, 'ann', 'away')).toMatchObject({ kind: 'refused' });
      await connect(store, 'ann');
      expect(await add(store, 1, 'ann', 'first')).toEqual({ kind: 'added' });
      expect(await add(store, 1, 'ann', 'again')).toEqual({ kind: 'again' });
      const isKept = async (key: string) =>
        (await store.findIdempotent(answerOf(key), T0)) !== null;
      expect([await isKept('away'), await isKept('first'), await isKept('again')]).toEqual([
        false,
        true,
        false,
      ]);
    },
  },
  {
    title:
      '[I3c][I3d] a player in a ticket has the verdict of the add, or a recent one of the lobby',
    async run(store) {
      const own = { status: 'failed' };
      const lobby = { status: 'passed' };
      const young = T0 - LOBBY_CHECK_MS + 1;
      const players = [
        { id: 'ann', ticket: 1, at: young, mode: 'live' },
        { id: 'ben', ticket: 1, at: young, mode: 'live', integrity: JSON.stringify(own) },
        { id: 'cid', ticket: 2, at: T0 - LOBBY_CHECK_MS, mode: 'live' },
        { id: 'dan', ticket: 2, at: T0, mode: 'test' },
      ] as const;
      for (const n of [1, 2]) await create(store, n);
      for (const { id: playerId, ticket, at, mode, ...device } of players) {
        await connect(store, playerId);
        const player = { tenant: TENANT, world: mode, playerId, newRef: `ply_${playerId}` };
        const check = JSON.stringify(lobby);
        const named = { ...player, newRef: `ply_named_${playerId}`, displayName: null, at };
        await store.namePlayer({ ...named, check }, null);
        const written = { ...write(0), eventId: `evt_${playerId}` };
        const added = { ...ticketOf(ticket), ...player, ...device, ...written };
        expect(await store.addToTicket(added)).toEqual({ kind: 'added' });
      }
      const tickets = [await store.findTicket(ticketOf(1)), await store.findTicket(ticketOf(2))];
      const found: readonly unknown[] = tickets.flatMap((ticket) => ticket!.players);
      expect(found).toEqual([
        { id: 'ann', displayName: null, integrity: lobby },
        { id: 'ben', displayName: null, integrity: own },
        { id: 'cid', displayName: null },
        { id: 'dan', displayName: null },
      ]);
    },
  },
  {
    title: '[M3][H8] the stored response to a promotion names the players of the group',
    async run(store) {
      await create(store, 1);
      await connect(store, 'ann');
      await add(store, 1, 'ann');
      await store.promoteTicket({ ...ticketOf(1), group: 'grp_1', ...write(1, 'promote') });
      const kept = await store.findIdempotent(answerOf('promote'), T0);
      expect(JSON.parse(kept!.body)).toMatchObject({
        group: { id: 'grp_1', ticketId: 'tkt_1', players: [{ id: 'ann', displayName: null }] },
      });
    },
  },
  {
    title: "[M5] a start with other players than the groups' changes nothing",
    async run(store) {
      const groups = [await group(store, 1, 'ann', 'bob')];
      for (const players of [['bob', 'ann'], ['ann'], ['ann', 'bob', 'cyd']]) {
        expect(await store.startGroups(startOf(2, groups, players))).toEqual({ kind: 'changed' });
      }
      expect(await store.loadSession('ses_000002')).toBeNull();
      expect(await store.findIdempotent(answerOf('start 2'), T0)).toBeNull();
      expect(await store.startGroups(startOf(2, groups, ['ann', 'bob']))).toEqual({
        kind: 'started',
      });
      expect(await store.findIdempotent(answerOf('start 2'), T0)).not.toBeNull();
      expect((await store.loadSession('ses_000002'))?.entries.length).toBe(2);
    },
  },
  {
    title: '[M5] of parallel starts of a group the first succeeds, and no other',
    async run(store) {
      const groups = [await group(store, 1, 'ann', 'bob')];
      const starts = [2, 3, 4].map((n) => store.startGroups(startOf(n, groups, ['ann', 'bob'])));
      const kinds = (await Promise.all(starts)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'started')).toEqual(['started']);
      const ids = ['ses_000002', 'ses_000003', 'ses_000004'];
      const made = await Promise.all(ids.map(store.loadSession));
      expect(made.map((each) => each !== null)).toEqual(kinds.map((kind) => kind === 'started'));
      // No counter is decremented twice.
      for (const n of [5, 6, 7]) await create(store, n);
      const over = { ...ticketOf(8), capacity: 2, openTicketsMax: OPEN_MAX, ...write(8) };
      expect(await store.createTicket(over)).toMatchObject({ kind: 'refused' });
    },
  },
  {
    title: '[M5] a start that fails half-way leaves groups and counters unchanged',
    async run(store) {
      const groups = [await group(store, 1, 'ann', 'bob')];
      await store.createSession(sessionOf(2));
      // The id of its session exists: the last statement but one fails.
      const failed = await store.startGroups(startOf(2, groups, ['ann', 'bob'])).then(
        () => 'done',
        () => 'failed',
      );
      expect(failed).toBe('failed');
      expect((await store.listPool(WORLD, 0, 9)).length).toBe(1);
      for (const n of [3, 4]) await create(store, n);
      const over = { ...ticketOf(5), capacity: 2, openTicketsMax: OPEN_MAX, ...write(5) };
      expect(await store.createTicket(over)).toMatchObject({ kind: 'refused' });
      expect(await store.startGroups(startOf(6, groups, ['ann', 'bob']))).toEqual({
        kind: 'started',
      });
      expect(await store.createTicket(over)).toEqual({ kind: 'created' });
    },
  },
  {
    title: '[M5] a session created by a start sleeps until its time, if it has one',
    async run(store) {
      const groups = [await group(store, 1, 'ann', 'bob')];
      const start = startOf(2, groups, ['ann', 'bob']);
      const session = { ...start.session, wakeAt: T0 + 10 };
      expect(await store.startGroups({ ...start, session })).toEqual({ kind: 'started' });
      expect(await store.claimDue(T0 + 9, 9)).toEqual([]);
      expect(await store.claimDue(T0 + 10, 9)).toEqual([session.row.id]);
    },
  },
  {
    title: '[M4] positions are counted per pool: they reveal nothing about other tenants',
    async run(store) {
      for (const n of [1, 2]) await group(store, n, `a${n}`);
      const elsewhere = { ...WORLD, tenant: 'ten_b' } as const;
      const ticket = { ...elsewhere, ticket: 'tkt_b' };
      await store.createTicket({ ...ticket, capacity: 2, openTicketsMax: OPEN_MAX, ...write(3) });
      await store.setPresence({ ...elsewhere, playerId: 'b', node: 'nod_a', isConnected: true });
      await store.addToTicket({ ...ticket, playerId: 'b', newRef: 'ply_b', ...write(3) });
      await store.promoteTicket({ ...ticket, group: 'grp_b', ...write(3) });
      const places = async (world: TicketWorld) =>
        (await store.listPool(world, 0, 9)).map(({ poolPlace }) => poolPlace);
      expect(await places(WORLD)).toEqual([1, 2]);
      expect(await places(elsewhere)).toEqual([1]);
      await store.cancelGroup({ ...WORLD, group: 'grp_2', ...write(4) });
      await group(store, 4, 'a4');
      expect(await places(WORLD)).toEqual([1, 3]);
    },
  },
  {
    title: '[M6] tickets are listed by state and player, the newest first, in pages',
    async run(store) {
      // Four of each state: forming, promoted, started, cancelled.
      const groups: string[] = [];
      for (let n = 10; n < 26; n++) {
        const ticket = { ...ticketOf(n), capacity: 2, openTicketsMax: 99, ...write(n) };
        expect(await store.createTicket(ticket)).toEqual({ kind: 'created' });
        for (const player of [`p${n % 4}`, `q${n}`]) {
          await connect(store, player);
          if (n % 2 === 0 || player.startsWith('q')) await add(store, n, player);
          if (n % 4 === 0 && n < 22) await store.cancelTicket({ ...ticketOf(n), ...write(n) });
        }
        if (n % 4 === 1 || n % 4 === 2) {
          await store.promoteTicket({ ...ticketOf(n), group: `grp_${n}`, ...write(n) });
        }
        if (n % 4 === 2) groups.push(`grp_${n}`);
      }
      for (const [i, group] of groups.entries()) {
        const n = Number(group.slice(4));
        await store.startGroups(startOf(50 + i, [group], ['p2', `q${n}`]));
      }
      const list = async (filter: Partial<TicketFilter> = {}): Promise<string[]> => {
        const all = { ...WORLD, status: null, playerId: null, before: null, limit: 100 };
        return (await store.listTickets({ ...all, ...filter })).map(({ id }) => id);
      };
      const ids = (fits: (n: number) => boolean): string[] =>
        Array.from({ length: 16 }, (_, i) => 25 - i)
          .filter(fits)
          .map((n) => `tkt_${n}`);
      expect(await list()).toEqual(ids(() => true));
      expect(await list({ status: 'promoted' })).toEqual(ids((n) => n % 4 === 1));
      expect(await list({ status: 'started' })).toEqual(ids((n) => n % 4 === 2));
      expect(await list({ status: 'cancelled' })).toEqual(ids((n) => n % 4 === 0 && n < 22));
      expect(await list({ status: 'forming' })).toEqual(ids((n) => n % 4 === 3 || n === 24));
      expect(await list({ playerId: 'q17' })).toEqual(['tkt_17']);
      expect(await list({ playerId: 'q17', status: 'started' })).toEqual([]);
      expect(await list({ playerId: 'q17', status: 'promoted' })).toEqual(['tkt_17']);
      expect(await list({ playerId: 'nobody' })).toEqual([]);
      expect(await list({ game: 'ludo' })).toEqual([]);
      expect(await list({ mode: 'test' })).toEqual([]);
      expect(await list({ tenant: 'ten_b' })).toEqual([]);
      expect(await list({ before: 'tkt_20', limit: 3 })).toEqual(['tkt_19', 'tkt_18', 'tkt_17']);
      expect(await list({ before: 'tkt_20', limit: 2, status: 'forming' })).toEqual([
        'tkt_19',
        'tkt_15',
      ]);
    },
  },
  {
    title: '[M6] tickets and groups survive a restart, presence does not',
    async run(store, again) {
      const waiting = await group(store, 1, 'ann', 'bob');
      await create(store, 2);
      await add(store, 2, 'ann');
      const reopened = await again();
      expect((await reopened.listPool(WORLD, 0, 9)).map((each) => each.group)).toEqual([waiting]);
      expect(await reopened.findTicket(ticketOf(2))).toMatchObject({
        status: 'forming',
        players: [{ id: 'ann' }],
      });
      await create(reopened, 3);
      expect(await add(reopened, 3, 'ann')).toMatchObject({
        refusal: { code: 'player_not_connected' },
      });
    },
  },
  {
    title: '[R1] ended tickets are removed in steps, oldest first, with their players; no others',
    async run(store) {
      const cancel = (n: number) => store.cancelTicket({ ...ticketOf(n), ...write(n) });
      for (let n = 1; n <= 4; n++) {
        await create(store, n);
        await connect(store, 'ann');
        await add(store, n, 'ann');
        await cancel(n);
      }
      await group(store, 5, 'ann', 'bob');
      expect(await store.removeTickets(T0 + 1, 2)).toBe(0);
      expect(await store.removeTickets(T0 + 4, 2)).toBe(2);
      expect(await store.findTicket(ticketOf(2))).toBeNull();
      expect(await store.findTicket(ticketOf(3))).not.toBeNull();
      expect(await store.removeTickets(T0 + 4, 2)).toBe(1);
      expect(await store.removeTickets(T0 + 1_000, 9)).toBe(1);
      expect(await store.removeTickets(T0 + 1_000, 9)).toBe(0);
      const left = await store.listTicketsOf(ANN, null, 9);
      expect(left.map(({ id }) => id)).toEqual(['tkt_5']);
    },
  },
  {
    title: "[R2] a player's tickets are read page by page, by game, in the requested modes",
    async run(store) {
      for (const [n, mode, game] of [
        [1, 'live', 'tictactoe'],
        [2, 'test', 'ludo'],
        [3, 'test', 'tictactoe'],
        [4, 'live', 'ludo'],
      ] as const) {
        const world = { tenant: TENANT, mode, game };
        await store.setPresence({ ...world, playerId: 'ann', node: 'nod_a', isConnected: true });
        const ticket = `tkt_${n}`;
        await store.createTicket({ ...world, ticket, capacity: 2, openTicketsMax: 9, ...write(n) });
        const add = { ...world, ticket, playerId: 'ann', newRef: `ply_${mode}`, ...write(10 + n) };
        expect(await store.addToTicket(add)).toEqual({ kind: 'added' });
      }
      const idsOf = async (...ask: Parameters<typeof store.listTicketsOf>) =>
        (await store.listTicketsOf(...ask)).map(({ id }) => id);
      expect(await idsOf(ANN, null, 9)).toEqual(['tkt_2', 'tkt_4', 'tkt_1', 'tkt_3']);
      expect(await idsOf({ ...ANN, worlds: ['test'] }, null, 9)).toEqual(['tkt_2', 'tkt_3']);
      expect(await idsOf(ANN, null, 3)).toEqual(['tkt_2', 'tkt_4', 'tkt_1']);
      expect(await idsOf(ANN, { game: 'ludo', id: 'tkt_2' }, 2)).toEqual(['tkt_4', 'tkt_1']);
      expect(await idsOf(ANN, { game: 'tictactoe', id: 'tkt_3' }, 2)).toEqual([]);
      expect(await idsOf({ ...ANN, playerId: 'ben' }, null, 9)).toEqual([]);
    },
  },
  {
    title: '[R1] a guest of training stays while in a ticket',
    async run(store) {
      const seats = [seatOf(0, 'guest:a')];
      await store.createSession(sessionOf(1, { mode: 'training', seats }));
      await create(store, 1);
      await connect(store, 'guest:a');
      await add(store, 1, 'guest:a');
      const change = { status: 'ended', endedAt: T0 } as const;
      const entries = [entryOf(1)];
      const world = { tenant: TENANT, mode: 'training' } as const;
      const session = sessionId(1);
      await new Promise((done) => store.commit({ session, ...world, entries, change }, done));
      expect(await store.removeSessions({ ...world, endedBefore: T0 + 9, limit: 9 })).toBe(1);
      expect((await store.findTicket(ticketOf(1)))!.players).toMatchObject([{ id: 'guest:a' }]);
    },
  },
  {
    title: '[M1][M2][M3][H6] each of several parallel calls sees the effects of those before it',
    async run(store) {
      const created = await Promise.all(
        [1, 2, 3, 4, 5].map((n) =>
          store.createTicket({
            ...ticketOf(n),
            capacity: 2,
            openTicketsMax: OPEN_MAX,
            ...write(n),
          }),
        ),
      );
      expect(created.map(({ kind }) => kind)).toEqual([
        'created',
        'created',
        'created',
        'refused',
        'refused',
      ]);
      for (const player of ['ann', 'bob', 'cyd']) await connect(store, player);
      const added = ['ann', 'ann', 'bob', 'cyd'].map((player) => add(store, 1, player));
      expect(await Promise.all([...added, add(store, 2, 'ann')])).toMatchObject([
        { kind: 'added' },
        { kind: 'again' },
        { kind: 'added' },
        { refusal: { code: 'ticket_full' } },
        { refusal: { code: 'player_in_ticket', ticket: 'tkt_1' } },
      ]);
      const leave = (playerId: string) =>
        store.removeFromTicket({ ...ticketOf(1), playerId, ...write(6) });
      expect(await Promise.all([leave('ann'), leave('ann'), leave('bob')])).toMatchObject([
        { kind: 'removed' },
        { refusal: { code: 'player_not_in_ticket' } },
        { kind: 'removed' },
      ]);
      const cancel = (n: number) => store.cancelTicket({ ...ticketOf(n), ...write(7) });
      expect(await Promise.all([cancel(1), cancel(1), cancel(9)])).toMatchObject([
        { kind: 'cancelled' },
        { kind: 'again' },
        { refusal: { code: 'ticket_not_found' } },
      ]);
      const promote = (n: number) =>
        store.promoteTicket({ ...ticketOf(n), group: `grp_${n}`, ...write(8) });
      const promoted = await Promise.all([promote(3), promote(2), promote(3)]);
      expect(promoted.map(({ kind }) => kind)).toEqual(['promoted', 'promoted', 'again']);
      const pool = await store.listPool(WORLD, 0, 9);
      expect(pool.map(({ group, poolPlace }) => [group, poolPlace])).toEqual([
        ['grp_3', 1],
        ['grp_2', 2],
      ]);
      const end = (n: number) => store.cancelGroup({ ...WORLD, group: `grp_${n}`, ...write(9) });
      const ended = await Promise.all([end(2), end(2), end(3)]);
      expect(ended.map(({ kind }) => kind)).toEqual(['cancelled', 'again', 'cancelled']);
      // None is counted twice: there is room for three again, and for no more.
      for (const n of [11, 12, 13]) await create(store, n);
      const over = { ...ticketOf(14), capacity: 2, openTicketsMax: OPEN_MAX, ...write(14) };
      expect(await store.createTicket(over)).toMatchObject({ kind: 'refused' });
    },
  },
  {
    title: '[E1] an event is written with its change, and none without one',
    async run(store) {
      await create(store, 1);
      await add(store, 1, 'ann');
      await connect(store, 'ann');
      await add(store, 1, 'ann');
      await add(store, 1, 'ann');
      const events = await store.readEvents({ tenant: TENANT, mode: 'live' }, 0, 99);
      expect(events.map(({ type }) => type)).toEqual(['ticket.created', 'ticket.player_added']);
      expect(JSON.parse(events[1]!.data)).toEqual({
        ticketId: 'tkt_1',
        game: 'tictactoe',
        playerId: { $player: 'ply_ann' },
        taken: 1,
        capacity: 2,
      });
    },
  },
];
