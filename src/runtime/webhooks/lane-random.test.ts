/**
 * Random histories of lanes to an endpoint, with faults all around them, checked against their
 * invariants.
 */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { StoredEvent } from '../../events/event.ts';
import type { DeliveryProgress } from '../../store/webhooks.ts';
import { testRuns } from '../../testing/test-runs.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import {
  type Answer,
  changeAddress,
  emit,
  emitOne,
  handOver,
  kill,
  type LaneWorld,
  type Life,
  loseEvents,
  type Nature,
  openLaneWorld,
  pass,
  pickSession,
  restart,
  switchOffAndOn,
} from './lane-random.test-kit.ts';

const HOUR_MS = 3_600_000;
/** Without further faults all events arrive within this time: all retries come to a day. */
const HEAL_MS = 30 * HOUR_MS;
const QUIET_MS = 48 * HOUR_MS;
/** One more event takes no longer than the slowest request, and a little. */
const PROMPT_MS = 20_000;

type Deed =
  | { readonly do: 'emit'; readonly count: number }
  | { readonly do: 'lose' | 'refuse' | 'kill' | 'changeAddress' | 'switchOffAndOn' }
  | { readonly do: 'handOver'; readonly isTold: boolean }
  | { readonly do: 'restart'; readonly isHurried: boolean }
  | { readonly do: 'pass' | 'busy'; readonly ms: number };

const deed = <K extends Deed['do']>(name: K, fields: object = {}): fc.Arbitrary<Deed> =>
  fc.record({ do: fc.constant(name), ...fields }) as never;

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 38, arbitrary: deed('emit', { count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 7, arbitrary: deed('emit', { count: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 3, arbitrary: deed('lose') },
  { weight: 3, arbitrary: deed('busy', { ms: fc.nat(30_000) }) },
  { weight: 8, arbitrary: deed('refuse') },
  { weight: 5, arbitrary: deed('kill') },
  { weight: 6, arbitrary: deed('handOver', { isTold: fc.boolean() }) },
  { weight: 12, arbitrary: deed('restart', { isHurried: fc.boolean() }) },
  { weight: 4, arbitrary: deed('changeAddress') },
  { weight: 1, arbitrary: deed('switchOffAndOn') },
  { weight: 14, arbitrary: deed('pass', { ms: fc.nat(2_000) }) },
  { weight: 7, arbitrary: deed('pass', { ms: fc.nat(60_000) }) },
);

const anyNature: fc.Arbitrary<Nature> = fc.record({
  seed: fc.nat(),
  sessions: fc.integer({ min: 1, max: 12 }),
  refusedPercent: fc.oneof(fc.constant(0), fc.nat(60), fc.nat(95)),
  asksToWait: fc.boolean(),
  requestMsMax: fc.constantFrom(0, 5, 300, 3_000),
  badWritePercent: fc.oneof(fc.constant(0), fc.constant(0), fc.nat(30)),
  mayWriteAgain: fc.boolean(),
});

async function live(world: LaneWorld, what: Deed): Promise<void> {
  switch (what.do) {
    case 'emit':
      return emit(world, pickSession(world), what.count);
    case 'lose':
      return loseEvents(world, pickSession(world));
    case 'busy':
      world.busyUntil = world.clock.now() + what.ms;
      return;
    case 'refuse': {
      const session = pickSession(world);
      if (!world.refused.delete(session)) world.refused.add(session);
      return;
    }
    case 'kill':
      return kill(world);
    case 'handOver':
      return handOver(world, what.isTold);
    case 'restart':
      return restart(world, what.isHurried);
    case 'changeAddress':
      return changeAddress(world);
    case 'switchOffAndOn':
      return switchOffAndOn(world);
    case 'pass':
      return pass(world, what.ms);
  }
}

// Invariants at all times.

/** A life sends the events of a session in order; it may only repeat the last one sent. */
function isInOrder(_: LaneWorld, life: Life, { session, seq }: StoredEvent): boolean {
  return session === null || (life.lastSent.get(session) ?? 0) <= seq;
}

/** All earlier events of its session have arrived. */
function overtakesNone(
  { log, undelivered }: LaneWorld,
  _: Life,
  { session, seq }: StoredEvent,
): boolean {
  if (session === null) return true;
  return [...undelivered].every((each) => each >= seq || log[each - 1]!.session !== session);
}

/** No attempt comes before the endpoint's Retry-After. */
function isNotTooEarly({ answers, clock }: LaneWorld, life: Life, { seq }: StoredEvent): boolean {
  const answer = answers.get(seq);
  if (answer === undefined || answer.notBefore === Number.POSITIVE_INFINITY) return true;
  return answer.notBefore <= clock.now() || !isKnownTo(life, answer);
}

/** An accepted event is not sent again by the same life, nor after an orderly end. */
function repeatsNothing({ answers }: LaneWorld, life: Life, { seq }: StoredEvent): boolean {
  const answer = answers.get(seq);
  return answer?.notBefore !== Number.POSITIVE_INFINITY || !isKnownTo(life, answer);
}

function isKnownTo({ n }: Life, { life, isKept }: Answer): boolean {
  return n === life || (n > life && isKept);
}

/** A row that stands for a session's remaining events is the only one of its session. */
function hasNoRowBesideRest({ rows }: LaneWorld): boolean {
  const bySession = Map.groupBy(rows.values(), ({ session }) => session);
  bySession.delete(null);
  return [...bySession.values()].every(
    (own) => own.length === 1 || own.every(({ standsFor }) => standsFor === 'event'),
  );
}

/** Events after the position in the log have no row of their own. */
function hasNoRowAhead({ rows, webhook }: LaneWorld): boolean {
  return [...rows.values()].every((row) => row.standsFor !== 'event' || row.seq <= webhook.cursor);
}

function namesEachRowOnce(_: LaneWorld, { changed }: DeliveryProgress): boolean {
  return new Set(changed.map(({ seq }) => seq)).size === changed.length;
}

/** It has attempts enough. */
function givesNothingUp(_: LaneWorld, { attempts, disable }: DeliveryProgress): boolean {
  return disable === null && attempts.every((each) => each.error === null || each.nextAt !== null);
}

const OF_A_REQUEST = [isInOrder, overtakesNone, isNotTooEarly, repeatsNothing];
const OF_A_WRITE = [hasNoRowBesideRest, hasNoRowAhead, namesEachRowOnce, givesNothingUp];

/** A model that notes which of these did not hold: an error thrown here would seem the lane's. */
function openWatched(nature: Nature): { readonly world: LaneWorld; readonly broken: string[] } {
  const broken: string[] = [];
  const world = openLaneWorld(nature, {
    sends(its, life, event) {
      for (const holds of OF_A_REQUEST) {
        if (!holds(its, life, event)) broken.push(`${holds.name}: ${event.id} in life ${life.n}`);
      }
    },
    keeps(its, progress) {
      for (const holds of OF_A_WRITE) {
        if (!holds(its, progress)) broken.push(`${holds.name}: ${JSON.stringify(progress)}`);
      }
    },
  });
  return { world, broken };
}

// Invariants at the end.

/** No event is left unsent, and nothing of it is left on disk. */
function checkAllArrived({ undelivered, rows, log, gone, webhook }: LaneWorld): void {
  expect([...undelivered]).toEqual([]);
  expect([...rows.values()]).toEqual([]);
  const ahead = log
    .slice(webhook.cursor)
    .filter(({ seq, type }) => type !== 'move.made' && !gone.has(seq));
  expect(ahead).toEqual([]);
}

/** Nothing is sent or searched for without end. */
async function checkQuiet(world: LaneWorld): Promise<void> {
  const { requests, reads } = world;
  await pass(world, QUIET_MS);
  expect([world.requests, world.reads]).toEqual([requests, reads]);
}

/** One more event is sent at once. */
async function checkPrompt(world: LaneWorld): Promise<void> {
  emitOne(world, pickSession(world), 'session.started');
  await pass(world, PROMPT_MS);
  expect([...world.undelivered]).toEqual([]);
}

async function check(deeds: readonly Deed[], nature: Nature): Promise<void> {
  const { world, broken } = openWatched(nature);
  for (const each of deeds) {
    await live(world, each);
    expect(broken).toEqual([]);
  }
  world.isWell = true;
  await pass(world, HEAL_MS);
  expect(broken).toEqual([]);
  checkAllArrived(world);
  await checkQuiet(world);
  await checkPrompt(world);
  expect(broken).toEqual([]);
}

test(`[E2] whatever log, disk, endpoint and processes do: all events arrive, in order and not too early, and activity ends (seed ${TEST_SEED})`, async () => {
  const deeds = fc.array(anyDeed, { maxLength: 90, size: 'max' });
  await fc.assert(fc.asyncProperty(deeds, anyNature, check), {
    seed: TEST_SEED,
    numRuns: Number(process.env['MATCHD_TEST_RUNS'] ?? testRuns(300)),
  });
}, 600_000);
