/** Paging through a commit with many events (rule E2). */

import { expect, test } from 'bun:test';
import { entryOf, sessionId, sessionOf, T0 } from '../../../store/contract/stage.ts';
import { makeAsking } from '../../../testing/service/asking.ts';
import { openHttpService } from '../../../testing/service/http-service.ts';

/** Matches of one world: each has one record pending when the writer recovers from a stall. */
const MATCHES = 6_000;

test('[E2] paging reaches the end of a log in which one commit has more than 5,000 events', async () => {
  const world = await openHttpService();
  const tenant = await world.makeTenant();
  const key = await world.makeKey(tenant, 'live');
  const whose = { tenant: tenant.id, mode: 'live' } as const;
  await Promise.all(
    Array.from({ length: MATCHES }, (_, n) => world.store.createSession(sessionOf(n, whose))),
  );
  // One record of each match, as with `player.disconnected` when all connections break.
  await Promise.all(
    Array.from({ length: MATCHES }, (_, n) => {
      const session = sessionId(n);
      const entry = { ...entryOf(1), at: T0 + 5 };
      const events = [{ ...whose, session, v: 1, at: T0 + 5 }];
      return new Promise((resolve) =>
        world.store.commit({ session, ...whose, entries: [entry], change: null, events }, resolve),
      );
    }),
  );
  expect(await world.store.eventHead(whose)).toBe(MATCHES);
  const ask = makeAsking(world.app, key);
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let page = 0; page < MATCHES / 100 + 1; page += 1) {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { json } = await ask(`/v1/events?limit=100${query}`);
    const { data, nextCursor } = json as { data: { id: string }[]; nextCursor: string | null };
    const again = data.filter(({ id }) => seen.has(id)).length;
    expect([page, again]).toEqual([page, 0]);
    for (const { id } of data) seen.add(id);
    cursor = nextCursor;
    if (cursor === null) break;
  }
  expect(cursor).toBeNull();
  expect(seen.size).toBe(MATCHES);
  await world.close();
}, 60_000);
