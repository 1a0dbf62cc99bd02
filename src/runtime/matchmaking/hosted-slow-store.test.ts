/** Hosted matches started on a slow store, or with a lost answer (rules M5, P6). */

import { expect, test } from 'bun:test';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { openHostedStart } from '../../testing/matches/hosted-start.ts';

test('[P6][M5] a start for which the store takes six seconds costs no player a turn of five', async () => {
  const bare = openMemoryStore();
  const clock = makeManualClock();
  const store: Store = {
    ...bare,
    async startGroups(start) {
      const outcome = await bare.startGroups(start);
      clock.advance(6_000);
      return outcome;
    },
  };
  const { host, start, stalls, attachBoth, settle } = await openHostedStart(store, clock);
  const started = await start();
  if (started.kind !== 'started') throw new Error(started.kind);
  const { id } = started.view.row;
  const statusAfter = async (ms: number): Promise<string> => {
    clock.advance(ms);
    await settle();
    return (await host.peek(id))!.session.status;
  };
  attachBoth(id);
  expect(await statusAfter(0)).toBe('active');
  expect(await statusAfter(4_999)).toBe('active');
  expect(await statusAfter(1)).toBe('ended');
  // Other matches were served meanwhile: their clocks went on.
  expect(stalls).toEqual([]);
  await bare.close();
});

test('[P6][M5] a start whose answer is lost after six seconds costs no player a turn of five', async () => {
  const bare = openMemoryStore();
  const clock = makeManualClock();
  const store: Store = {
    ...bare,
    async startGroups(start) {
      await bare.startGroups(start);
      clock.advance(6_000);
      throw new Error('lost');
    },
  };
  const { host, start, attachBoth, settle } = await openHostedStart(store, clock);
  expect(await start().catch(String)).toBe('Error: lost');
  // The backend retries at once, as it should.
  const again = await start();
  if (again.kind !== 'again') throw new Error(again.kind);
  const { id } = again.view.row;
  attachBoth(id);
  await host.maintain();
  await settle();
  expect((await host.peek(id))!.session.status).toBe('active');
  await bare.close();
});

test('[P6][M5] a start whose answer is lost after six seconds, and which is written half a second later, costs no player a turn of five', async () => {
  const bare = openMemoryStore();
  const clock = makeManualClock();
  let made = '';
  let land: () => Promise<unknown> = async () => {};
  const store: Store = {
    ...bare,
    async startGroups(start) {
      clock.advance(6_000);
      // The database commits it only after its connection is closed.
      made = start.session.row.id;
      land = () => bare.startGroups(start);
      throw new Error('lost');
    },
  };
  const { host, start, attachBoth, settle } = await openHostedStart(store, clock);
  expect(await start().catch(String)).toBe('Error: lost');
  await host.maintain();
  clock.advance(500);
  await land();
  clock.advance(500);
  await host.maintain();
  await settle();
  attachBoth(made);
  await host.maintain();
  await settle();
  expect((await host.peek(made))!.session.status).toBe('active');
  await bare.close();
});
