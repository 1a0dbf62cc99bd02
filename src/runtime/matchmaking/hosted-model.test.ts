/** Tickets and groups in each store against a small model, with restarts in between. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { shippedGames } from '../../games/registry.ts';
import { tictactoe } from '../../games/tictactoe/tictactoe.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import { PLANS } from '../../tenancy/tenant.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import {
  openPostgresPlace,
  openSqlitePlace,
  type StoreLife,
  type StorePlace,
} from '../../testing/store-places.ts';
import { testRuns } from '../../testing/test-runs.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { foldLog } from '../host/fold.ts';
import { makeIds } from '../ids.ts';
import { type HostedService, makeHostedService } from './hosted.ts';

const STEPS_MAX = 100;
const OPEN_MAX = 12;
const TENANT = 'ten_model';
const SLOW_MS = 120_000;

const WORLDS = [
  { tenant: TENANT, mode: 'live', game: 'tictactoe' },
  { tenant: TENANT, mode: 'test', game: 'tictactoe' },
  { tenant: TENANT, mode: 'live', game: 'connect4' },
] as const;

interface ModelTicket {
  readonly id: string;
  readonly world: number;
  readonly capacity: number;
  status: 'forming' | 'promoted' | 'started' | 'cancelled';
  players: (string | null)[];
  group: string | null;
  session: string | null;
  /** The set of groups it was started with. */
  set: string;
}

interface Model {
  readonly tickets: ModelTicket[];
  /** `<mode> <player>`. */
  readonly connected: Set<string>;
  /** Groups in the order of their promotion. */
  readonly promoted: ModelTicket[];
}

interface Real {
  readonly place: StorePlace;
  life: StoreLife;
  hosted: HostedService;
}

/** Which ticket or group a step uses: counted from the newest; past the oldest there is none. */
type Which = number;
type Step =
  | { readonly do: 'create'; readonly world: number; readonly capacity: number }
  | { readonly do: 'connect' | 'leave'; readonly world: number; readonly player: string }
  | {
      readonly do: 'add' | 'remove';
      readonly ticket: Which;
      readonly player: string;
      readonly lost: boolean;
    }
  | { readonly do: 'promote' | 'cancelTicket' | 'cancelGroup'; readonly ticket: Which }
  | { readonly do: 'start'; readonly groups: readonly Which[]; readonly all: boolean }
  | { readonly do: 'erase'; readonly player: string }
  | { readonly do: 'restart' };

const player = fc.constantFrom('ann', 'bob', 'cyd', 'dan');
const world = fc.constantFrom(0, 0, 0, 1, 2);
const which = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 7);
const rare = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const of = <T extends Step['do']>(...names: readonly T[]) => fc.constantFrom(...names);

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: of('create'), world, capacity: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 12, arbitrary: fc.record({ do: of('connect'), world, player }) },
  { weight: 1, arbitrary: fc.record({ do: of('leave'), world, player }) },
  { weight: 24, arbitrary: fc.record({ do: of('add'), ticket: which, player, lost: rare }) },
  { weight: 2, arbitrary: fc.record({ do: of('remove'), ticket: which, player, lost: rare }) },
  { weight: 8, arbitrary: fc.record({ do: of('promote'), ticket: which }) },
  { weight: 4, arbitrary: fc.record({ do: of('cancelTicket', 'cancelGroup'), ticket: which }) },
  {
    weight: 16,
    arbitrary: fc.record({
      do: of('start'),
      groups: fc.uniqueArray(which, { minLength: 1, maxLength: 2 }),
      all: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: of('erase'), player }) },
  { weight: 1, arbitrary: fc.record({ do: of('restart') }) },
);

/** The way to a match, step by step, so that some matches start. */
const wayToMatch = fc
  .record({
    world,
    pair: fc.uniqueArray(player, { minLength: 2, maxLength: 2 }),
    capacity: fc.constantFrom(1, 2, 2),
    all: fc.boolean(),
  })
  .map(({ world, pair, capacity, all }): Step[] => [
    { do: 'create', world, capacity },
    ...pair.flatMap((player): Step[] => [
      { do: 'connect', world, player },
      { do: 'add', ticket: 0, player, lost: false },
    ]),
    { do: 'promote', ticket: 0 },
    { do: 'start', groups: [0], all },
  ]);

const anySteps = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: anyStep.map((step) => [step]) },
      { weight: 1, arbitrary: wayToMatch },
    ),
    { maxLength: STEPS_MAX, size: 'max' },
  )
  .map((steps) => steps.flat());

const clock = makeManualClock();
const randomness = makeSeededRandomness(TEST_SEED);
const makeId = makeIds(clock, randomness);
const options = parseOptions(tictactoe, {}) as SessionOptions;

async function openReal(place: StorePlace): Promise<Real> {
  const life = await place.open();
  const { store } = life;
  const hosted = makeHostedService({
    games: shippedGames,
    store,
    host: {
      sleepsUntil: () => null,
      adopt: () => {},
      probeLater: () => {},
      notifySeated: () => {},
      async peek(id) {
        const stored = await store.loadSession(id);
        if (stored === null) return null;
        return { ...stored, session: foldLog(shippedGames, id, stored.entries).session };
      },
    },
    clock,
    randomness,
    makeId,
    node: life.node,
    isInLobby: () => false,
    isElsewhere: () => false,
  });
  return { place, life, hosted };
}

const NOWHERE: ModelTicket = {
  id: 'tkt_none',
  world: 0,
  capacity: 1,
  status: 'forming',
  players: [],
  group: 'grp_none',
  session: null,
  set: '',
};
const pick = (model: Model, index: Which): ModelTicket | null =>
  model.tickets.at(-1 - index) ?? null;
const refOf = (ticket: ModelTicket, world = ticket.world) => ({
  ...WORLDS[world]!,
  ticket: ticket.id,
});
const isOpen = ({ status }: ModelTicket) => status === 'forming' || status === 'promoted';

/** The result in one word. */
function tell(outcome: { readonly kind: string; readonly refusal?: unknown }): string {
  const { kind, refusal } = outcome;
  return typeof refusal === 'object' ? (refusal as { code: string }).code : kind;
}

function expectedAdd(model: Model, ticket: ModelTicket | null, player: string): string {
  if (ticket === null) return 'ticket_not_found';
  if (ticket.players.includes(player)) return 'again';
  if (ticket.status !== 'forming') return 'ticket_not_forming';
  if (!model.connected.has(`${WORLDS[ticket.world]!.mode} ${player}`)) {
    return 'player_not_connected';
  }
  const isElsewhere = model.tickets.some(
    (other) =>
      other.status === 'forming' && other.world === ticket.world && other.players.includes(player),
  );
  if (isElsewhere) return 'player_in_ticket';
  return ticket.players.length < ticket.capacity ? 'added' : 'ticket_full';
}

function expectedStart(
  model: Model,
  groups: readonly (ModelTicket | null)[],
  all: boolean,
): string {
  const world = groups.find((group) => group !== null)?.world ?? 0;
  const isGroup = (each: ModelTicket | null) =>
    each !== null &&
    each.world === world &&
    (each.status === 'promoted' || each.status === 'started');
  if (!groups.every(isGroup)) return 'group_not_found';
  const real = groups as readonly ModelTicket[];
  if (real.every(({ set }) => set === setOf(real))) return 'again';
  if (real.some(({ status }) => status === 'started')) return 'group_started';
  const players = real.flatMap((group) => group.players);
  if (players.length !== 2) return 'player_count';
  if (players[0] === players[1]) return 'player_in_session';
  const { mode } = WORLDS[world]!;
  if (all && !players.every((each) => model.connected.has(`${mode} ${each}`))) {
    return 'player_absent';
  }
  return 'started';
}

function setOf(groups: readonly ModelTicket[]): string {
  return groups
    .map(({ group }) => group)
    .toSorted()
    .join();
}

async function perform(model: Model, real: Real, step: Step): Promise<void> {
  const {
    hosted,
    life: { store, node },
  } = real;
  clock.advance(1);
  switch (step.do) {
    case 'create': {
      const { capacity } = step;
      const asked = { ...WORLDS[step.world]!, capacity, openTicketsMax: OPEN_MAX };
      const { id, outcome } = await hosted.createTicket(asked, null);
      const { mode } = asked;
      const open = model.tickets.filter(
        (each) => isOpen(each) && WORLDS[each.world]!.mode === mode,
      );
      const isFull = open.length >= OPEN_MAX;
      expect(tell(outcome)).toBe(isFull ? 'open_tickets_exceeded' : 'created');
      if (!isFull) {
        const { world } = step;
        model.tickets.push({ ...NOWHERE, id, world, capacity, players: [], group: null });
      }
      return;
    }
    case 'connect':
    case 'leave': {
      const { mode } = WORLDS[step.world]!;
      const isConnected = step.do === 'connect';
      await store.setPresence({
        tenant: TENANT,
        mode,
        playerId: step.player,
        node,
        isConnected,
      });
      model.connected[isConnected ? 'add' : 'delete'](`${mode} ${step.player}`);
      return;
    }
    case 'add':
    case 'remove':
      return performOnPlayer(model, real, step);
    case 'promote':
    case 'cancelTicket':
    case 'cancelGroup':
      return performOnTicket(model, real, step);
    case 'start':
      return performStart(model, real, step);
    case 'erase':
      await store.erasePlayer(TENANT, ['live', 'test'], step.player, clock.now());
      for (const ticket of model.tickets) {
        ticket.players = isOpen(ticket)
          ? ticket.players.filter((each) => each !== step.player)
          : ticket.players.map((each) => (each === step.player ? null : each));
      }
      return;
    case 'restart':
      await real.life.end();
      Object.assign(real, await openReal(real.place));
      model.connected.clear();
  }
}

async function performOnPlayer(
  model: Model,
  { hosted }: Real,
  step: Extract<Step, { do: 'add' | 'remove' }>,
): Promise<void> {
  const { player, lost } = step;
  // Now and then the right ticket is requested in the wrong world.
  const found = pick(model, step.ticket);
  const ref =
    found && lost ? refOf(found, (found.world + 1) % WORLDS.length) : refOf(found ?? NOWHERE);
  const ticket = lost ? null : found;
  if (step.do === 'add') {
    const expected = expectedAdd(model, ticket, player);
    expect(tell(await hosted.addPlayer(ref, player, null))).toBe(expected);
    if (expected === 'added') ticket!.players.push(player);
    return;
  }
  const isInside = ticket?.players.includes(player) === true;
  const expected =
    ticket === null
      ? 'ticket_not_found'
      : !isInside
        ? 'player_not_in_ticket'
        : ticket.status === 'forming'
          ? 'removed'
          : 'ticket_not_forming';
  expect(tell(await hosted.removePlayer(ref, player, null))).toBe(expected);
  if (expected === 'removed') ticket!.players = ticket!.players.filter((each) => each !== player);
}

async function performOnTicket(
  model: Model,
  { hosted }: Real,
  step: Extract<Step, { do: 'promote' | 'cancelTicket' | 'cancelGroup' }>,
): Promise<void> {
  const ticket = pick(model, step.ticket);
  const { status = 'none' } = ticket ?? {};
  const ref = refOf(ticket ?? NOWHERE);
  switch (step.do) {
    case 'promote': {
      const outcome = await hosted.promote(ref, null);
      const answers = {
        none: 'ticket_not_found',
        forming: 'promoted',
        promoted: 'again',
        started: 'again',
        cancelled: 'ticket_not_forming',
      };
      expect(tell(outcome)).toBe(answers[status]);
      if (outcome.kind === 'refused' || ticket === null) return;
      if (status === 'forming') {
        ticket.status = 'promoted';
        ticket.group = outcome.group.group;
        model.promoted.push(ticket);
      }
      expect(outcome.group.group).toBe(ticket.group!);
      return;
    }
    case 'cancelTicket': {
      const answers = {
        none: 'ticket_not_found',
        forming: 'cancelled',
        promoted: 'ticket_not_forming',
        started: 'ticket_not_forming',
        cancelled: 'again',
      };
      expect(tell(await hosted.cancelTicket(ref, null))).toBe(answers[status]);
      if (status === 'forming') ticket!.status = 'cancelled';
      return;
    }
    case 'cancelGroup': {
      const group = ticket?.group ?? 'grp_none';
      const answers = {
        none: 'group_not_found',
        forming: 'group_not_found',
        promoted: 'cancelled',
        started: 'group_started',
        cancelled: ticket?.group === null ? 'group_not_found' : 'again',
      };
      expect(tell(await hosted.cancelGroup({ ...ref, group }, null))).toBe(answers[status]);
      if (status === 'promoted') ticket!.status = 'cancelled';
    }
  }
}

async function performStart(
  model: Model,
  { hosted }: Real,
  { groups: indexes, all }: Extract<Step, { do: 'start' }>,
): Promise<void> {
  const groups = indexes.map((index) => pick(model, index));
  const world = groups.find((group) => group !== null)?.world ?? 0;
  const ids = groups.map((group, n) => group?.group ?? `grp_none_${n}`);
  const expected = expectedStart(model, groups, all);
  const result = await hosted.start(
    {
      ...WORLDS[world]!,
      groups: ids,
      seats: { min: 2, max: 2 },
      variant: 'standard',
      options,
      requireConnected: all,
      limits: PLANS.enterprise,
    },
    null,
  );
  expect(tell(result)).toBe(expected);
  if (result.kind !== 'started' && result.kind !== 'again') return;
  const real = groups as readonly ModelTicket[];
  const { row, roster } = result.view;
  if (result.kind === 'again') {
    for (const group of real) expect(group.session).toBe(row.id);
    return;
  }
  expect(roster.map((each) => each?.id)).toEqual(real.flatMap(({ players }) => players));
  const set = setOf(real);
  for (const group of real) Object.assign(group, { status: 'started', session: row.id, set });
}

async function compare(model: Model, { hosted }: Real): Promise<void> {
  for (const ticket of model.tickets) {
    const found = (await hosted.findTicket(refOf(ticket)))!;
    expect(found.players.map(({ id }) => id)).toEqual(ticket.players);
    expect([found.status, found.capacity]).toEqual([ticket.status, ticket.capacity]);
    expect(found.status === 'forming' ? null : found.group).toBe(ticket.group);
    expect(found.status === 'started' ? found.session : null).toBe(ticket.session);
  }
  for (const [index, place] of WORLDS.entries()) {
    const waiting = model.promoted.filter(
      ({ world, status }) => world === index && status === 'promoted',
    );
    const pool = await hosted.listPool(place, 0, 100);
    expect(pool.map(({ group }) => group)).toEqual(waiting.map(({ group }) => group!));
  }
}

async function compareRuns(place: StorePlace, runs: number): Promise<void> {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      await place.empty();
      const real = await openReal(place);
      const model: Model = { tickets: [], connected: new Set(), promoted: [] };
      try {
        for (const step of steps) {
          await perform(model, real, step);
          if (step.do === 'restart' || step.do === 'erase') await compare(model, real);
        }
        await compare(model, real);
        for (const { status } of model.tickets) seen.set(status, (seen.get(status) ?? 0) + 1);
      } finally {
        await real.life.end();
      }
    }),
    { seed: TEST_SEED, numRuns: runs },
  );
  // The steps have reached every state.
  for (const status of ['forming', 'promoted', 'started', 'cancelled']) {
    expect(seen.get(status) ?? 0).toBeGreaterThan(0);
  }
}

const PLACES = [
  { name: 'SQLite', open: openSqlitePlace, runs: testRuns(40) },
  { name: 'PostgreSQL', open: openPostgresPlace, runs: 10 },
] as const;
for (const { name, open, runs } of PLACES) {
  test.skipIf(name === 'PostgreSQL' && !isPostgresHere())(
    `[M1][M2][M3][M4][M5][M6] in ${name} tickets match the model, whatever is done (seed ${TEST_SEED})`,
    async () => {
      const place = await open();
      try {
        await compareRuns(place, runs);
      } finally {
        await place.close();
      }
    },
    SLOW_MS,
  );
}
