/**
 * Links over a bus that loses, repeats, reorders and delays, and over mail when there is no bus.
 */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { NO_FAULTS } from '../../bus/local/local-bus.ts';
import { makeSeededChance } from '../../testing/seeded-chance.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { STUCK_MS } from './link.ts';
import { type LinksWorld, makeLinksWorld, type Talker } from './links.test-kit.ts';

const RUNS = 200;

async function openTwo(seed = 1): Promise<{ world: LinksWorld; a: Talker; b: Talker }> {
  const world = makeLinksWorld(makeSeededChance(seed));
  return { world, a: await world.open('a'), b: await world.open('b') };
}

test('[LINK] messages of one turn of the event loop travel in one frame, at once', async () => {
  const { world, a, b } = await openTwo();
  a.say('b', 1);
  await world.pass(1);
  let frames = 0;
  const bus = world.network.open('counter');
  bus.onMessage(() => {
    frames += 1;
  });
  a.say('counter', 3);
  await world.pass(1);
  a.say('b', 100);
  b.say('a', 7);
  await world.pass(0);
  expect([b.came.get('a'), a.came.get('b')]).toEqual([101, 7]);
  expect(frames).toBe(1);
  expect(world.wrongs).toEqual([]);
});

test('[LINK] a node that is gone is reported as lost after three seconds, once for all messages sent', async () => {
  const { world, a } = await openTwo();
  a.say('nobody', 5);
  await world.pass(STUCK_MS - 1);
  expect(a.losses.get('nobody')).toBeUndefined();
  await world.pass(2);
  expect(a.losses.get('nobody')).toBe(1);
  await world.pass(60_000);
  expect(a.losses.get('nobody')).toBe(1);
});

test('[LINK] a link without messages is also lost when the other end is gone', async () => {
  const { world, a, b } = await openTwo();
  a.say('b', 1);
  await world.pass(10_000);
  expect([a.losses.size, b.losses.size]).toEqual([0, 0]);
  world.network.setUp('b', false);
  b.links.close();
  await world.pass(STUCK_MS + 1_000);
  expect(a.losses.get('b')).toBe(1);
});

test('[LINK] when one end gives up the other is notified, and both restart', async () => {
  const { world, a, b } = await openTwo();
  a.say('b', 2);
  b.say('a', 2);
  await world.pass(100);
  a.links.drop('b');
  a.say('b', 3);
  await world.pass(100);
  expect([a.losses.get('b'), b.losses.get('a')]).toEqual([1, 1]);
  expect(b.came.get('a')).toBe(5);
  b.say('a', 4);
  await world.pass(100);
  expect(a.came.get('b')).toBe(6);
  expect(world.wrongs).toEqual([]);
});

test('[LINK] while the bus is down everything goes through the store, and over the bus again afterwards', async () => {
  const { world, a, b } = await openTwo();
  a.say('b', 1);
  await world.pass(100);
  const took: number[] = [];
  for (const down of [['a'], ['b'], ['a', 'b']]) {
    for (const node of down) world.network.setUp(node, false);
    const before = b.came.get('a')!;
    const began = world.clock.now();
    a.say('b', 10);
    while (b.came.get('a') !== before + 10 && world.clock.now() - began < STUCK_MS)
      await world.pass(10);
    took.push(world.clock.now() - began);
    b.say('a', 10);
    await world.pass(1_000);
    for (const node of down) world.network.setUp(node, true);
    await world.pass(10_000);
    a.say('b', 1);
    await world.pass(0);
    expect(b.came.get('a')).toBe(before + 11);
  }
  // An end that does not know that the other is cut off finds its mail within a second.
  expect(Math.max(...took)).toBeLessThan(1_200);
  expect([a.losses.size, b.losses.size, a.came.get('b')]).toEqual([0, 0, 30]);
  expect(world.wrongs).toEqual([]);
});

test('[LINK] gaps on both sides do not make the two ends answer each other endlessly', async () => {
  const { world, a, b } = await openTwo();
  a.say('b', 1);
  b.say('a', 1);
  await world.pass(1_000);
  const lose = { ...NO_FAULTS, drop: 1 };
  world.network.setFaults(lose);
  a.say('b', 1);
  b.say('a', 1);
  await world.pass(0);
  world.network.setFaults({ ...NO_FAULTS, delayMinMs: 1, delayMaxMs: 1 });
  a.say('b', 1);
  b.say('a', 1);
  const before = world.network.sent();
  await world.pass(50);
  expect(world.network.sent() - before).toBeLessThan(8);
  await world.pass(200);
  expect([a.came.get('b'), b.came.get('a')]).toEqual([3, 3]);
});

for (const how of ['went silent', 'found nobody'] as const) {
  test(`[LINK] messages in transit when the bus ${how} go as mail, all of them at once`, async () => {
    const { world, a, b } = await openTwo();
    a.say('b', 1);
    await world.pass(2_500);
    if (how === 'found nobody') world.network.setUp('b', false);
    world.network.setCut('a', 'b', how === 'went silent');
    world.network.setCut('b', 'a', how === 'went silent');
    const began = world.clock.now();
    a.say('b', 4_000);
    while (b.came.get('a') !== 4_001 && world.clock.now() - began < 10_000) await world.pass(10);
    expect(world.clock.now() - began).toBeLessThan(2_000);
    expect(a.losses.size).toBe(0);
  });
}

test('[LINK] a slow store is not flooded with retransmissions', async () => {
  const { world, a, b } = await openTwo();
  world.network.setUp('a', false);
  world.network.setUp('b', false);
  world.mail.delayMs = 600;
  let chars = 0;
  const { putMail } = world.cluster;
  world.cluster.putMail = (to, from, texts) => {
    chars += texts.join('').length;
    return putMail(to, from, texts);
  };
  a.say('b', 1);
  await world.pass(2_500);
  chars = 0;
  a.say('b', 4_000);
  while ((b.came.get('a') ?? 0) < 4_001) await world.pass(100);
  await world.pass(3_000);
  expect(chars).toBeLessThan(1.5 * 4_000 * '{"life":0,"at":1000},'.length);
  expect(a.losses.size).toBe(0);
});

test('[LINK] a message longer than the bus carries goes as mail', async () => {
  const { world, a, b } = await openTwo();
  a.say('b', 1);
  await world.pass(100);
  const long: unknown[] = [];
  b.links.onMessage((_, message) => void long.push(message));
  a.links.send('b', 'é'.repeat(600_000));
  await world.pass(2_000);
  expect(long).toEqual(['é'.repeat(600_000)]);
});

test('[LINK] the backlog is limited: past the limit the link is lost', async () => {
  const { world, a } = await openTwo();
  world.network.setUp('a', false);
  world.mail.failures = 1;
  a.say('b', 66_000);
  expect(a.losses.get('b')).toBe(1);
  expect(a.sentTo('b')).toBeLessThan(1_000);
});

test('[LINK] texts that are not frames, or for another node, change nothing', async () => {
  const { world, a, b } = await openTwo();
  a.say('b', 1);
  await world.pass(100);
  const stranger = world.network.open('stranger');
  const texts = ['', 'null', '[]', '{"f":"a"}', '{"f":"a","t":"b","e":"1","p":0,"a":0}', '{"f":1}'];
  const frame = '"f":"a","e":9e15,"p":0,"a":0';
  const bad = [`{${frame},"t":"c"}`, `{${frame},"t":"b","m":{}}`, `{${frame},"t":"b","n":-1}`];
  for (const text of [...texts, ...bad]) stranger.send('b', text);
  a.say('b', 2);
  await world.pass(5_000);
  expect([b.came.get('a'), b.losses.size, a.losses.size]).toEqual([3, 0, 0]);
});

type Act =
  | { readonly kind: 'say'; readonly by: number; readonly to: number; readonly count: number }
  | { readonly kind: 'faults'; readonly drop: number; readonly repeat: number; readonly ms: number }
  | { readonly kind: 'up'; readonly at: number; readonly isUp: boolean }
  | { readonly kind: 'cut'; readonly by: number; readonly to: number; readonly isCut: boolean }
  | { readonly kind: 'mail'; readonly ms: number; readonly failures: number }
  | { readonly kind: 'stop'; readonly ms: number }
  | { readonly kind: 'drop'; readonly by: number; readonly to: number; readonly isNow: boolean }
  | { readonly kind: 'restart'; readonly at: number }
  | { readonly kind: 'pass'; readonly ms: number };

const place = fc.integer({ min: 0, max: 2 });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      by: place,
      to: place,
      count: fc.integer({ min: 1, max: 600 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.integer({ max: 5_000, min: 1 }),
    }),
  },
  fc.record({
    kind: fc.constant('faults' as const),
    drop: fc.double({ min: 0, max: 0.9, noNaN: true }),
    repeat: fc.double({ min: 0, max: 1, noNaN: true }),
    ms: fc.integer({ min: 0, max: 2_500 }),
  }),
  fc.record({ kind: fc.constant('up' as const), at: place, isUp: fc.boolean() }),
  fc.record({ kind: fc.constant('cut' as const), by: place, to: place, isCut: fc.boolean() }),
  fc.record({
    kind: fc.constant('mail' as const),
    ms: fc.integer({ min: 0, max: 2_000 }),
    failures: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ kind: fc.constant('stop' as const), ms: fc.integer({ min: 1, max: 8_000 }) }),
  fc.record({ kind: fc.constant('drop' as const), by: place, to: place, isNow: fc.boolean() }),
  fc.record({ kind: fc.constant('restart' as const), at: place }),
);

const NAMES = ['a', 'b', 'c'];

/** Three slots, each with its current node. */
interface Stage {
  readonly world: LinksWorld;
  readonly talkers: Talker[];
  restarts: number;
}

async function perform(stage: Stage, step: Act): Promise<void> {
  const { world, talkers } = stage;
  switch (step.kind) {
    case 'say':
      if (step.by !== step.to) talkers[step.by]!.say(talkers[step.to]!.node, step.count);
      return;
    case 'faults': {
      const { drop, repeat, ms } = step;
      return world.network.setFaults({ drop, repeat, delayMinMs: 0, delayMaxMs: ms });
    }
    case 'up':
      return world.network.setUp(talkers[step.at]!.node, step.isUp);
    case 'cut':
      return world.network.setCut(talkers[step.by]!.node, talkers[step.to]!.node, step.isCut);
    case 'mail':
      world.mail.delayMs = step.ms;
      world.mail.failures = step.failures;
      return;
    case 'stop':
      return world.clock.skip(step.ms);
    case 'drop':
      if (step.isNow) talkers[step.by]!.links.drop(talkers[step.to]!.node);
      else talkers[step.by]!.dropAtNext(talkers[step.to]!.node);
      return;
    case 'restart': {
      const { links, node } = talkers[step.at]!;
      links.close();
      world.network.setUp(node, false);
      stage.restarts += 1;
      talkers[step.at] = await world.open(`${NAMES[step.at]}${stage.restarts}`);
      return;
    }
    case 'pass':
      return world.pass(step.ms);
  }
}

function sayToAll(talkers: readonly Talker[]): void {
  for (const talker of talkers)
    for (const { node } of talkers) if (node !== talker.node) talker.say(node, 50);
}

/** All faults over: new messages arrive, and no link is lost any more. */
async function heal({ world, talkers }: Stage): Promise<void> {
  world.network.setFaults(NO_FAULTS);
  world.mail.delayMs = 2;
  world.mail.failures = 0;
  for (const { node } of talkers) {
    world.network.setUp(node, true);
    for (const other of talkers) world.network.setCut(node, other.node, false);
  }
  // Messages in transit with the longest delays, and links that are to be given up.
  await world.pass(2 * STUCK_MS + 5_000);
  sayToAll(talkers);
  await world.pass(1_000);
  const before = talkers.map(({ losses }) => new Map(losses));
  const came = talkers.map((talker) => new Map(talker.came));
  sayToAll(talkers);
  await world.pass(200);
  for (const [at, talker] of talkers.entries()) {
    for (const { node } of talkers) {
      if (node === talker.node) continue;
      expect(talker.losses.get(node)).toBe(before[at]!.get(node));
      expect(talker.came.get(node)! - (came[at]!.get(node) ?? 0)).toBe(50);
    }
  }
}

test(`[LINK] whatever the bus does, a link delivers a prefix of the messages sent, in order, each once (seed ${TEST_SEED})`, async () => {
  const property = fc.asyncProperty(
    fc.integer(),
    fc.array(act, { minLength: 5, maxLength: 60 }),
    async (seed, steps) => {
      const world = makeLinksWorld(makeSeededChance(seed));
      const talkers = [await world.open('a'), await world.open('b'), await world.open('c')];
      const stage: Stage = { world, talkers, restarts: 0 };
      for (const step of steps) await perform(stage, step);
      await heal(stage);
      expect(world.wrongs).toEqual([]);
    },
  );
  await fc.assert(property, { seed: TEST_SEED, numRuns: RUNS });
}, 60_000);

test('[LINK][N6] messages too long for the bus go by mail, however much the other end sends', async () => {
  const { world, a, b } = await openTwo();
  a.say('b', 1);
  await world.pass(500);
  // Shorter than a frame with that many messages.
  world.network.setTextMax(1_024);
  a.say('b', 200);
  for (let turn = 0; turn < 100; turn += 1) {
    b.say('a', 1);
    await world.pass(50);
  }
  expect([b.came.get('a'), a.came.get('b')]).toEqual([201, 100]);
  expect([a.losses.size, b.losses.size]).toEqual([0, 0]);
  expect(world.wrongs).toEqual([]);
});
