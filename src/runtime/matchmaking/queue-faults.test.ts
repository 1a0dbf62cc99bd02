/** The queue when the store fails once: a waiting player is still paired. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { makeRequest, openQueuedSessions } from '../../testing/matches/queued-sessions.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import type { CreatedView, Outcome } from '../sessions/session-service.ts';

const folder = makeTempFolder();
const opened: Store[] = [];
afterAll(async () => {
  for (const store of opened) await store.close();
  removeFolder(folder);
});

/** A store whose method of that name is wrapped by `fault` for a given number of calls. */
async function openFaulty<Name extends 'loadSession' | 'findPlayer' | 'createSession'>(
  file: string,
  name: Name,
  fault: (real: Store[Name]) => Store[Name],
) {
  const bare = await openSqliteStore(join(folder, file));
  opened.push(bare);
  const faults = { left: 0 };
  const real = bare[name] as (...args: unknown[]) => unknown;
  const faulty = fault(bare[name]) as (...args: unknown[]) => unknown;
  const store: Store = {
    ...bare,
    [name]: (...args: unknown[]) => (faults.left-- > 0 ? faulty(...args) : real(...args)),
  };
  return { ...(await openQueuedSessions(store)), faults };
}

function idOf(outcome: Outcome<CreatedView>): string {
  if (!outcome.ok) throw new Error(outcome.refusal);
  return outcome.value.row.id;
}

function failureOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'none',
    (error) => String(error),
  );
}

const away = () => Promise.reject(new Error('the store is away'));

for (const name of ['loadSession', 'findPlayer'] as const) {
  test(`[S2] a ${name} that fails while a newcomer is seated costs the waiting player nothing`, async () => {
    const world = await openFaulty(`${name}.db`, name, () => away);
    const { service, host, clock, faults } = world;
    const waiting = idOf(await service.create(makeRequest('ann'), null));
    // Ann's session sleeps after ten seconds without a socket.
    clock.advance(11_000);
    await host.maintain();
    expect(host.size()).toBe(0);
    faults.left = 1;
    expect(await failureOf(service.create(makeRequest('bob'), null))).toContain('away');
    // The store is back. Bob retries.
    expect(idOf(await service.create(makeRequest('bob'), null))).toBe(waiting);
  });
}

test('[S2] a session created with an unknown result is found by newcomers', async () => {
  const world = await openFaulty('made.db', 'createSession', (real) => async (session) => {
    await real(session);
    throw new Error('nobody can say the result of a commit');
  });
  const { service, host, faults } = world;
  faults.left = 1;
  expect(await failureOf(service.create(makeRequest('ann'), null))).toContain('nobody can say');
  await host.maintain();
  await new Promise(setImmediate);
  // Ann asks again: she waits already.
  const again = await service.create(makeRequest('ann'), null);
  expect(again).toMatchObject({ ok: true, value: { waited: true } });
  expect(idOf(await service.create(makeRequest('bob'), null))).toBe(idOf(again));
});

test('[S2] a player whose entry is written after the queue was read again is not skipped', async () => {
  let write = (): Promise<unknown> => Promise.resolve();
  const world = await openFaulty('late.db', 'createSession', (real) => async (session) => {
    write = () => real(session);
    throw new Error('the result of a commit is unknown');
  });
  const { service, host, faults } = world;
  faults.left = 1;
  expect(await failureOf(service.create(makeRequest('ann'), null))).toContain('is unknown');
  // Bob finds no match, waits, and is matched: the queue is cached, and Ann is not in it.
  idOf(await service.create(makeRequest('bob'), null));
  idOf(await service.create(makeRequest('cat'), null));
  await write();
  // It is searched for each second, and taken from the second time on.
  for (let n = 0; n < 2; n++) await host.maintain();
  const again = await service.create(makeRequest('ann'), null);
  expect(again).toMatchObject({ ok: true, value: { waited: true } });
  expect(idOf(await service.create(makeRequest('dan'), null))).toBe(idOf(again));
});

test('[S2][P1] a seated player is notified, though the outcome was unknown at first', async () => {
  const bare = await openSqliteStore(join(folder, 'seated.db'));
  opened.push(bare);
  let isAway = false;
  const { clock, host, service } = await openQueuedSessions({
    ...bare,
    commit: (commit, done) => bare.commit(commit, isAway ? () => done('unknown') : done),
    loadSession: (id) => (isAway ? away() : bare.loadSession(id)),
  });
  const told: string[] = [];
  host.onSeated((_, player) => void told.push(player));
  const waiting = idOf(await service.create(makeRequest('ann'), null));
  expect(told).toEqual(['ann']);
  isAway = true;
  const asked = await service.create(makeRequest('bob'), null);
  expect(asked).toMatchObject({ ok: false, refusal: 'unavailable' });
  // Longer than a late write is searched for.
  for (let s = 0; s < 30; s++) {
    isAway = s < 20;
    clock.advance(1_000);
    await host.maintain();
  }
  const { roster } = (await host.peek(waiting))!;
  expect(roster.map((each) => each?.id).sort()).toEqual(['ann', 'bob']);
  expect(told.slice(1)).toContain('bob');
});
