/**
 * Hosted matchmaking of a store only, call by call: `bun bench/stores/tickets.ts [postgres|sqlite]
 * [nodes] [tenants]`. PostgreSQL is the machine's own, started for it; each node is a store in this
 * one process.
 */

import { join } from 'node:path';
import type { Entry } from '../../src/match/record.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { GroupsStart, TicketWorld } from '../../src/store/tickets.ts';
import type { Store } from '../../src/store/whole-store.ts';
import { startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { makeNumber, makeTable } from '../report.ts';

/** Matches of two, each with a ticket for each player, as backends that pair by themselves do. */
const MATCHES = 1_000;
/** Concurrent calls. */
const IN_FLIGHT = 64;
const T0 = Date.UTC(2026, 10, 21);
const LEASE_MS = 3_600_000;

interface Place {
  readonly nodes: readonly { readonly id: string; readonly store: Store }[];
  close(): Promise<void>;
}

async function openPlace(kind: string, count: number): Promise<Place> {
  if (kind === 'sqlite') {
    const folder = makeTempFolder();
    const store = await openSqliteStore(join(folder, 'bench.db'));
    const close = () => store.close().then(() => removeFolder(folder));
    return { nodes: [{ id: 'nod_0', store }], close };
  }
  const server = await startPostgres();
  const url = await server.createDatabase();
  const nodes: { id: string; store: Awaited<ReturnType<typeof openPostgresStore>> }[] = [];
  for (let n = 0; n < count; n++) {
    const id = `nod_${n}`;
    const store = await openPostgresStore({ url, node: id });
    await store.renewLease(id, LEASE_MS, false);
    nodes.push({ id, store });
  }
  return {
    nodes,
    async close() {
      for (const { store } of nodes) await store.close();
      await server.stop();
    },
  };
}

interface Figures {
  readonly call: string;
  readonly perSecond: number;
  readonly latenciesMs: number[];
}

/** Runs it `count` times, that many in parallel; the first failed call ends it. */
async function measure(
  call: string,
  count: number,
  act: (n: number) => Promise<string>,
  expected: string,
): Promise<Figures> {
  const latenciesMs: number[] = [];
  let next = 0;
  const began = performance.now();
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const from = performance.now();
      const outcome = await act(n);
      if (outcome !== expected) throw new Error(`${call} ${n}: ${outcome}`);
      latenciesMs.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const seconds = (performance.now() - began) / 1_000;
  return { call, perSecond: count / seconds, latenciesMs };
}

async function measureAll({ nodes }: Place, tenants: number): Promise<readonly Figures[]> {
  const world = (match: number): TicketWorld => ({
    tenant: `ten_${match % tenants}`,
    mode: 'live',
    game: 'tictactoe',
  });
  const ticketOf = (n: number) => ({ ...world(n >> 1), ticket: `tkt_${n}` });
  const write = (n: number) => ({ at: T0, eventId: `evt_${n}`, idempotency: null });
  const nodeOf = (n: number) => nodes[n % nodes.length]!;
  const players = 2 * MATCHES;
  const kindOf = (outcome: { readonly kind: string }): string => outcome.kind;
  return [
    await measure(
      'player comes',
      players,
      async (n) => {
        const { id: node, store } = nodeOf(n);
        const { tenant, mode } = world(n >> 1);
        const playerId = `player ${n}`;
        await store.setPresence({ tenant, mode, playerId, node, isConnected: true });
        return 'done';
      },
      'done',
    ),
    await measure(
      'create ticket',
      players,
      async (n) => {
        const ticket = { ...ticketOf(n), capacity: 1, openTicketsMax: 1e9, ...write(n) };
        return kindOf(await nodeOf(n).store.createTicket(ticket));
      },
      'created',
    ),
    await measure(
      'add player',
      players,
      async (n) => {
        const named = { playerId: `player ${n}`, newRef: `ply_${n}` };
        return kindOf(
          await nodeOf(n + 1).store.addToTicket({ ...ticketOf(n), ...named, ...write(n) }),
        );
      },
      'added',
    ),
    await measure(
      'promote',
      players,
      async (n) => {
        const group = `grp_${n}`;
        return kindOf(await nodeOf(n).store.promoteTicket({ ...ticketOf(n), group, ...write(n) }));
      },
      'promoted',
    ),
    await measure(
      'start, two groups',
      MATCHES,
      async (n) => kindOf(await nodeOf(n).store.startGroups(startOf(world(n), n))),
      'started',
    ),
  ];
}

function startOf(world: TicketWorld, n: number): GroupsStart {
  const ids = [2 * n, 2 * n + 1];
  const created = { v: 0, at: T0, record: { k: 'connected', seat: 0 } } as const;
  const entries: readonly Entry[] = [created, { v: 1, at: T0, record: { k: 'started' } }];
  return {
    ...world,
    groups: ids.map((id) => `grp_${id}`),
    seats: { min: 2, max: 2 },
    requireConnected: true,
    session: {
      row: {
        ...world,
        id: `ses_${n}`,
        matchType: 'hosted',
        variant: 'standard',
        status: 'active',
        roomCode: 'CODE',
        metadata: null,
        theme: null,
        createdAt: T0,
        startedAt: T0,
        endedAt: null,
      },
      seats: ids.map((id, seat) => ({
        seat,
        playerId: `player ${id}`,
        displayName: null,
        isBot: false,
        newRef: `ply_new_${id}`,
        at: T0,
      })),
      entries,
      wakeAt: null,
      quota: { month: '2026-11', sessionsPerMonthMax: null, openSessionsMax: null },
      events: [],
    },
    at: T0,
    eventIds: ids.map((id) => `evt_start_${id}`),
    idempotency: null,
  };
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}

const [kind = 'postgres', nodes = '1', tenants = '1'] = process.argv.slice(2);
const place = await openPlace(kind, Number(nodes));
const figures = await measureAll(place, Number(tenants));
await place.close();
console.log(`${kind}, ${nodes} nodes, ${tenants} tenants, ${IN_FLIGHT} calls at a time\n`);
console.log(
  makeTable(
    [
      { title: 'call', align: 'left' },
      { title: 'calls/s', align: 'right' },
      { title: 'p50 ms', align: 'right' },
      { title: 'p99 ms', align: 'right' },
    ],
    figures.map(({ call, perSecond, latenciesMs }) => [
      call,
      makeNumber(perSecond),
      makeNumber(quantile(latenciesMs, 0.5)),
      makeNumber(quantile(latenciesMs, 0.99)),
    ]),
  ),
);
