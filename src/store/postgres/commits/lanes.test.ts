/** Batches: what is batched, in which order, and how many run at a time. */

import { expect, test } from 'bun:test';
import { type Item, makeLanes, makeTurns } from './lanes.ts';

interface Named extends Item {
  readonly name: string;
  readonly done: () => void;
}

const WAIT_MS = 50;

/** Lanes whose batches end when the test says so. */
function makeStage(lanes: number, batchMax: number, batchMin = 1) {
  const turns = makeTurns();
  const batches: string[][] = [];
  const working: (readonly Named[])[] = [];
  const ends: (() => void)[] = [];
  const work = (batch: readonly Named[]): Promise<void> => {
    working.push(batch);
    batches.push(batch.map(({ name }) => name));
    return new Promise((resolve) => ends.push(resolve));
  };
  const made = makeLanes<Named>(turns, { lanes, batchMax, batchMin, waitMs: WAIT_MS, work });
  return {
    turns,
    batches,
    working,
    push: (...names: string[]) => {
      for (const name of names) made.push({ session: name[0]!, name, done: () => {} });
    },
    end: (batch: number) => ends[batch]!(),
    rest: () => new Promise((resolve) => setTimeout(resolve, 2)),
  };
}

test('[STORE-PG12] items of one turn of the event loop share a batch', async () => {
  const { push, batches, rest } = makeStage(1, 10);
  push('a1', 'b1', 'c1');
  expect(batches).toEqual([]);
  await rest();
  expect(batches).toEqual([['a1', 'b1', 'c1']]);
});

test('[STORE-PG12] items that come while all lanes are busy share the next batch', async () => {
  const { push, batches, rest, end } = makeStage(2, 10);
  push('a1');
  await rest();
  push('b1');
  await rest();
  push('c1', 'd1');
  await rest();
  expect(batches).toEqual([['a1'], ['b1']]);
  end(1);
  await rest();
  expect(batches).toEqual([['a1'], ['b1'], ['c1', 'd1']]);
});

test('[STORE-PG12] few items wait for the running batch; many do not, and few do not wait without limit', async () => {
  const { push, batches, rest, end } = makeStage(3, 10, 3);
  push('a1');
  await rest();
  push('b1', 'c1');
  await rest();
  expect(batches).toEqual([['a1']]);
  push('d1');
  await rest();
  expect(batches).toEqual([['a1'], ['b1', 'c1', 'd1']]);
  push('e1', 'f1');
  await rest();
  end(0);
  end(1);
  await rest();
  expect(batches).toEqual([['a1'], ['b1', 'c1', 'd1'], ['e1', 'f1']]);
  // The third never ends.
  push('g1');
  await rest();
  expect(batches.length).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS + 20));
  // On a busy machine both times may have passed in one turn.
  await rest();
  expect(batches[3]).toEqual(['g1']);
});

test('[STORE-PG12] the work on one session is serialized, in the order in which it came', async () => {
  const { push, batches, rest, end } = makeStage(3, 10);
  push('a1', 'a2', 'b1', 'a3');
  await rest();
  expect(batches).toEqual([['a1', 'b1']]);
  push('b2', 'c1');
  await rest();
  expect(batches).toEqual([['a1', 'b1'], ['c1']]);
  end(0);
  await rest();
  expect(batches[2]).toEqual(['a2', 'b2']);
  end(2);
  await rest();
  expect(batches[3]).toEqual(['a3']);
});

test('[STORE-PG12] an answered caller does not wait for the rest of the batch, and leaves its turn once', async () => {
  const { push, batches, working, rest, end } = makeStage(3, 10);
  push('a1', 'b1', 'a2', 'a3', 'b2');
  await rest();
  expect(batches).toEqual([['a1', 'b1']]);
  working[0]![0]!.done();
  await rest();
  expect(batches).toEqual([['a1', 'b1'], ['a2']]);
  // The first batch's end does not end the second.
  end(0);
  await rest();
  expect(batches).toEqual([['a1', 'b1'], ['a2'], ['b2']]);
  end(1);
  await rest();
  expect(batches[3]).toEqual(['a3']);
});

test('[STORE-PG12] lanes of different kinds share the turns of a session', async () => {
  const stage = makeStage(1, 10);
  const others: string[] = [];
  const lanes = makeLanes<Named>(stage.turns, {
    lanes: 1,
    batchMax: 10,
    batchMin: 1,
    waitMs: 0,
    work: async (batch) => void others.push(...batch.map(({ name }) => name)),
  });
  stage.push('a1');
  lanes.push({ session: 'a', name: 'a2', done: () => {} });
  await stage.rest();
  expect([stage.batches, others]).toEqual([[['a1']], []]);
  stage.end(0);
  await stage.rest();
  expect(others).toEqual(['a2']);
});

test('[STORE-PG12] a batch has a maximum, and the rest takes another lane', async () => {
  const { push, batches, rest } = makeStage(2, 2);
  push('a1', 'b1', 'c1', 'd1', 'e1');
  await rest();
  expect(batches).toEqual([
    ['a1', 'b1'],
    ['c1', 'd1'],
  ]);
});

test('[STORE-PG12] it is settled when nothing is running or waiting', async () => {
  const { turns, push, rest, end } = makeStage(1, 10);
  await turns.settled();
  push('a1', 'a2');
  let isSettled = false;
  void turns.settled().then(() => {
    isSettled = true;
  });
  await rest();
  end(0);
  await rest();
  expect(isSettled).toBe(false);
  end(1);
  await rest();
  expect(isSettled).toBe(true);
});
