/**
 * Random histories of fights with faults, crashes and players who come and go, checked against
 * their invariants.
 */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BATCH_TICKS_MAX } from '../../../game/src/tick-game.ts';
import { hashFight } from '../../games/fight-arena/hash.ts';
import type { FightState } from '../../games/fight-arena/state.ts';
import { shippedGames } from '../../games/registry.ts';
import { foldSession } from '../../match/evolve.ts';
import type { Entry } from '../../match/record.ts';
import { makeReplay, verifyReplay } from '../../match/replay/replay.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import type { CoreStore } from '../../store/store.ts';
import type { CommitFault } from '../../testing/faulty-store.ts';
import { release } from '../../testing/faulty-store.ts';
import type { AnyFrame, FightPlayer } from '../../testing/matches/fight-player.ts';
import { makeFightPlayer } from '../../testing/matches/fight-player.ts';
import { batchesOf, FIGHT, masher } from '../../testing/matches/fight-world.ts';
import type { World } from '../../testing/matches/match-world.ts';
import { createSession, openWorld, restart, settle } from '../../testing/matches/match-world.ts';
import { testRuns } from '../../testing/test-runs.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import type { Subscriber } from '../host/work.ts';

const ID = 'ses_random';
const GRACE_MS = 15_000;
/** How often players check their clocks. */
const POLL_MS = 20;
/** The longest fight of the setup, and a grace; and how long is waited for the end. */
const END_MS = 120_000;

type Deed =
  | { readonly do: 'fight' | 'stop'; readonly ms: number }
  | { readonly do: 'come' | 'go' | 'resign'; readonly seat: number }
  | { readonly do: 'hold'; readonly seat: number; readonly from: number; readonly masks: unknown }
  | { readonly do: 'fault'; readonly fault: CommitFault }
  | { readonly do: 'loads'; readonly fail: boolean }
  | { readonly do: 'losses'; readonly on: boolean }
  | { readonly do: 'release' | 'maintain' }
  | { readonly do: 'crash'; readonly downMs: number };

const seat = fc.nat(1);
const deed = <K extends Deed['do'], T>(
  name: K,
  fields: { [F in keyof T]: fc.Arbitrary<T[F]> },
): fc.Arbitrary<{ readonly do: K } & T> => fc.record({ do: fc.constant(name), ...fields }) as never;
const anyFault = fc.constantFrom<CommitFault>(
  'unknown_committed',
  'unknown_lost',
  'conflict',
  'held',
);
const anyMasks = fc.oneof(
  fc.array(fc.integer({ min: -1, max: 600 }), { maxLength: 70 }),
  fc.constantFrom<unknown>(null, 'masks', [0.5], [[0]]),
);
const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 40, arbitrary: deed('fight', { ms: fc.nat(1_500) }) },
  { weight: 12, arbitrary: deed('come', { seat }) },
  { weight: 4, arbitrary: deed('go', { seat }) },
  { weight: 4, arbitrary: deed('hold', { seat, from: fc.nat(2_000), masks: anyMasks }) },
  { weight: 8, arbitrary: deed('fault', { fault: anyFault }) },
  { weight: 3, arbitrary: deed('loads', { fail: fc.boolean() }) },
  { weight: 3, arbitrary: deed('losses', { on: fc.boolean() }) },
  { weight: 12, arbitrary: fc.constantFrom<Deed>({ do: 'release' }, { do: 'maintain' }) },
  // The process stalls for less and for more than it is charged with.
  { weight: 2, arbitrary: deed('stop', { ms: fc.nat(3_000) }) },
  { weight: 3, arbitrary: deed('crash', { downMs: fc.nat(10_000) }) },
  { weight: 1, arbitrary: deed('resign', { seat }) },
);

/** A socket for a seat, and the player behind it. */
interface Client {
  readonly seat: number;
  readonly player: FightPlayer;
  readonly subscriber: Subscriber;
  /** Whether it is attached, so that its messages arrive. */
  isHeard: boolean;
  isGone: boolean;
}

interface Life {
  world: World;
  readonly kept: CoreStore;
  /** The number of ticks that the process may know to be stored. */
  known: number;
  readonly clients: Client[];
  /** Whether there are other matches with slow commits, whose time is charged to no player. */
  hasLosses: boolean;
}

/** The store, which notes what it has answered: nothing else may be shown as committed. */
function noting(store: CoreStore, note: (entries: readonly Entry[]) => void): CoreStore {
  return {
    ...store,
    commit(commit, done) {
      store.commit(commit, (outcome) => {
        if (outcome === 'committed') note(commit.entries);
        done(outcome);
      });
    },
    async loadSession(id) {
      const stored = await store.loadSession(id);
      if (stored !== null) note(stored.entries);
      return stored;
    },
  };
}

async function begin(): Promise<Life> {
  const kept = openMemoryStore();
  const life: Life = { world: null as never, kept, known: 0, clients: [], hasLosses: false };
  const note = (entries: readonly Entry[]): void => {
    for (const { from, count } of batchesOf(entries)) {
      life.known = Math.max(life.known, from + count);
    }
  };
  life.world = await openWorld({ kept: noting(kept, note) });
  const setup = { ...FIGHT.setup, disconnectGraceMs: GRACE_MS };
  await createSession(life.world, ID, { setup });
  for (const each of [0, 1]) come(life, each);
  await settle();
  return life;
}

function come(life: Life, seat: number): void {
  const { world } = life;
  const player = makeFightPlayer({
    session: ID,
    masher: masher(`seat ${seat} ${life.clients.length}`),
    now: world.clock.now,
    send: (frame) => client.isHeard && hear(life, client, frame as AnyFrame),
  });
  const subscriber: Subscriber = {
    viewer: seat,
    player: null,
    send: (texts) => show(life, client, texts),
    lost() {
      client.isHeard = false;
      if (!client.isGone && life.world === world) world.host.attach(ID, subscriber, attached);
    },
  };
  const client: Client = { seat, player, subscriber, isHeard: false, isGone: false };
  const attached = ({ kind }: { readonly kind: string }): void => {
    // If the store cannot be read the socket is closed.
    client.isGone ||= kind !== 'done';
    client.isHeard = !client.isGone;
    if (client.isGone) world.host.detach(ID, subscriber);
    else show(life, client, world.host.stateFor(ID, seat));
  };
  life.clients.push(client);
  world.host.attach(ID, subscriber, attached);
}

/** What is shown as committed is stored. */
function show(life: Life, client: Client, texts: readonly string[]): void {
  for (const text of texts) {
    const frame = JSON.parse(text) as AnyFrame;
    if (frame.t === 'ticks') expect(frame['committed']).toBeLessThanOrEqual(life.known);
    if (frame.t === 'state' && frame['view'] !== null) {
      expect((frame['view'] as unknown as FightState).tick).toBeLessThanOrEqual(life.known);
    }
    client.player.receive(frame);
  }
}

function hear(life: Life, client: Client, frame: AnyFrame): boolean {
  const { host } = life.world;
  if (frame.t === 'sync') show(life, client, host.stateFor(ID, client.seat));
  else {
    // A client that plays by what it is shown is never refused: not after a crash, nor after a
    // stall.
    expect(host.hold(ID, client.seat, Number(frame['from']), frame['masks'])).toBeNull();
  }
  return true;
}

async function fight(life: Life, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += POLL_MS) {
    const { clock, host } = life.world;
    clock.advance(POLL_MS);
    if (life.hasLosses) host.noteStall(clock.now() - 1, clock.now());
    await settle();
    for (const { player, isGone } of life.clients) if (!isGone) player.play();
  }
  await settle();
}

function go(life: Life, client: Client): void {
  client.isGone = true;
  client.isHeard = false;
  life.world.host.detach(ID, client.subscriber);
}

async function live(life: Life, deed: Deed): Promise<void> {
  const { world, clients } = life;
  switch (deed.do) {
    case 'fight':
      return fight(life, deed.ms);
    case 'stop':
      return world.clock.skip(deed.ms);
    case 'come':
      return come(life, deed.seat);
    case 'go':
      for (const client of clients)
        if (client.seat === deed.seat && !client.isGone) go(life, client);
      return;
    case 'resign': {
      const own = clients.find((each) => each.seat === deed.seat && each.isHeard);
      if (own !== undefined) {
        world.host.play(ID, deed.seat, { kind: 'resign', id: 'r' }, own.subscriber);
      }
      return;
    }
    case 'hold':
      // A player who sends random input: it may be accepted, and breaks nothing.
      world.host.hold(ID, deed.seat, deed.from, deed.masks);
      return;
    case 'fault':
      world.faults.next.push(deed.fault);
      return;
    case 'loads':
      world.faults.failLoads = deed.fail;
      return;
    case 'losses':
      life.hasLosses = deed.on;
      return;
    case 'release':
      return release(world.faults);
    case 'maintain':
      void world.host.maintain().catch(() => undefined);
      return settle();
    case 'crash':
      await settle();
      for (const client of clients) Object.assign(client, { isGone: true, isHeard: false });
      life.world = await restart(world, deed.downMs);
      void life.world.host.recover().catch(() => undefined);
  }
}

/** Without further faults it comes to its end: by the game, or by an absent player's grace. */
async function finish(life: Life, areBack: boolean): Promise<void> {
  const { world } = life;
  world.faults.failLoads = false;
  world.faults.next.length = 0;
  await settle();
  release(world.faults);
  await settle();
  for (const seat of areBack ? [0, 1] : []) {
    if (life.clients.every((each) => each.isGone || each.seat !== seat)) come(life, seat);
  }
  for (let passed = 0; passed < END_MS && (await statusOf(life)) !== 'ended'; passed += 1_000) {
    await world.host.maintain();
    await fight(life, 1_000);
  }
}

async function statusOf(life: Life): Promise<string> {
  return (await life.kept.loadSession(ID))!.row.status;
}

async function check(life: Life): Promise<void> {
  const { entries, roster } = (await life.kept.loadSession(ID))!;
  expect(entries.map(({ v }) => v)).toEqual(entries.map((_, index) => index));
  expect(entries.every(({ at }) => Number.isInteger(at))).toBe(true);
  let next = 0;
  for (const { from, count } of batchesOf(entries)) {
    expect(from).toBe(next);
    expect(count).toBeLessThanOrEqual(BATCH_TICKS_MAX);
    next += count;
  }
  const session = foldSession(shippedGames.findPlayed, ID, entries);
  if (session.status !== 'ended') throw new Error(`It did not end: ${session.status}`);
  expect(entries.filter(({ record }) => record.k === 'ended').length).toBe(1);
  expect(verifyReplay(shippedGames, makeReplay(session, roster, entries))).toMatchObject({
    ok: true,
  });
  for (const { player, isGone } of life.clients) {
    if (player.confirmed() === null) continue;
    expect(player.stats().desyncs).toBe(0);
    if (isGone || session.play === null) continue;
    expect(player.result()).toMatchObject({ reason: session.outcome.reason, moveCount: next });
    if (player.confirmed()!.tick > next) continue;
    const kept = session.play.state as unknown as FightState;
    expect(hashFight(player.confirmed()!)).toBe(hashFight(kept));
  }
  const broken = life.world.broken.filter(([, error]) => !/cannot be read/.test(String(error)));
  expect(broken).toEqual([]);
}

test(`[P8][P10] in every history: what is shown as committed is stored, no client diverges, and the fight ends (seed ${TEST_SEED})`, async () => {
  const deeds = fc.array(anyDeed, { minLength: 5, maxLength: 50, size: 'max' });
  const property = fc.asyncProperty(deeds, fc.boolean(), async (each, areBack) => {
    const life = await begin();
    for (const one of each) await live(life, one);
    await finish(life, areBack);
    await check(life);
  });
  await fc.assert(property, {
    seed: TEST_SEED,
    numRuns: Number(process.env['MATCHD_TEST_RUNS'] ?? testRuns(25)),
  });
}, 60_000);
