/**
 * Random match histories with faults, crashes and crossing sockets, checked against their
 * invariants.
 */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { findGame, shippedGames } from '../../../games/registry.ts';
import { foldSession } from '../../../match/evolve.ts';
import type { Entry } from '../../../match/record.ts';
import { openMemoryStore } from '../../../store/sqlite/memory-store.ts';
import type { CoreStore } from '../../../store/store.ts';
import type { CommitFault } from '../../../testing/faulty-store.ts';
import { release } from '../../../testing/faulty-store.ts';
import type { Probe, SeenFrame, World } from '../../../testing/matches/match-world.ts';
import {
  createSession,
  makeProbe,
  openWorld,
  passMaintained,
  restart,
  settle,
} from '../../../testing/matches/match-world.ts';
import { testRuns } from '../../../testing/test-runs.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';

const IDS = ['ses_random1', 'ses_random2'] as const;
const SETUP = { turnTimeoutMs: 20_000, disconnectGraceMs: 15_000 };
const PENDING_MS = 120_000;

type Deed =
  | { readonly do: 'move'; readonly match: number; readonly seat: number; readonly pick: number }
  /** Sends an earlier command of that seat once more. */
  | { readonly do: 'repeat'; readonly match: number; readonly seat: number; readonly pick: number }
  | { readonly do: 'resign'; readonly match: number; readonly seat: number }
  | { readonly do: 'come'; readonly match: number; readonly viewer: number | null }
  | { readonly do: 'go'; readonly pick: number }
  | { readonly do: 'fault'; readonly fault: CommitFault }
  | { readonly do: 'loads'; readonly fail: boolean }
  | { readonly do: 'sleeps'; readonly fail: boolean }
  | { readonly do: 'release' | 'maintain' | 'settle' }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'crash'; readonly downMs: number };

const anyMatch = fc.nat(IDS.length - 1);
const anySeat = fc.nat(1);
const record = <K extends Deed['do'], T>(
  name: K,
  fields: { [F in keyof T]: fc.Arbitrary<T[F]> },
): fc.Arbitrary<{ readonly do: K } & T> => fc.record({ do: fc.constant(name), ...fields }) as never;
const anyFault = fc.constantFrom<CommitFault>(
  'unknown_committed',
  'unknown_lost',
  'conflict',
  'held',
);
const anyMove = { match: anyMatch, seat: anySeat, pick: fc.nat(8) };

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 30, arbitrary: record('move', anyMove) },
  { weight: 8, arbitrary: record('repeat', anyMove) },
  { weight: 1, arbitrary: record('resign', { match: anyMatch, seat: anySeat }) },
  {
    weight: 10,
    arbitrary: record('come', { match: anyMatch, viewer: fc.constantFrom(0, 1, 0, 1, null) }),
  },
  { weight: 5, arbitrary: record('go', { pick: fc.nat(9) }) },
  { weight: 6, arbitrary: record('fault', { fault: anyFault }) },
  { weight: 2, arbitrary: record('loads', { fail: fc.boolean() }) },
  { weight: 1, arbitrary: record('sleeps', { fail: fc.boolean() }) },
  {
    weight: 24,
    arbitrary: fc.constantFrom<Deed>(
      { do: 'settle' },
      { do: 'settle' },
      { do: 'release' },
      { do: 'maintain' },
    ),
  },
  { weight: 8, arbitrary: record('pass', { ms: fc.nat(12_000) }) },
  { weight: 2, arbitrary: record('crash', { downMs: fc.nat(50_000) }) },
);

interface Sent {
  readonly seat: number;
  readonly id: string;
  readonly action: unknown;
}

interface Client {
  readonly match: number;
  readonly probe: Probe;
  /** Version of the last frame it was shown; null until it is attached. */
  shown: number | null;
  isGone: boolean;
}

/** Everything in progress, and what its clients were sent. */
interface Life {
  world: World;
  readonly kept: CoreStore;
  /** By session: the highest version that the process may know to be stored. */
  readonly known: Map<string, number>;
  readonly clients: Client[];
  readonly sent: Sent[][];
  readonly acks: {
    readonly match: number;
    readonly seat: number;
    readonly id: string;
    readonly v: number;
  }[];
  commands: number;
}

/** The store, which notes what it has answered: nothing else may be shown. */
function noting(store: CoreStore, known: Life['known']): CoreStore {
  const note = (session: string, v: number): void => {
    known.set(session, Math.max(v, known.get(session) ?? 0));
  };
  return {
    ...store,
    commit(commit, done) {
      store.commit(commit, (outcome) => {
        if (outcome === 'committed') note(commit.session, commit.entries.at(-1)!.v);
        done(outcome);
      });
    },
    async loadSession(id) {
      const stored = await store.loadSession(id);
      if (stored !== null) note(id, stored.entries.length - 1);
      return stored;
    },
  };
}

async function begin(): Promise<Life> {
  const known: Life['known'] = new Map();
  const kept = openMemoryStore();
  const world = await openWorld({ kept: noting(kept, known) });
  const life: Life = {
    world,
    kept,
    known,
    clients: [],
    sent: IDS.map(() => []),
    acks: [],
    commands: 0,
  };
  for (const id of IDS) {
    await createSession(world, id, {
      setup: { ...SETUP, expiresAt: world.clock.now() + PENDING_MS },
    });
  }
  return life;
}

function come(life: Life, match: number, viewer: number | null): void {
  const id = IDS[match]!;
  const probe = makeProbe(viewer);
  const client: Client = { match, probe, shown: null, isGone: false };
  const { world } = life;
  const showTo = (frame: SeenFrame): void => see(life, client, frame);
  const attached = {
    viewer,
    player: null,
    send(texts: readonly string[]) {
      for (const text of texts) showTo(JSON.parse(text) as SeenFrame);
    },
    lost() {
      client.shown = null;
      if (!client.isGone && life.world === world) world.host.attach(id, attached, done);
    },
  };
  const done = (result: { readonly kind: string }): void => {
    if (result.kind !== 'done') return;
    if (client.isGone) world.host.detach(id, attached);
    else client.shown = (JSON.parse(world.host.stateFor(id, viewer)[0]!) as SeenFrame).v!;
  };
  Object.assign(client, { probe: attached });
  life.clients.push(client);
  world.host.attach(id, attached, done);
}

/** What a client is shown is stored, and follows what it was shown before. */
function see(life: Life, client: Client, frame: SeenFrame): void {
  const id = IDS[client.match]!;
  if (frame.t === 'reject' || frame.t === 'warning') return;
  expect(frame.v!).toBeLessThanOrEqual(life.known.get(id)!);
  if (frame.t === 'ack') {
    const seat = client.probe.viewer!;
    life.acks.push({ match: client.match, seat, id: String(frame['id']), v: frame.v! });
    return;
  }
  if (client.shown === null) return;
  expect(frame['prev']).toBe(client.shown);
  client.shown = frame.v!;
}

/** The client through which a seat sends; without one, a client that only sends. */
function senderOf(life: Life, match: number, seat: number): Probe {
  const own = life.clients.find(
    (client) => !client.isGone && client.match === match && client.probe.viewer === seat,
  );
  if (own !== undefined) return own.probe;
  const client: Client = { match, probe: makeProbe(seat), shown: null, isGone: true };
  return Object.assign(client.probe, {
    send(texts: readonly string[]) {
      for (const text of texts) see(life, client, JSON.parse(text) as SeenFrame);
    },
  });
}

function send(life: Life, match: number, { seat, id, action }: Sent): void {
  const probe = senderOf(life, match, seat);
  const command =
    action === null ? ({ kind: 'resign', id } as const) : ({ kind: 'act', id, action } as const);
  life.world.host.play(IDS[match]!, seat, command, probe);
}

function sendNew(life: Life, match: number, seat: number, action: unknown): void {
  const sent = { seat, id: `c${life.commands}`, action };
  life.commands += 1;
  life.sent[match]!.push(sent);
  send(life, match, sent);
}

async function live(life: Life, deed: Deed): Promise<void> {
  const { world } = life;
  switch (deed.do) {
    case 'move':
      return sendNew(life, deed.match, deed.seat, { position: deed.pick });
    case 'resign':
      return sendNew(life, deed.match, deed.seat, null);
    case 'repeat': {
      const own = life.sent[deed.match]!.filter(({ seat }) => seat === deed.seat);
      if (own.length > 0) send(life, deed.match, own[deed.pick % own.length]!);
      return;
    }
    case 'come':
      return come(life, deed.match, deed.viewer);
    case 'go': {
      const here = life.clients.filter(({ isGone }) => !isGone);
      const client = here[deed.pick % Math.max(1, here.length)];
      if (client === undefined) return;
      client.isGone = true;
      world.host.detach(IDS[client.match]!, client.probe);
      return;
    }
    case 'fault':
      world.faults.next.push(deed.fault);
      return;
    case 'loads':
      world.faults.failLoads = deed.fail;
      return;
    case 'sleeps':
      world.faults.failSleeps = deed.fail;
      return;
    case 'release':
      return release(world.faults);
    case 'maintain':
      void world.host.maintain().catch(() => undefined); // The process may wait for a delayed answer.
      return;
    case 'settle':
      return settle();
    case 'pass':
      world.clock.advance(deed.ms);
      return;
    case 'crash':
      await settle(); // Answers of the old process would reach no client.
      life.clients.forEach((client) => {
        client.isGone = true;
      });
      life.world = await restart(world, deed.downMs);
      void life.world.host.recover().catch(() => undefined);
  }
}

/** Once all faults are over, every match comes to its end. */
async function finish(life: Life): Promise<void> {
  const { world } = life;
  Object.assign(world.faults, { failLoads: false, failSleeps: false });
  world.faults.next.length = 0;
  await settle();
  release(world.faults);
  await settle();
  await passMaintained(world, PENDING_MS + 60_000);
}

function commandOf({ record: each }: Entry): string | null {
  if (each.k === 'action') return `${each.seat} ${each.id}`;
  return each.k === 'forfeited' && each.id !== null ? `${each.seat} ${each.id}` : null;
}

async function check(life: Life): Promise<void> {
  for (const [match, id] of IDS.entries()) {
    const { entries, row } = (await life.kept.loadSession(id))!;
    expect(entries.map(({ v }) => v)).toEqual(entries.map((_, index) => index));
    const session = foldSession(shippedGames.findPlayed, id, entries);
    expect(session.status).toBe('ended');
    expect(row.status).toBe('ended');
    expect(row.startedAt).toBe(session.status === 'ended' ? session.startedAt : null);
    expect(entries.filter(({ record: each }) => each.k === 'ended').length).toBe(1);
    expect(entries.at(-1)!.record.k).toBe('ended');
    const commands = entries.map(commandOf).filter((each) => each !== null);
    expect(new Set(commands).size).toBe(commands.length);
    for (const ack of life.acks.filter((each) => each.match === match)) {
      expect(commandOf(entries[ack.v]!)).toBe(`${ack.seat} ${ack.id}`);
    }
    const epochs = entries.flatMap(({ record: each }) => (each.k === 'owned' ? [each.epoch] : []));
    expect(epochs).toEqual(epochs.map((_, index) => index + 1));
  }
  expect(await life.kept.claimAwake('', 9)).toEqual([]);
  expect(await life.kept.claimDue(Number.MAX_SAFE_INTEGER, 9)).toEqual([]);
  expect(life.world.broken).toEqual([]);
}

test(`[P4][P6] in every history: acknowledged is stored, once; shown is stored; all matches end (seed ${TEST_SEED})`, async () => {
  expect(findGame('tictactoe')).not.toBeNull();
  const property = fc.asyncProperty(
    fc.array(anyDeed, { maxLength: 80, size: 'max' }),
    async (deeds) => {
      const life = await begin();
      for (const [match] of IDS.entries()) for (const seat of [0, 1]) come(life, match, seat);
      for (const deed of deeds) await live(life, deed);
      await finish(life);
      await check(life);
    },
  );
  await fc.assert(property, {
    seed: TEST_SEED,
    numRuns: Number(process.env['MATCHD_TEST_RUNS'] ?? testRuns(150)),
  });
}, 60_000);
