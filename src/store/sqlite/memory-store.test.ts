/** The in-memory store fulfils the contract of the store on disk. */

import { expect, test } from 'bun:test';
import { append, created, entryOf, sessionId, sessionOf } from '../contract/stage.ts';
import { queueCases } from '../contract/tickets/queue-cases.ts';
import { queueManyCases } from '../contract/tickets/queue-many-cases.ts';
import { ticketCases } from '../contract/tickets/ticket-cases.ts';
import { wholeStoreSuite } from '../contract/whole-suite.ts';
import { openMemoryDatabase, openMemoryStore } from './memory-store.ts';
import { memoryContractSuite } from './memory-suite.test-kit.ts';

memoryContractSuite('memory', (database) => database.open());

wholeStoreSuite('memory', async () => {
  const { open, close } = openMemoryDatabase();
  return { open: async () => open(), remove: async () => close() };
});

for (const { title, run } of [...queueCases, ...queueManyCases]) {
  test(title, async () => {
    const store = openMemoryStore();
    await run(store);
    await store.close();
  });
}

for (const { title, run } of ticketCases) {
  test(title, async () => {
    const { open, close } = openMemoryDatabase();
    let store = open();
    await run(store, async () => {
      await store.close();
      store = open();
      return store;
    });
    await store.close();
    close();
  });
}

test('[STORE-SQ6] writes of one turn are one transaction, and a failing one fails alone', async () => {
  const { db, open, close } = openMemoryDatabase();
  const store = open();
  await created(store, 1);
  await created(store, 2);
  const outcomes = await Promise.all([
    append(store, sessionId(1), [entryOf(1)]),
    store.createSession(sessionOf(1, { roomCode: 'OTHER1' })).catch(String),
    append(store, sessionId(2), [entryOf(1)], { awake: true }),
    append(store, sessionId(1), [entryOf(1)]),
  ]);
  expect(outcomes[1]).toContain('UNIQUE constraint failed');
  expect(outcomes.filter((_, i) => i !== 1)).toEqual(['committed', 'committed', 'conflict']);
  expect(db.prepare('SELECT count(*) AS n FROM log').get()).toEqual({ n: 4 });
  await store.close();
  close();
});

test('[STORE-SQ7] a write to a closed store fails and does not hang', async () => {
  const store = openMemoryStore();
  await created(store, 1);
  const last = append(store, sessionId(1), [entryOf(1)]);
  await store.close();
  expect(await last).toBe('committed');
  expect(await append(store, sessionId(1), [entryOf(2)])).toBe('unknown');
  await expect(store.heartbeat('nod_a', 1)).rejects.toThrow('The store is closed');
  expect(await store.ping()).toBe(false);
});
